"""Every way in which this world breaks. Each gives False when there was nothing to break just then."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import embedded
from tests.chaos import lies
from tests.chaos.havoc import RUNG, Fault, Havoc
from tests.chaos.processes import is_gone, wait_until
from tests.chaos.trap import Trap

TRAP_SECONDS = 4.0

HELD_BY = "SELECT work.id FROM work JOIN workers ON workers.id = work.worker_id WHERE workers.pid = ANY(%s)"


def kill_worker(havoc: Havoc) -> bool:
    """SIGKILL a Dramatiq process that runs something."""
    return havoc.hurt("kill-worker", lambda pid, _: os.kill(pid, signal.SIGKILL))


def kill_master(havoc: Havoc) -> bool:
    """SIGKILL the parent of a Dramatiq process, which must then end by itself."""

    def make_orphan(pid: int, master: int) -> None:
        os.kill(master, signal.SIGKILL)
        havoc.orphans.append(pid)

    return havoc.hurt("kill-master", make_orphan)


def stop_worker(havoc: Havoc) -> bool:
    """SIGSTOP a process that holds several rows, long enough to be declared dead, and let it wake up late."""

    def stop(pid: int, _: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        havoc.stopped.add(pid)
        havoc.put_right_in(havoc.plan.stop_seconds, lambda: wake(pid))

    def wake(pid: int) -> None:
        havoc.stopped.discard(pid)
        if not is_gone(pid):
            os.kill(pid, signal.SIGCONT)

    return not havoc.stopped and havoc.hurt("stop-worker", stop, at_least=2)


def kill_recovery(havoc: Havoc) -> bool:
    """SIGKILL the process that sweeps, or the one that says when."""
    victims = [*havoc.crew.hands("recovery"), *havoc.crew.masters("sweeper")]
    if victims:
        os.kill(havoc.dice.choice(victims), signal.SIGKILL)
        havoc.note("kill-recovery")
    return bool(victims)


def die_before_ring(havoc: Havoc) -> bool:
    """Have a worker SIGKILL itself after the commit of a finish and before its ring."""
    trap = Trap(havoc.world.control)
    if havoc.broker_is_away or not havoc.ids(HELD_BY, list(havoc.living_hands())):
        return False
    trap.set()
    if not wait_until(trap.has_caught, TRAP_SECONDS, pause=0.05):
        trap.remove()
        return False
    words = trap.take_words()
    havoc.note("die-before-ring", [*words.rows, *havoc.ids(HELD_BY, [words.pid])], at=words.at)
    return True


def flush(havoc: Havoc) -> bool:
    """FLUSHALL: every doorbell in the broker is lost."""
    rung = havoc.ids(RUNG)
    if havoc.broker_is_away or not rung:
        return False
    havoc.world.broker().flushall()
    havoc.note("flush", rung)
    return True


def stop_broker(havoc: Havoc) -> bool:
    """Stop the broker in good order for a while."""
    return _take_broker_away(havoc, "stop-broker", havoc.world.stop)


def kill_broker(havoc: Havoc) -> bool:
    """SIGKILL the broker, which comes back with what its last dump held, if anything."""
    return _take_broker_away(havoc, "kill-broker", havoc.world.kill)


def _take_broker_away(havoc: Havoc, kind: str, how: Callable[[embedded.Part], None]) -> bool:
    rung = havoc.ids(RUNG)
    if havoc.broker_is_away or not rung:
        return False
    havoc.broker_is_away = True
    how("valkey")
    fault = havoc.note(kind, rung)
    havoc.put_right_in(havoc.plan.broker_away_seconds, lambda: _return_broker(havoc, fault))
    return True


def _return_broker(havoc: Havoc, fault: Fault) -> None:
    """Rows rung meanwhile were hit too: nobody heard."""
    fault.measured_from = havoc.world.bring_back("valkey")
    fault.hit(havoc.ids(RUNG), fault.measured_from)
    havoc.broker_is_away = False


def kill_postgres(havoc: Havoc) -> bool:
    """SIGKILL the postmaster, and start it again: crash recovery."""
    running = havoc.ids(HELD_BY, list(havoc.living_hands()))
    if not running:
        return False
    moment = time.time()
    havoc.world.kill("postgres")
    fault = havoc.note("kill-postgres", running, at=moment)
    fault.measured_from = havoc.world.bring_back("postgres")
    return True


FAULTS: dict[str, Callable[[Havoc], bool]] = {
    "kill-worker": kill_worker,
    "kill-master": kill_master,
    "stop-worker": stop_worker,
    "die-before-ring": die_before_ring,
    "flush": flush,
    "stop-broker": stop_broker,
    "kill-broker": kill_broker,
    "kill-postgres": kill_postgres,
    "garbage": lies.garbage,
    "duplicate": lies.duplicate,
    "reorder": lies.reorder,
    "kill-recovery": kill_recovery,
}

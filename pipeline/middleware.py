"""The one Dramatiq middleware: a worker process's lease, beat, refill, meters, watchdog and drain."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import dramatiq
import structlog
from dramatiq.worker import Worker

import reasons
from pipeline import doorbell, lease, refill, rescue, window
from pipeline.broker import has_lost_its_memory
from pipeline.database import DRIVER_FAULTS
from pipeline.doorbell import BROKER_FAULTS
from pipeline.meters import Teller
from pipeline.stage import all_stages
from settings import settings

log = structlog.get_logger("worker")

# A row of ours that we do not know to run: its claim was stored, but the answer got lost on the way.
STRAY_AFTER_SECONDS = 20.0
WATCH_SECONDS = 1.0
# A sweeper has given the work to somebody else long before; the thread that hangs is lost until the process ends.
HANG_GRACE_SECONDS = 60.0
TELL_SECONDS = 2.0


class WorkerLife(dramatiq.Middleware):
    """Keeps a worker process honest from boot to drain."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.lease: lease.Lease | None = None
        self.refiller: refill.Refiller | None = None
        self.beat: threading.Thread | None = None
        self.repairer: threading.Thread | None = None
        self.teller = Teller()
        self.telling: threading.Thread | None = None
        self.stopped = threading.Event()
        self.parent = os.getppid()

    def before_worker_boot(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Hold a lease before the first message can arrive."""
        self.worker = worker
        self.parent = os.getppid()
        queues = sorted(worker.consumer_whitelist or broker.get_declared_queues())
        self.lease = lease.install(lease.Lease(queues))
        self.refiller = refill.Refiller()
        refill.install(self.refiller)
        self.refiller.start()
        self._renew()
        self.beat = self._start("beat", self._renew, settings().lease_beat_seconds)
        self.repairer = self._start("repair", self._repair, settings().lease_beat_seconds)
        self.telling = self._start("meters", self.teller.tell, settings().lease_beat_seconds)
        self._start("watchdog", self._watch, WATCH_SECONDS)

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Claim nothing more; what runs may end, and what has not when the time is up is handed back at once.

        Not after the shutdown: Dramatiq first waits for its consumers, and by then we may have been killed.
        """
        if self.lease is not None:
            self.lease.draining.set()
            timer = threading.Timer(settings().drain_seconds, self._hand_back, [self.lease])
            timer.daemon = True
            timer.start()

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Give back what could not end in time, attempt unspent, and leave."""
        self.stopped.set()
        if self.refiller is not None:
            self.refiller.stop()
        if self.lease is None:
            return
        self._hand_back(self.lease)
        try:
            self.lease.end()
        except DRIVER_FAULTS as fault:
            log.warning("lease-not-ended", error=str(fault))
        self._tell_the_rest()

    def _hand_back(self, held: lease.Lease) -> None:
        """Give back, attempt unspent, what this process still holds."""
        try:
            rescue.hand_back(held.id).ring()
        except DRIVER_FAULTS as fault:
            log.warning("drain-without-database", error=str(fault))

    def _tell_the_rest(self) -> None:
        """Tell what was counted since the last beat; its thread has stopped, or is about to."""
        if self.telling is not None:
            self.telling.join(TELL_SECONDS)
        if self.telling is None or not self.telling.is_alive():
            self.teller.tell()
            self.teller.close()

    def _start(self, name: str, step: Any, seconds: float) -> threading.Thread:
        def repeat() -> None:
            while not self.stopped.wait(seconds):
                step()

        thread = threading.Thread(target=repeat, name=name, daemon=True)
        thread.start()
        return thread

    def _renew(self) -> None:
        assert self.lease is not None  # noqa: S101 - set before the beat starts
        try:
            self.lease.renew()
        except DRIVER_FAULTS as fault:
            log.warning("beat-failed", error=str(fault))

    def _repair(self) -> None:
        """Look after what dead peers held, what we hold without knowing, and what the broker forgot.

        Not on the beat's thread: repairs wait for locks, and a late beat looks like a dead worker.
        """
        assert self.lease is not None  # noqa: S101 - set before the beat starts
        try:
            rescued = rescue.rescue_dead()
            rescued.ring()
            rescue.hand_back(
                self.lease.id,
                but_not=self.lease.running_now(),
                older_than_seconds=STRAY_AFTER_SECONDS,
                reason=reasons.CLAIM_UNANSWERED,
            ).ring()
            # A dead worker takes with it the rings it had fetched and those it had yet to send; an empty broker, all.
            rings_are_lost = rescue.bury_dead() or has_lost_its_memory() or bool(rescued.work_ids)
            for stage in all_stages():
                if rings_are_lost:
                    window.ring_anew(stage)
                else:
                    doorbell.ring(window.refill(stage))  # what fell due while nothing of its stage ended
        except DRIVER_FAULTS as fault:
            log.warning("repair-failed", error=str(fault))
        except BROKER_FAULTS as fault:
            log.warning("broker-unreachable", error=str(fault))

    def _watch(self) -> None:
        """Leave, in good order, when a thread has died or the parent is gone; a fresh process takes over."""
        if self.lease is not None and self.lease.draining.is_set():
            return  # threads are ending because they were told to, and a second signal would kill what still runs
        fault = self._what_is_wrong()
        if fault is not None:
            log.critical("worker-leaves", why=fault)
            self.stopped.wait(0.1)
            os.kill(os.getpid(), signal.SIGTERM)
            self.stopped.wait(settings().drain_seconds + 30)

    def _what_is_wrong(self) -> str | None:
        assert self.worker is not None  # noqa: S101 - set at boot
        if os.getppid() != self.parent:
            return "parent-process-gone"
        dead = [name for name, thread in self.worker.consumers.items() if not thread.is_alive()]
        if dead:
            return f"consumer-thread-dead: {', '.join(dead)}"
        if any(not thread.is_alive() for thread in self.worker.workers):
            return "worker-thread-dead"
        if any(thread is not None and not thread.is_alive() for thread in (self.beat, self.repairer, self.telling)):
            return "beat-repair-or-meters-thread-dead"
        if self.lease is not None and self.lease.hanging(HANG_GRACE_SECONDS):
            return f"work-hangs: {self.lease.hanging(HANG_GRACE_SECONDS)}"
        if self.refiller is not None and not self.refiller.is_alive():
            return "refill-thread-dead"
        return None

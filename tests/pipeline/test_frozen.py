"""A process that is stopped inside a transaction keeps its locks: nobody else's rescue waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain

import psycopg
import pytest

from pipeline import lanes, rescue, window
from pipeline.claim import claim
from pipeline.database import DRIVER_FAULTS, database, is_lost, use
from pipeline.lease import Lease
from pipeline.rescue import Rescued
from pipeline.stage import Turn
from scheduling import invariants
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.test_rescue import die
from tests.pipeline.together import together
from tests.puppets import third

GAP = 20.0
LOCK = "SELECT 1 FROM hosts WHERE host = %s FOR UPDATE"
IS_CONNECTED = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
LOCK_AND_SLEEP = """
import sys, time
from models.connect import connect_engine
with connect_engine(sys.argv[1]).begin() as held:
    held.exec_driver_sql("SELECT 1 FROM hosts FOR UPDATE")
    print("locked", flush=True)
    time.sleep(3600)
"""


@pytest.fixture(autouse=True)
def _long_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", str(GAP))
    settings.cache_clear()


@pytest.fixture(autouse=True)
def _waits_are_faults(db: str) -> None:
    """Whoever waits for a lock for a second would have waited for ever."""
    use(f"{db}&options=-clock_timeout%3D1s")


@contextmanager
def frozen(host: str) -> Iterator[psycopg.Connection[object]]:
    """Hold the lock of a host in a transaction that does not go on."""
    with psycopg.connect(database().url) as connection:
        connection.execute(LOCK, [host])
        yield connection
        connection.rollback()


def hold(stagehand: Stagehand, *hosts: str) -> list[Turn]:
    return [stagehand.hold(f"at {host}", stage=third, host=host) for host in hosts]


def overdue(stagehand: Stagehand, worker: Lease) -> Rescued:
    stagehand.execute("UPDATE work SET deadline_at = started_at WHERE status = 'Processing'")
    return rescue.rescue_overdue(third)


def dead(stagehand: Stagehand, worker: Lease) -> Rescued:
    die(stagehand, worker)
    return rescue.rescue_dead()


def drained(stagehand: Stagehand, worker: Lease) -> Rescued:
    return rescue.hand_back(worker.id)


def broken_rules() -> list[str]:
    return [verdict.rule.name for verdict in invariants.check() if verdict.violations]


@pytest.mark.parametrize("give_back", [dead, overdue, drained])
def test_only_the_rows_of_a_locked_host_wait(
    stagehand: Stagehand, worker: Lease, give_back: Callable[[Stagehand, Lease], Rescued]
) -> None:
    held, *others = hold(stagehand, "b.example", "a.example", "c.example")
    without_lane = stagehand.hold("at home", stage=third)
    with frozen("b.example"):
        rescued = give_back(stagehand, worker)
        assert sorted(rescued.work_ids) == sorted([without_lane.work_id, *(turn.work_id for turn in others)])
        assert stagehand.work(held.work_id)["status"] == "Processing"
        assert broken_rules() == []
        rescued.ring()
    assert give_back(stagehand, worker).work_ids == [held.work_id]
    assert stagehand.rows("SELECT DISTINCT inflight FROM hosts") == [{"inflight": 0}]
    assert broken_rules() == []


@pytest.mark.parametrize("host", ["a.example", "b.example", "c.example"])
def test_rows_of_a_locked_host_do_not_use_up_the_batch(stagehand: Stagehand, worker: Lease, host: str) -> None:
    hold(stagehand, "a.example", "b.example", "c.example")
    die(stagehand, worker)
    with frozen(host):
        assert [len(rescue.rescue_dead(1).work_ids) for _ in range(3)] == [1, 1, 0]
    assert len(rescue.rescue_dead(1).work_ids) == 1


def test_a_row_whose_host_is_gone_is_given_back(stagehand: Stagehand, worker: Lease) -> None:
    (turn,) = hold(stagehand, "a.example")
    stagehand.execute("DELETE FROM hosts")
    assert dead(stagehand, worker).work_ids == [turn.work_id]


def test_rescues_at_once_rescue_each_lane_row_once(stagehand: Stagehand, worker: Lease) -> None:
    turns = hold(stagehand, *(f"{nth}.example" for nth in range(20)))
    die(stagehand, worker)
    found = together(lambda _: rescue.rescue_dead().work_ids, times=4)
    assert sorted([*chain.from_iterable(found), *rescue.rescue_dead().work_ids]) == [turn.work_id for turn in turns]
    assert {row["crashes"] for row in stagehand.rows("SELECT crashes FROM work")} == {1}
    assert broken_rules() == []


def test_a_draining_worker_tries_again_when_a_lock_was_held_for_a_moment(stagehand: Stagehand, worker: Lease) -> None:
    (turn,) = hold(stagehand, "a.example")
    with frozen("a.example") as connection:
        thread = threading.Timer(0.15, connection.rollback)
        thread.start()
        assert rescue.hand_back(worker.id).work_ids == [turn.work_id]
        thread.join()


@pytest.mark.parametrize("give_back", [dead, overdue, drained])
def test_a_lane_rests_after_its_visit_was_given_back(
    stagehand: Stagehand, worker: Lease, give_back: Callable[[Stagehand, Lease], Rescued]
) -> None:
    """The worker that is gone may have asked the host a moment ago, long after its claim."""
    (turn,) = hold(stagehand, "a.example")
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() - interval '1 minute'")
    give_back(stagehand, worker).ring()
    assert claim(third, turn.work_id, Lease().id) is None
    (ring,) = stagehand.bells.take()
    assert GAP - 5 < ring.delay_seconds <= GAP


def test_a_rest_that_was_longer_stays(stagehand: Stagehand, worker: Lease) -> None:
    hold(stagehand, "a.example")
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '1 hour'")
    before = stagehand.rows("SELECT next_at FROM hosts")
    dead(stagehand, worker)
    assert stagehand.rows("SELECT next_at FROM hosts") == before


def test_a_refill_starts_the_lanes_that_are_not_locked(stagehand: Stagehand) -> None:
    works = [
        stagehand.queue(third, stagehand.puppet(host, host=host))[0] for host in ("a.example", "b.example", "c.example")
    ]
    with frozen("b.example"):
        assert [ring.work_id for ring in window.fill(third)] == [works[0], works[2]]
    assert [ring.work_id for ring in window.fill(third)] == [works[1]]


def test_a_stopped_process_loses_its_locks(stagehand: Stagehand) -> None:
    (work,) = stagehand.queue(third, stagehand.puppet("anna", host="a.example"))
    url = database().url.replace("-clock_timeout%3D1s", "-cidle_in_transaction_session_timeout%3D300ms")
    with subprocess.Popen([sys.executable, "-c", LOCK_AND_SLEEP, url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(process.pid, signal.SIGSTOP)
        try:
            assert [ring.work_id for ring in lanes.release(["a.example"])] == [work]
        finally:
            process.kill()


def test_a_process_that_wakes_up_without_its_transaction_may_try_again(db: str) -> None:
    use(f"{db}&options=-cidle_in_transaction_session_timeout%3D50ms")
    with pytest.raises(DRIVER_FAULTS) as told:
        sleep_in_a_transaction()
    assert is_lost(told.value)
    with database().transaction() as (_, connection):
        connection.execute("SELECT 1")


def sleep_in_a_transaction() -> None:
    """Wait until the server has lost its patience, and go on as if nothing had happened."""
    with database().transaction() as (_, connection), psycopg.connect(database().url, autocommit=True) as operator:
        connection.execute("SELECT 1")
        while operator.execute(IS_CONNECTED, [connection.info.backend_pid]).fetchone():
            pass
        connection.execute("SELECT 1")

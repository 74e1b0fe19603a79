"""Rescue: what a dead, hanging or draining worker held goes back to the queue, and a zombie cannot finish it."""

from __future__ import annotations

from itertools import chain

import pytest

from errors import Filtered, LateFinish
from pipeline import lease, rescue, run
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.middleware import WorkerLife
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second, third


def die(stagehand: Stagehand, worker: Lease) -> None:
    stagehand.execute(
        "UPDATE workers SET expires_at = clock_timestamp() - interval '1 second' WHERE id = %s", worker.id
    )


def test_the_work_of_a_dead_worker_is_queued_again_and_the_crash_counted(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    die(stagehand, worker)
    rescued = rescue.rescue_dead()
    assert rescued.work_ids == [turn.work_id]
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["attempts"], row["crashes"]) == ("Queued", "worker-died", 0, 1)
    assert (row["token"], row["worker_id"], row["deadline_at"]) == (turn.token + 1, None, None)
    assert stagehand.failures(turn.work_id) == [("crash", "worker-died")]


def test_a_dead_worker_is_noticed_once_though_it_held_no_work(stagehand: Stagehand, worker: Lease) -> None:
    assert not rescue.bury_dead()
    die(stagehand, worker)
    assert [rescue.bury_dead(), rescue.bury_dead()] == [True, False]
    worker.renew()
    die(stagehand, worker)
    assert rescue.bury_dead()


def test_rings_that_a_dead_worker_had_fetched_are_rung_anew_by_a_peer(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    assert stagehand.bells.take() != []  # fetched by the other, which dies before it claims
    other = Lease(["first"])
    other.renew()
    die(stagehand, other)
    peer = WorkerLife()
    peer.lease = worker
    peer._repair()
    assert [ring.work_id for ring in stagehand.bells.take()] == [work]


def test_rescued_work_is_rung_at_once(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    die(stagehand, worker)
    rescue.rescue_dead().ring()
    assert [ring.work_id for ring in stagehand.bells.take()] == [turn.work_id]


def test_the_work_of_the_living_is_left_alone(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    other = lease.install(Lease())
    other.renew()
    die(stagehand, other)
    assert rescue.rescue_dead().work_ids == []
    assert stagehand.work(turn.work_id)["status"] == "Processing"


def test_work_of_a_worker_nobody_knows_is_rescued(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    worker.end()
    assert rescue.rescue_dead().work_ids == [turn.work_id]


def test_a_zombie_that_renews_cannot_finish_what_was_rescued(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    die(stagehand, worker)
    rescue.rescue_dead()
    worker.renew()
    with pytest.raises(LateFinish):
        finish(turn, Filtered("x"))


def test_a_slow_worker_that_renews_in_time_keeps_its_work(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    die(stagehand, worker)
    worker.renew()
    assert rescue.rescue_dead().work_ids == []
    assert run.end(turn, Filtered("x"))


def test_work_that_kills_its_worker_three_times_is_poison(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    for crash in range(1, 4):
        stagehand.claim(work)
        die(stagehand, worker)
        rescue.rescue_dead()
        worker.renew()
        stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
        assert stagehand.work(work)["crashes"] == crash
    row = stagehand.work(work)
    assert (row["status"], row["reason"]) == ("Error", "poison")
    assert row["finished_at"] is not None
    assert "lease" in row["error"]
    assert stagehand.failures(work) == [("crash", "worker-died")] * 3


def test_two_rescues_at_once_rescue_each_row_once(stagehand: Stagehand, worker: Lease) -> None:
    works = stagehand.add(*(f"p{nth}" for nth in range(20)), stage=third, host=None)
    for work in works:
        stagehand.claim(work, third)
    die(stagehand, worker)
    rescued = together(lambda _: rescue.rescue_dead().work_ids, times=3)
    assert sorted(chain.from_iterable(rescued)) == works
    assert {row["crashes"] for row in stagehand.rows("SELECT crashes FROM work")} == {1}


def test_a_rescue_takes_no_more_than_its_batch(stagehand: Stagehand, worker: Lease) -> None:
    for work in stagehand.add("a", "b", "c"):
        stagehand.claim(work)
    die(stagehand, worker)
    assert [len(rescue.rescue_dead(2).work_ids) for _ in range(3)] == [2, 1, 0]


def test_work_past_its_deadline_has_spent_its_attempt(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    assert rescue.rescue_overdue(first).work_ids == []
    stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '1 second'")
    assert rescue.rescue_overdue(second).work_ids == []
    assert rescue.rescue_overdue(first).work_ids == [turn.work_id]
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["attempts"], row["crashes"]) == ("Queued", "deadline", 1, 0)
    assert "30 s" in row["error"]
    assert stagehand.failures(turn.work_id) == [("deadline", "deadline")]


def test_work_that_always_hangs_ends_as_error(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    for _ in range(first.attempts):
        stagehand.claim(work)
        stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '1 second'")
        rescue.rescue_overdue(first)
    assert stagehand.status(work) == ("Error", "deadline")


def test_a_draining_worker_hands_back_unspent(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna", stage=third, host="one.example")
    handed = rescue.hand_back(worker.id)
    assert (handed.work_ids, handed.stages, handed.lanes) == ([turn.work_id], {"third"}, {"one.example"})
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["attempts"], row["crashes"]) == ("Queued", "drained", 0, 0)
    assert stagehand.failures(turn.work_id) == []
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]


def test_a_worker_hands_back_only_what_it_does_not_run(stagehand: Stagehand, worker: Lease) -> None:
    running, stray = (stagehand.claim(work) for work in stagehand.add("a", "b"))
    with worker.runs(running.work_id, first.time_limit):
        assert rescue.hand_back(worker.id, but_not=worker.running_now(), older_than_seconds=60).work_ids == []
        handed = rescue.hand_back(worker.id, but_not=worker.running_now())
    assert handed.work_ids == [stray.work_id]
    assert worker.running_now() == []


def test_work_of_a_stage_this_process_does_not_know_is_rescued_without_a_ring(
    stagehand: Stagehand, worker: Lease
) -> None:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE work SET stage = 'of another release'")
    die(stagehand, worker)
    rescued = rescue.rescue_dead()
    rescued.ring()
    assert (rescued.work_ids, stagehand.bells.take()) == ([turn.work_id], [])


def test_a_lease_is_held_only_while_it_is_fresh(stagehand: Stagehand, worker: Lease) -> None:
    assert worker.is_held
    assert not Lease().is_held
    (row,) = stagehand.rows("SELECT expires_at - beat_at AS lives, queues FROM workers")
    assert (round(row["lives"].total_seconds()), row["queues"]) == (15, ["tests"])


def test_long_dead_workers_are_forgotten(stagehand: Stagehand, worker: Lease) -> None:
    stagehand.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '2 hours'")
    Lease(["fresh"]).renew()
    assert [row["queues"] for row in stagehand.rows("SELECT queues FROM workers")] == [["fresh"]]


def test_without_a_lease_no_stage_runs() -> None:
    lease._lease = None
    with pytest.raises(RuntimeError, match="no lease"):
        lease.current()

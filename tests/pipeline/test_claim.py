"""Claim: one winner, and nobody while it is early, paused, in a busy lane or somebody else's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from errors import Passing
from pipeline import controls, lease, run
from pipeline.claim import claim
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.stage import Snapshot
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second, third


def test_of_two_claims_at_once_exactly_one_wins(stagehand: Stagehand) -> None:
    works = stagehand.add(*(f"puppet {nth}" for nth in range(10)))
    workers = [Lease(), Lease()]
    for work in works:
        claims = together(lambda nth, work=work: claim(first, work, workers[nth].id))  # type: ignore[misc]
        assert [turn is None for turn in claims].count(True) == 1
        assert stagehand.work(work)["token"] == 1


def test_a_claim_owns_the_row(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["worker_id"], row["token"], row["attempts"]) == ("Processing", worker.id, 1, 1)
    assert row["deadline_at"] - row["started_at"] >= first.time_limit
    assert (turn.token, turn.attempt, turn.deadline_at) == (1, 1, row["deadline_at"])


def test_a_claim_brings_the_entity_as_it_is_now(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", host="anna.example", first={"fan": 2})
    assert turn.entity is not None
    assert (turn.entity.name, turn.entity.host, turn.entity.script) == ("anna", "anna.example", {"first": {"fan": 2}})


def test_a_snapshot_cannot_be_changed(stagehand: Stagehand) -> None:
    entity = stagehand.hold("anna").entity
    assert isinstance(entity, Snapshot)
    with pytest.raises(AttributeError, match="cannot be changed"):
        entity.name = "bella"
    with pytest.raises(AttributeError, match="no column 'age'"):
        _ = entity.age


def test_work_is_not_claimed_before_it_is_due(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '1 minute'")
    assert claim(first, work, worker.id) is None
    stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    assert claim(first, work, worker.id) is not None


def test_a_paused_stage_is_not_claimed_and_the_others_are(stagehand: Stagehand, worker: Lease) -> None:
    (held,), (free,) = stagehand.add("anna"), stagehand.add("anna", stage=second)
    controls.pause(first)
    assert claim(first, held, worker.id) is None
    assert claim(second, free, worker.id) is not None
    controls.resume(first)
    assert claim(first, held, worker.id) is not None


def test_a_ring_at_the_wrong_stage_claims_nothing(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    assert claim(second, work, worker.id) is None
    assert claim(first, work + 1000, worker.id) is None
    assert stagehand.status(work) == ("Queued", None)


@pytest.mark.parametrize("status", ["Processing", "Completed", "Filtered", "Error", "Cancelled"])
def test_only_queued_work_is_claimed(stagehand: Stagehand, worker: Lease, status: str) -> None:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE work SET status = %s", status)
    assert claim(first, turn.work_id, worker.id) is None


def test_a_lane_takes_no_more_than_its_cap(stagehand: Stagehand, worker: Lease) -> None:
    works = stagehand.add("a", "b", "c", stage=third, host="one.example")
    stagehand.execute("UPDATE hosts SET cap = 2, gap = '0'")
    assert [claim(third, work, worker.id) is not None for work in works] == [True, True, False]
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 2}]


def test_of_two_claims_in_one_lane_at_once_exactly_one_wins(stagehand: Stagehand, worker: Lease) -> None:
    for nth in range(10):
        works = stagehand.add(f"a{nth}", f"b{nth}", stage=third, host=f"{nth}.example")
        claims = together(lambda at, works=works: claim(third, works[at], worker.id))  # type: ignore[misc]
        assert [turn is None for turn in claims].count(True) == 1
        assert stagehand.rows("SELECT inflight FROM hosts WHERE host = %s", f"{nth}.example") == [{"inflight": 1}]


def test_a_lane_is_not_entered_before_its_time(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("a", stage=third, host="one.example")
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '1 minute'")
    assert claim(third, work, worker.id) is None
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp()")
    assert claim(third, work, worker.id) is not None


def test_a_blocked_lane_is_not_entered(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("a", stage=third, host="one.example")
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '1 minute'")
    assert claim(third, work, worker.id) is None
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() - interval '1 minute'")
    assert claim(third, work, worker.id) is not None


def test_entering_a_lane_moves_its_next_time_by_the_gap(stagehand: Stagehand) -> None:
    turn = stagehand.hold("a", stage=third, host="one.example")
    (row,) = stagehand.rows(
        "SELECT hosts.next_at - work.started_at AS gap FROM hosts, work WHERE id = %s", turn.work_id
    )
    assert abs(row["gap"] - timedelta(seconds=1)) < timedelta(milliseconds=500)


def test_work_of_a_lane_stage_without_a_host_needs_no_lane(stagehand: Stagehand, worker: Lease) -> None:
    works = stagehand.add("a", "b", stage=third)
    assert all(claim(third, work, worker.id) for work in works)
    assert stagehand.rows("SELECT * FROM hosts") == []


def test_a_missing_entity_ends_as_error(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.execute("DELETE FROM puppets")
    stagehand.answer_all()
    assert stagehand.status(work) == ("Error", "entity-missing")


def test_the_token_grows_with_every_claim(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Passing("rate-limited"))
    stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    again = claim(first, turn.work_id, worker.id)
    assert again is not None
    assert (again.token, again.attempt) == (2, 2)


def test_a_draining_worker_claims_nothing(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    worker.draining.set()
    run.answer(first, work)
    assert stagehand.status(work) == ("Queued", None)


def test_a_worker_without_a_lease_claims_nothing_until_it_is_renewed(stagehand: Stagehand, worker: Lease) -> None:
    (work,) = stagehand.add("anna")
    lease.install(Lease())
    together(lambda nth: lease.current().renew() if nth else run.answer(first, work))
    assert stagehand.status(work) == ("Completed", None)

"""Meters: what was counted is what happened, it is told once, and what cannot be told is kept."""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from errors import Filtered
from models.connect import connect_driver
from pipeline import meters as meters_module
from pipeline import rescue, run
from pipeline.lease import Lease
from pipeline.meters import EDGES, LABELS, Meters, Teller, meters
from pipeline.sweep import sweep
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second

WHAT_HAS_ENDED = """
SELECT stage, lower(status) || coalesce(' ' || reason, '') AS label, count(*)::float8 AS value FROM work
WHERE status IN ('Completed', 'Filtered', 'Error') GROUP BY 1, 2"""


def told(stagehand: Stagehand, name: str) -> dict[tuple[str, str], float]:
    """Tell what this process has counted, and read a meter by stage and label."""
    meters_module.tell()
    found = stagehand.rows("SELECT stage, label, value FROM meters WHERE name = %s", name)
    return {(row["stage"], row["label"]): row["value"] for row in found}


def in_all(stagehand: Stagehand, name: str) -> dict[str, float]:
    """Read a meter by stage, over all its labels."""
    found: dict[str, float] = {}
    for (stage, _), value in told(stagehand, name).items():
        found[stage] = found.get(stage, 0) + value
    return found


def test_outcomes_and_their_reasons_are_those_of_the_rows(stagehand: Stagehand) -> None:
    stagehand.add("anna", "bert")
    stagehand.add("carl", first={"acts": ["filtered"]})
    stagehand.add("dora", first={"acts": ["final"]})
    stagehand.add("emil", second={"acts": ["childless"]})
    stagehand.add("gina", first={"fan": 0})
    stagehand.answer_all()
    rows = {(row["stage"], row["label"]): row["value"] for row in stagehand.rows(WHAT_HAS_ENDED)}
    assert told(stagehand, "outcomes") == rows
    assert ("first", "filtered not-wanted") in rows
    assert ("first", "error refused") in rows


def test_a_run_whose_children_all_had_work_already_is_counted_with_that_reason(stagehand: Stagehand) -> None:
    stagehand.add("fred", first={"fan": 3})
    stagehand.answer_all()
    (work,) = stagehand.queue(first, stagehand.puppet("fred", first={"fan": 3}))
    stagehand.ring(first)
    stagehand.answer_all()
    assert stagehand.status(work) == ("Completed", "no-new-children")
    outcomes = told(stagehand, "outcomes")
    assert outcomes["first", "completed"] == 1
    assert outcomes["first", "completed no-new-children"] == 1


def test_the_histogram_counts_every_run_that_ended(stagehand: Stagehand) -> None:
    stagehand.add("anna", "bert", "carl")
    stagehand.add("dora", first={"acts": ["filtered"]})
    stagehand.answer_all()
    rows = stagehand.rows("SELECT stage, count(*)::int AS n FROM work WHERE finished_at IS NOT NULL GROUP BY 1")
    finished = {row["stage"]: row["n"] for row in rows}
    assert in_all(stagehand, "run_bucket") == finished
    assert in_all(stagehand, "attempts") == in_all(stagehand, "handoff_bucket") == finished
    assert all(seconds > 0 for seconds in in_all(stagehand, "run_sum").values())


def test_a_failed_run_that_comes_again_is_a_retry_and_a_run(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=second, second={"acts": ["passing"]})
    run.answer(second, work)
    stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    run.answer(second, work)
    stagehand.bells.take()
    assert told(stagehand, "outcomes") == {("second", "retried rate-limited"): 1, ("second", "completed"): 1}
    assert in_all(stagehand, "attempts") == in_all(stagehand, "run_bucket") == {"second": 2}
    (minute,) = stagehand.rows("SELECT * FROM stage_minutes WHERE stage = 'second'")
    assert (minute["completed"], minute["retried"], minute["error"]) == (1, 1, 0)


def test_what_is_put_off_is_counted_but_is_no_run(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"snoozes": 1})
    run.answer(first, work)
    assert told(stagehand, "outcomes") == {("first", "snoozed budget"): 1}
    assert in_all(stagehand, "run_bucket") == {}
    assert stagehand.rows("SELECT * FROM stage_minutes") == []


def test_minutes_are_counted_by_tenant(stagehand: Stagehand) -> None:
    stranger = uuid4()
    stagehand.add("anna", first={"acts": ["filtered"]})
    stagehand.answer_all()
    meters.ended("first", stranger, "completed", None, 2.0)
    meters.ended("first", stranger, "error", "refused", 3.0)
    meters_module.tell()
    rows = {row["tenant_id"]: row for row in stagehand.rows("SELECT * FROM stage_minutes")}
    assert rows.keys() == {settings().default_tenant_id, stranger}
    assert (rows[stranger]["completed"], rows[stranger]["error"], rows[stranger]["seconds"]) == (1, 1, 5.0)
    assert rows[settings().default_tenant_id]["filtered"] == 1


def test_a_handoff_counts_from_the_ring_and_a_repeated_ring_from_when_the_work_was_due(stagehand: Stagehand) -> None:
    rung, repeated = stagehand.add("rung", "repeated")
    stagehand.execute("UPDATE work SET queued_at = clock_timestamp() - interval '100 s', due_at = queued_at")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '100 s'")
    stagehand.execute("UPDATE work SET sends = 2 WHERE id = %s", repeated)
    stagehand.execute("UPDATE work SET sent_at = clock_timestamp() - interval '20 s'")
    stagehand.claim(rung)
    assert told(stagehand, "handoff_bucket") == {("first", "30"): 1}
    stagehand.claim(repeated)
    assert told(stagehand, "handoff_bucket") == {("first", "30"): 1, ("first", "300"): 1}


def test_every_length_has_its_bucket() -> None:
    counted = Meters()
    for seconds in (0.0, *EDGES, 1e9):
        counted.ended("first", uuid4(), "completed", None, seconds)
    counts, _ = counted.take()
    found = {label: value for (name, _, label), value in counts.items() if name == "run_bucket"}
    assert found == {label: 2 if label == LABELS[0] else 1 for label in LABELS}


def test_a_rescue_is_counted_and_poison_is_an_error(
    stagehand: Stagehand, worker: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRASHES_BEFORE_POISON", "2")
    settings.cache_clear()
    (work,) = stagehand.add("anna")
    for _ in range(2):
        worker.renew()
        stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 s'")
        stagehand.claim(work)
        stagehand.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 s'")
        rescue.rescue_dead()
    assert stagehand.status(work) == ("Error", "poison")
    assert told(stagehand, "rescues") == {("first", "worker-died"): 2}
    assert told(stagehand, "outcomes") == {("first", "error poison"): 1}
    assert [row["error"] for row in stagehand.rows("SELECT error FROM stage_minutes")] == [1]


def test_a_sweep_tells_what_it_repaired_though_nobody_beats(stagehand: Stagehand) -> None:
    stagehand.hold("anna")
    stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '1 s'")
    sweep(first)
    found = stagehand.rows("SELECT value FROM meters WHERE name = 'rescues' AND label = 'deadline'")
    assert [row["value"] for row in found] == [1]


def test_a_late_finish_is_counted_and_is_no_outcome(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    rescue.hand_back(worker.id)
    assert not run.end(turn, Filtered("x"))
    assert told(stagehand, "late_finishes") == {("first", ""): 1}
    assert told(stagehand, "outcomes") == {}
    assert told(stagehand, "rescues") == {("first", "drained"): 1}


def test_a_finish_that_was_stored_before_its_answer_got_lost_is_not_late(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    assert run.end(turn, Filtered("x"))
    assert not run.end(turn, Filtered("x"))
    assert told(stagehand, "late_finishes") == {}


def test_what_cannot_be_told_is_kept_and_told_once(stagehand: Stagehand, db: str) -> None:
    stagehand.add("anna", first={"acts": ["filtered"]})
    stagehand.answer_all()
    gone = connect_driver(db)
    gone.close()
    for _ in range(3):
        with pytest.raises(psycopg.Error):
            meters.flush(gone)
    assert told(stagehand, "outcomes") == {("first", "filtered not-wanted"): 1}
    assert told(stagehand, "outcomes") == {("first", "filtered not-wanted"): 1}
    assert [row["filtered"] for row in stagehand.rows("SELECT filtered FROM stage_minutes")] == [1]


def test_a_teller_reconnects(stagehand: Stagehand) -> None:
    teller = Teller()
    meters.rescued("first", "deadline")
    teller.tell()
    stagehand.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE '%%stage_minutes%%' AND pid <> pg_backend_pid()"
    )
    meters.rescued("first", "deadline")
    teller.tell()
    teller.tell()
    teller.close()
    found = stagehand.rows("SELECT value FROM meters WHERE name = 'rescues'")
    assert [row["value"] for row in found] == [2]


def test_many_tell_at_once_and_nothing_is_lost_or_counted_twice(stagehand: Stagehand, db: str) -> None:
    stages = [f"stage {number}" for number in range(20)]

    def tell_often(nth: int) -> None:
        own, connection = Meters(), connect_driver(db)
        for _ in range(20):
            for stage in stages if nth % 2 else reversed(stages):
                own.ended(stage, settings().default_tenant_id, "completed", None, 0.1)
            own.flush(connection)
        connection.close()

    together(tell_often, 4)
    assert set(in_all(stagehand, "run_bucket").values()) == {80}
    minutes = stagehand.rows("SELECT stage, sum(completed)::int AS n FROM stage_minutes GROUP BY 1")
    assert {row["n"] for row in minutes} == {80}
    assert len(minutes) == len(stages)

"""Alarms: each rule rings for what it is for, is quiet otherwise, begins once and ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from structlog.testing import capture_logs

from operations import alarms, jobs
from operations.alarm_rules import RULES
from pipeline import controls, meters
from pipeline.lease import Lease
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, third

LONG_AGO = "UPDATE work SET due_at = clock_timestamp() - interval '1 hour', queued_at = due_at"


@pytest.fixture
def crew(worker: Lease) -> Lease:
    """A living worker that serves every stage."""
    held = Lease(["first", "second", "third", "fourth", "fifth"])
    held.renew()
    return held


def ringing() -> dict[str, set[str]]:
    """Ask every rule; give the subjects by rule."""
    found: dict[str, set[str]] = {}
    for rule, subject, says in alarms.ask():
        assert "{" not in says
        found.setdefault(rule.name, set()).add(subject)
    return found


def end_now(*outcomes: str, stage: str = "first") -> None:
    for outcome in outcomes:
        meters.meters.ended(stage, settings().default_tenant_id, outcome, None, 0.1)  # type: ignore[arg-type]
    meters.tell()


def test_a_quiet_machine_rings_nothing(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.add("anna", host="one.example")
    assert ringing() == {}
    stagehand.answer_all()
    assert ringing() == {}
    assert alarms.watch() == {"ringing": 0, "began": 0, "ended": 0, "forgot": 0}
    assert alarms.all_alarms() == []


def test_silence_rings_while_work_is_due_until_something_finishes(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.add("anna")
    stagehand.execute(LONG_AGO)
    assert ringing() == {"nothing-finishes": {"first"}}
    end_now("retried", "snoozed")
    assert ringing() == {"nothing-finishes": {"first"}}
    end_now("filtered")
    assert ringing() == {}
    stagehand.execute("UPDATE stage_minutes SET minute = minute - interval '12 minutes'")
    assert ringing() == {"nothing-finishes": {"first"}}


def test_silence_is_no_alarm_for_work_that_is_young_held_paused_or_waits_for_its_host(
    stagehand: Stagehand, crew: Lease
) -> None:
    stagehand.add("young")
    (work,) = stagehand.add("resting", stage=third, host="one.example")
    stagehand.execute("UPDATE work SET due_at = due_at - interval '1 hour' WHERE id = %s", work)
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '1 minute'")
    assert ringing() == {}
    stagehand.execute("UPDATE hosts SET blocked_until = NULL, next_at = clock_timestamp() - interval '1 minute'")
    assert ringing() == {"nothing-finishes": {"third"}}
    controls.pause(third)
    assert ringing() == {}


def test_what_runs_within_its_deadline_is_no_silence(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.hold("anna")
    stagehand.add("bert")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '1 hour' WHERE status = 'Queued'")
    assert ringing() == {}


def test_due_work_without_a_living_worker_rings_once_for_all_stages(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.add("anna")
    stagehand.add("bert", stage=third, host="one.example")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '3 minutes'")
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() - interval '1 minute'")
    assert ringing() == {}
    stagehand.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 s'")
    assert ringing() == {"no-worker": {""}}
    ((_, _, says),) = alarms.ask()
    assert "first, third" in says


def test_a_sweeper_s_own_lease_serves_no_stage(stagehand: Stagehand, worker: Lease) -> None:
    Lease(["sweeps"]).renew()
    stagehand.add("anna")
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '3 minutes'")
    assert ringing() == {"no-worker": {""}}


def test_work_past_its_deadline_and_due_work_that_is_not_rung_are_stuck(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.hold("anna")
    stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '4 minutes'")
    assert ringing() == {}
    stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '6 minutes'")
    assert ringing() == {"past-deadline": {"first"}}
    stagehand.execute("DELETE FROM work")
    stagehand.queue(first, stagehand.puppet("bert"))
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '5 minutes'")
    assert ringing() == {}
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() - interval '7 minutes'")
    assert ringing() == {"due-and-unrung": {"first"}}
    stagehand.ring(first)
    assert ringing() == {}


def test_a_failing_stage_rings_with_enough_samples(stagehand: Stagehand, crew: Lease) -> None:
    end_now(*["error"] * 19)
    assert ringing() == {}
    end_now("completed")
    assert ringing() == {"stage-failing": {"first"}}
    end_now(*["filtered"] * 19)
    assert ringing() == {}
    end_now(*["error"] * 30, stage="second")
    assert ringing() == {"stage-failing": {"second"}}
    stagehand.execute("UPDATE stage_minutes SET minute = minute - interval '11 minutes'")
    assert ringing() == {}


def test_spent_money_rings_with_whose_it_was(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.add("anna")
    stagehand.execute(
        "UPDATE work SET reason = 'budget', error = 'search 7 has spent its budget', sent_at = NULL,"
        " due_at = clock_timestamp() + interval '1 hour'"
    )
    ((rule, subject, says),) = alarms.ask()
    assert (rule.name, subject) == ("budget-spent", "first")
    assert "search 7 has spent its budget" in says
    stagehand.execute("UPDATE work SET status = 'Cancelled', reason = 'cancelled'")
    assert ringing() == {}


def test_broken_rules_and_jobs_that_are_late_or_failed_ring(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.execute("INSERT INTO invariant_checks (name, violations, detail) VALUES ('x', 2, '7, 8'), ('y', 0, NULL)")
    jobs.report("sweep_first", "sweeper", "* * * * *", result="executed", seconds=0.1)
    jobs.report("sweep_second", "sweeper", "* * * * *", result="error", seconds=0.1, detail="a bug")
    jobs.report("7", "clock", "0 9 * * *")
    stagehand.execute("UPDATE jobs SET next_run_at = clock_timestamp() + interval '1 minute'")
    stagehand.execute("UPDATE jobs SET next_run_at = clock_timestamp() - interval '9 minutes' WHERE name = '7'")
    assert ringing() == {"invariant-broken": {"x"}, "job-late": {"7"}, "job-failed": {"sweep_second"}}
    stagehand.execute("UPDATE jobs SET reported_at = clock_timestamp() - interval '4 days'")
    assert ringing() == {"invariant-broken": {"x"}}


def test_an_alarm_begins_once_goes_on_and_ends(stagehand: Stagehand, crew: Lease) -> None:
    before = datetime.now(UTC) - timedelta(minutes=1)
    stagehand.add("anna")
    stagehand.execute(LONG_AGO)
    assert alarms.watch()["began"] == 1
    (begun,) = alarms.ringing()
    assert (begun.name, begun.subject, begun.ended_at) == ("nothing-finishes", "first", None)
    assert alarms.begun_since(before) == [begun]
    assert alarms.watch() == {"ringing": 1, "began": 0, "ended": 0, "forgot": 0}
    (still,) = alarms.ringing()
    assert (still.began_at, still.seen_at > begun.seen_at) == (begun.began_at, True)
    end_now("completed")
    assert alarms.watch()["ended"] == 1
    assert alarms.ringing() == []
    (over,) = alarms.all_alarms()
    assert over.ended_at is not None
    assert alarms.begun_since(before) == [over]
    assert alarms.begun_since(over.began_at) == []
    stagehand.execute("DELETE FROM stage_minutes")
    assert alarms.watch()["began"] == 1
    (again,) = alarms.begun_since(over.ended_at)
    assert (again.ended_at, again.began_at > over.began_at) == (None, True)


def test_beginnings_and_ends_are_logged(stagehand: Stagehand, crew: Lease) -> None:
    stagehand.execute("INSERT INTO invariant_checks (name, violations, detail) VALUES ('x', 1, '7')")
    with capture_logs() as said:
        alarms.watch()
        alarms.watch()
        stagehand.execute("DELETE FROM invariant_checks")
        alarms.watch()
    assert [(line["event"], line["log_level"]) for line in said] == [("alarm-began", "error"), ("alarm-ended", "info")]
    assert {line["says"] for line in said} == {"x is broken by 1: 7"}


def test_minutes_of_yesterday_are_forgotten(stagehand: Stagehand) -> None:
    for hours in (0, 23, 25):
        stagehand.execute(
            "INSERT INTO stage_minutes (stage, minute, tenant_id, completed)"
            " VALUES ('first', clock_timestamp() - %s * interval '1 hour', %s, %s)",
            hours,
            settings().default_tenant_id,
            hours,
        )
    assert alarms.watch()["forgot"] == 1
    assert {row["completed"] for row in stagehand.rows("SELECT completed FROM stage_minutes")} == {0, 23}


def test_rules_have_names_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)

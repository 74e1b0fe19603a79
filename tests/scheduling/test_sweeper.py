"""A sweeper run by hand or by the clock repairs the same, and each run is reported."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from errors import NotFound
from operations import jobs
from scheduling import status
from scheduling.sweeper import Sweeper, all_sweepers, sweeper_by_hand
from tests.pipeline.stagehand import Stagehand


@pytest.fixture(autouse=True)
def _no_reports(stagehand: Stagehand) -> None:
    """Forget what others of this folder have reported."""
    stagehand.execute("DELETE FROM jobs")


def last(name: str) -> tuple[str | None, str | None]:
    (found,) = [row for row in jobs.all_jobs() if row["name"] == name]
    return found["last_result"], found["last_detail"]


def test_there_is_one_for_every_stage_and_its_name_is_what_people_type(stagehand: Stagehand) -> None:
    names = [sweeper.by_hand for sweeper in all_sweepers()]
    assert names[:2] == ["process-pending-first", "process-pending-second"]
    assert {"check-invariants", "blank-expired"} <= set(names)
    assert len(names) == len(set(names))
    assert sweeper_by_hand("blank-expired").name == "blank_expired"
    with pytest.raises(NotFound, match="process-pending-first"):
        sweeper_by_hand("sweep_first")


def test_a_run_repairs_and_tells_what(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.bells.take()
    stagehand.execute("UPDATE work SET sent_at = sent_at - interval '1 minute'")
    assert sweeper_by_hand("process-pending-first").run()["rung_again"] == 1
    assert [ring.work_id for ring in stagehand.bells.take()] == [work]
    assert last("sweep_first") == ("executed", "rung again 1")


def test_a_broken_rule_is_told_by_name(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.execute("UPDATE work SET status = 'Error', finished_at = now(), sent_at = NULL WHERE id = %s", work)
    assert sweeper_by_hand("check-invariants").run()["ended-with-a-word"] == 1
    assert last("check_invariants") == ("executed", "ended-with-a-word 1")


def test_a_run_that_fails_is_told_too(stagehand: Stagehand) -> None:
    def fail() -> dict[str, int]:
        raise RuntimeError("no luck")

    with pytest.raises(RuntimeError):
        Sweeper("unlucky", "* * * * *", fail).run()
    assert last("unlucky") == ("error", "RuntimeError: no luck")


def test_the_next_run_is_the_next_time_the_line_matches() -> None:
    now = datetime.now(UTC)
    minutely = Sweeper("often", "* * * * *", dict).next_run_at()
    assert now < minutely <= now + timedelta(minutes=1)
    hourly = Sweeper("seldom", "17 * * * *", dict).next_run_at()
    assert hourly.minute == 17
    assert now < hourly <= now + timedelta(hours=1)


def test_a_sweeper_of_a_stage_that_is_gone_is_no_longer_shown(stagehand: Stagehand) -> None:
    jobs.report("sweep_gone", "sweeper", "* * * * *", None, "executed", 1.0, None)
    jobs.report("schedules", "clock", "every 10 seconds", None, "executed", 1.0, None)
    names = [job["name"] for job in status.all_jobs()]
    assert "sweep_gone" not in names
    assert names[0] == "sweep_first"
    assert names[-1] == "schedules"

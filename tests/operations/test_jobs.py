"""Jobs: each says when it runs next and how it went, and the last word stands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from operations import jobs
from pipeline import database

NEXT = datetime(2030, 1, 1, tzinfo=UTC)


def job(name: str = "tidy") -> dict[str, Any]:
    (found,) = [row for row in jobs.all_jobs() if row["name"] == name]
    return found


def test_a_job_that_has_not_run_yet_says_when_it_will(db: str) -> None:
    jobs.report("tidy", "clock", "every 5 minutes", NEXT)
    found = job()
    assert (found["kind"], found["trigger"], found["next_run_at"]) == ("clock", "every 5 minutes", NEXT)
    assert (found["last_run_at"], found["last_result"]) == (None, None)


def test_a_run_that_went_well_tells_what_it_did(db: str) -> None:
    with jobs.Run("tidy", "sweeper", "* * * * *", NEXT) as run:
        run.detail = "rung again 3"
    found = job()
    assert (found["last_result"], found["last_detail"]) == ("executed", "rung again 3")
    assert found["last_run_at"] <= found["reported_at"]
    assert found["last_seconds"] >= 0


def test_a_run_that_failed_tells_the_error_and_fails_all_the_same(db: str) -> None:
    with pytest.raises(ValueError, match="so bad"), jobs.Run("tidy", "sweeper", "* * * * *", NEXT):
        raise ValueError("so bad: postgresql://me:secret@host/db\x00")
    assert job()["last_result"] == "error"
    assert job()["last_detail"] == "ValueError: so bad: postgresql://me:***@host/db"


def test_news_of_the_next_run_keep_how_the_last_one_went(db: str) -> None:
    jobs.report("tidy", "clock", "every hour", NEXT, "error", 2.5, "no luck")
    before = job()
    jobs.report("tidy", "clock", next_run_at=None)
    after = job()
    assert after["next_run_at"] is None
    for name in ("trigger", "last_run_at", "last_seconds", "last_result", "last_detail"):
        assert after[name] == before[name]


def test_a_missed_run_is_told_and_the_time_of_the_last_real_one_stays(db: str) -> None:
    jobs.report("tidy", "clock", "every hour", NEXT, "executed", 2.5, "fine")
    ran = job()["last_run_at"]
    jobs.report("tidy", "clock", "every hour", NEXT, "missed", None, "the machine slept")
    found = job()
    assert (found["last_result"], found["last_detail"]) == ("missed", "the machine slept")
    assert (found["last_run_at"], found["last_seconds"]) == (ran, 2.5)


def test_what_no_longer_exists_is_forgotten_and_other_kinds_stay(db: str) -> None:
    for name in ("one", "two"):
        jobs.report(name, "clock", "every hour", NEXT)
    jobs.report("tidy", "sweeper", "* * * * *", NEXT)
    jobs.forget_all_but("clock", ["two"])
    assert {row["name"] for row in jobs.all_jobs()} == {"two", "tidy"}


def test_a_database_that_is_away_stops_no_job(db: str) -> None:
    database.use("postgresql://nobody@127.0.0.1:9/nowhere")
    done = []
    with jobs.Run("tidy", "sweeper", "* * * * *", NEXT):
        done.append("tidied")
    database.use(db)
    assert done == ["tidied"]
    assert jobs.all_jobs() == []

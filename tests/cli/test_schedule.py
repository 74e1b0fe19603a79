"""`scrapersky schedule`: add, list, next, run, pause, resume, remove."""

from __future__ import annotations

import json

import pytest

from errors import BadInput
from tests.cli.terminal import run_here
from tests.pipeline.stagehand import Stagehand


def add(*options: str, name: str = "Mondays") -> str:
    return run_here("schedule", "add", name, "--entity", "1", "--stage", "first", *options)


def test_a_schedule_from_its_addition_to_its_end(house: Stagehand) -> None:
    assert "There is no schedule" in run_here("schedule", "list")
    said = add("--cron", "0 9 * * 1", "--zone", "Europe/Berlin")
    assert said.startswith("Schedule 1 is added. It is due Monday 20")
    assert "09:00 CE" in said
    assert "0 9 * * 1 Europe/Berlin" in run_here("schedule", "list")
    assert "has not fired yet" in run_here("schedule", "fires", "1")
    assert run_here("schedule", "run", "1") == "Schedule 1: queued, 1 queued.\n"
    assert "queued" in run_here("schedule", "fires", "1")
    assert "is paused" in run_here("schedule", "pause", "1")
    assert "paused" in run_here("schedule", "list")
    assert run_here("schedule", "resume", "1").startswith("Schedule 1 is on. It is due Monday")
    assert "Schedule 1 (Mondays) is removed" in run_here("schedule", "remove", "1")
    assert house.rows("SELECT * FROM schedules") == []
    actions = [row["action"] for row in house.rows("SELECT action FROM audit_entries ORDER BY id")]
    assert actions == ["create", "run", "pause", "resume", "delete"]


def test_the_next_times_are_told_in_both_clocks(house: Stagehand) -> None:
    add("--cron", "30 9 * * *", "--zone", "Asia/Tokyo")
    rows = [json.loads(line) for line in run_here("schedule", "next", "1", "--count", "3", "--json").splitlines()]
    assert [(row["at"][11:], row["local"][11:]) for row in rows] == [("00:30:00+00:00", "09:30:00+09:00")] * 3
    assert "00:30:00" in run_here("schedule", "next", "1")


def test_an_interval_is_told_as_a_length_of_time(house: Stagehand) -> None:
    add("--every", "12h", "--grace", "30m", "--catch-up", "skip", "--starts", "2026-01-01T00:00+01:00")
    (row,) = [json.loads(line) for line in run_here("schedule", "list", "--json").splitlines()]
    assert (row["interval_seconds"], row["misfire_grace_seconds"], row["catch_up"]) == (43200, 1800, "skip")
    assert row["starts_at"].startswith("2025-12-31T23:00:00")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "by a cron line or by an interval"),
        (["--cron", "daily"], "is no cron line"),
        (["--every", "soon"], "is no length of time"),
        (["--every", "5s"], "from one minute"),
        (["--cron", "0 9 * * *", "--zone", "Atlantis"], "There is no time zone"),
        (["--cron", "0 9 * * *", "--starts", "tomorrow"], "is no moment"),
        (["--cron", "0 9 * * *", "--starts", "2027-01-01T00:00"], "is no moment"),
        (["--cron", "0 9 * * *", "--catch-up", "some"], "There is no catch_up"),
        (["--cron", "0 9 * * *", "--refresh"], "Only what a search has found"),
    ],
    ids=str,
)
def test_what_could_never_work_is_refused_in_words(house: Stagehand, options: list[str], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        add(*options)
    assert house.rows("SELECT * FROM schedules") == []


def test_one_that_does_not_exist_is_not_found(house: Stagehand) -> None:
    for command in ("next", "fires", "run", "pause", "resume", "remove"):
        with pytest.raises(BadInput, match="There is no schedule 7"):
            run_here("schedule", command, "7")

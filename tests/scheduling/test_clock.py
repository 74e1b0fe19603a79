"""The clock: every tick fires once, however many clocks run, however late, on every day of the year."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from apscheduler.schedulers.base import BaseScheduler
from apscheduler.triggers.cron import CronTrigger

from scheduling.clock import Clock, fire, last_tick
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

TICK = datetime(2026, 11, 15, 9, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


def schedule(stagehand: Stagehand, cron: str = "0 9 * * *", timezone: str = "UTC", stage: str = "first") -> int:
    sql = (
        "INSERT INTO schedules (tenant_id, name, stage, entity_id, cron, timezone)"
        " VALUES (%s, %s, %s, %s, %s, %s) RETURNING id"
    )
    entity = stagehand.puppet("anna")
    values = (settings().default_tenant_id, f"{cron} {timezone} {stage}", stage, entity, cron, timezone)
    return int(stagehand.rows(sql, *values)[0]["id"])


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock whose jobs are kept but never run."""
    made = Clock()
    BaseScheduler.start(made.scheduler, paused=True)
    yield made
    BaseScheduler.shutdown(made.scheduler)


def test_a_tick_queues_the_work_and_rings(stagehand: Stagehand) -> None:
    assert fire(schedule(stagehand), TICK)
    assert stagehand.counts() == {"first Queued": 1}
    assert len(stagehand.bells.take()) == 1


def test_two_clocks_fire_a_tick_once(stagehand: Stagehand) -> None:
    number = schedule(stagehand)
    for nth in range(5):
        assert sorted(together(lambda _, nth=nth: fire(number, TICK + timedelta(days=nth)))) == [False, True]  # type: ignore[misc]
    assert len(stagehand.rows("SELECT * FROM schedule_fires")) == 5


def test_the_next_tick_starts_ended_work_anew_and_leaves_running_work_alone(stagehand: Stagehand) -> None:
    number = schedule(stagehand)
    assert fire(number, TICK)
    (ring,) = stagehand.bells.take()
    stagehand.claim(ring.work_id)
    assert fire(number, TICK + timedelta(days=1))
    assert stagehand.status(ring.work_id) == ("Processing", None)
    stagehand.execute("UPDATE work SET status = 'Filtered', reason = 'x', worker_id = NULL, deadline_at = NULL")
    assert fire(number, TICK + timedelta(days=2))
    assert stagehand.status(ring.work_id) == ("Queued", None)


def test_how_a_tick_ended_is_kept(stagehand: Stagehand) -> None:
    number = schedule(stagehand)
    fire(number, TICK)
    fire(number, TICK + timedelta(days=1))
    stagehand.execute("DELETE FROM work")
    stagehand.execute("DELETE FROM puppets")
    fire(number, TICK + timedelta(days=2))
    results = [row["result"] for row in stagehand.rows("SELECT result FROM schedule_fires ORDER BY fire_at")]
    assert results == ["queued", "still-running", "no-entity"]


def test_a_schedule_that_is_off_does_not_fire(stagehand: Stagehand) -> None:
    number = schedule(stagehand)
    stagehand.execute("UPDATE schedules SET enabled = false")
    assert not fire(number, TICK)
    assert stagehand.counts() == {}


def test_jobs_follow_the_rows(stagehand: Stagehand, clock: Clock) -> None:
    one, two = schedule(stagehand, "0 9 * * *"), schedule(stagehand, "0 10 * * *")
    clock.read()
    assert jobs(clock) == {str(one), str(two)}
    stagehand.execute("UPDATE schedules SET enabled = false WHERE id = %s", one)
    stagehand.execute("UPDATE schedules SET cron = '30 11 * * *' WHERE id = %s", two)
    clock.read()
    assert jobs(clock) == {str(two)}
    assert "hour='11', minute='30'" in str(clock.scheduler.get_job(str(two)).trigger)


@pytest.mark.parametrize(
    ("cron", "timezone"), [("99 9 * * *", "UTC"), ("daily", "UTC"), ("0 9 * * *", "Europe/Atlantis")]
)
def test_a_schedule_that_cannot_be_read_does_not_stop_the_others(
    stagehand: Stagehand, clock: Clock, cron: str, timezone: str
) -> None:
    schedule(stagehand, cron, timezone)
    good = schedule(stagehand)
    clock.read()
    clock.read()
    assert jobs(clock) == {str(good)}


def jobs(clock: Clock) -> set[str]:
    return {job.id for job in clock.scheduler.get_jobs()}


@pytest.mark.parametrize(
    ("line", "late", "expected"),
    [
        ("* * * * *", timedelta(seconds=2), TICK),
        ("* * * * *", timedelta(minutes=3, seconds=2), TICK + timedelta(minutes=3)),
        ("0 * * * *", timedelta(0), TICK),
        ("0 * * * *", timedelta(minutes=7), TICK),
        ("0 9 * * *", timedelta(seconds=1), TICK),
        ("0 9 * * *", timedelta(minutes=59), TICK),
        ("0 9 * * *", timedelta(hours=2), None),
        ("*/7 * * * *", timedelta(minutes=6), TICK),
    ],
)
def test_a_late_tick_is_the_tick_it_should_have_been(line: str, late: timedelta, expected: datetime | None) -> None:
    assert last_tick(CronTrigger.from_crontab(line, timezone="UTC"), TICK + late) == expected


@pytest.mark.parametrize("line", ["* * * * *", "*/15 * * * *", "0 * * * *"])
def test_when_clocks_go_forward_no_tick_is_missed_or_doubled(line: str) -> None:
    """On 29 March 2026 at 01:00 UTC, Berlin goes from 02:00 to 03:00."""
    assert ticks(line, datetime(2026, 3, 29, 0, 0, tzinfo=UTC)) == expected_ticks(
        line, datetime(2026, 3, 29, tzinfo=UTC)
    )


def ticks(line: str, start: datetime) -> set[datetime | None]:
    """Every tick that a clock that looks in the middle of each minute of three hours would fire."""
    times = [start + timedelta(minutes=minute, seconds=30) for minute in range(180)]
    return {last_tick(Impatient.from_crontab(line, timezone=BERLIN), now) for now in times}


def expected_ticks(line: str, start: datetime) -> set[datetime]:
    every = {"* * * * *": 1, "*/15 * * * *": 15, "0 * * * *": 60}[line]
    return {start + timedelta(minutes=minute) for minute in range(0, 180, every)}


def test_a_daily_tick_in_the_hour_that_does_not_exist_fires_once() -> None:
    fired = {last_tick(CronTrigger.from_crontab("30 2 * * *", timezone=BERLIN), now) for now in minutes_of(2026, 3, 29)}
    assert len(fired - {None}) == 1


def minutes_of(year: int, month: int, day: int) -> list[datetime]:
    start = datetime(year, month, day, tzinfo=BERLIN).astimezone(UTC)
    return [start + timedelta(minutes=minute) for minute in range(0, 25 * 60, 5)]


class Impatient(CronTrigger):  # type: ignore[misc] # APScheduler is untyped
    """A trigger that complains when it is asked without end."""

    asked = 0

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None:
        self.asked += 1
        assert self.asked < 500, "the clock asks for ever"
        found: datetime | None = super().get_next_fire_time(previous_fire_time, now)
        return found


@pytest.mark.parametrize("line", ["* * * * *", "*/15 * * * *", "0 * * * *"])
def test_when_clocks_go_back_no_tick_is_missed_or_doubled(line: str) -> None:
    """On 25 October 2026 at 01:00 UTC, Berlin goes from 03:00 back to 02:00."""
    assert ticks(line, datetime(2026, 10, 25, tzinfo=UTC)) == expected_ticks(line, datetime(2026, 10, 25, tzinfo=UTC))


def test_a_daily_tick_in_the_hour_that_comes_twice_fires_once() -> None:
    """APScheduler itself gives both 02:30s; cron gives the first."""
    fired = {last_tick(Impatient.from_crontab("30 2 * * *", timezone=BERLIN), now) for now in minutes_of(2026, 10, 25)}
    assert len(fired - {None}) == 1


@pytest.mark.parametrize(("weekday", "date"), [("1", 16), ("0", 15), ("7", 15), ("1-5", 16), ("6,0", 21)])
def test_weekdays_are_numbered_as_in_cron(stagehand: Stagehand, clock: Clock, weekday: str, date: int) -> None:
    """15 November 2026 is a Sunday."""
    number = schedule(stagehand, f"0 9 * * {weekday}")
    clock.read()
    trigger = clock.scheduler.get_job(str(number)).trigger
    start = datetime(2026, 11, 15 if date != 21 else 16, tzinfo=UTC)
    assert trigger.get_next_fire_time(None, start) == datetime(2026, 11, date, 9, tzinfo=UTC)

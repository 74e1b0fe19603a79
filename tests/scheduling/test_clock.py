"""The clock: its jobs follow the rows, its listener tells how they went, and nothing in a row stops it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from apscheduler.schedulers.base import BaseScheduler

from embedded.processes import wait_until
from operations import jobs
from scheduling import clock as clocks
from scheduling.clock import READ, Clock, Ticking, name_of
from scheduling.ticks import Timing
from tests.pipeline.stagehand import Stagehand
from tests.scheduling.orders import history, order, owing


@pytest.fixture
def clock(stagehand: Stagehand) -> Iterator[Clock]:
    """A clock whose jobs are kept but never run."""
    stagehand.execute("DELETE FROM jobs")
    made = Clock()
    BaseScheduler.start(made.scheduler, paused=True)
    yield made
    BaseScheduler.shutdown(made.scheduler)


@pytest.fixture
def running(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """A clock that runs in a thread, and reads the rows every second."""
    stagehand.execute("DELETE FROM jobs")
    monkeypatch.setattr(clocks, "READ_AGAIN_SECONDS", 1)
    made = Clock()
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    assert wait_until(lambda: READ in told(), 20)
    yield made
    made.scheduler.shutdown()
    thread.join(20)


def told() -> dict[str, tuple[str | None, str | None]]:
    """What each job last said of itself."""
    return {row["name"]: (row["last_result"], row["last_detail"]) for row in jobs.all_jobs()}


def listed(clock: Clock) -> set[str]:
    return {job.id for job in clock.scheduler.get_jobs()}


def test_jobs_follow_the_rows(stagehand: Stagehand, clock: Clock) -> None:
    one, two = order(stagehand), order(stagehand, cron="0 10 * * *")
    clock.read()
    assert listed(clock) == {name_of(one), name_of(two)}
    stagehand.execute("UPDATE schedules SET enabled = false WHERE id = %s", one)
    stagehand.execute("UPDATE schedules SET cron = '30 11 * * *', timezone = 'Asia/Tokyo' WHERE id = %s", two)
    clock.read()
    assert listed(clock) == {name_of(two)}
    job = clock.scheduler.get_job(name_of(two))
    assert (job.next_run_time.hour, job.next_run_time.minute) == (2, 30)
    assert str(job.trigger) == "30 11 * * * Asia/Tokyo"


def test_a_job_that_has_not_changed_is_left_alone(stagehand: Stagehand, clock: Clock) -> None:
    order(stagehand)
    clock.read()
    before = clock.scheduler.get_jobs()
    clock.read()
    assert [id(job) for job in clock.scheduler.get_jobs()] == [id(job) for job in before]


def test_what_is_owed_runs_at_once(stagehand: Stagehand, clock: Clock) -> None:
    late, early = owing(stagehand, 1), order(stagehand)
    clock.read()
    now = datetime.now(UTC)
    assert clock.scheduler.get_job(name_of(late)).next_run_time <= now
    assert clock.scheduler.get_job(name_of(early)).next_run_time > now


@pytest.mark.parametrize(
    "columns",
    [{"cron": "99 9 * * *"}, {"cron": "daily"}, {"timezone": "Europe/Atlantis"}, {"timezone": "Europe"}],
    ids=str,
)
def test_a_schedule_that_cannot_be_read_does_not_stop_the_others(
    stagehand: Stagehand, clock: Clock, columns: dict[str, str]
) -> None:
    bad, good = order(stagehand, **columns), order(stagehand)
    clock.read()
    clock.read()
    assert listed(clock) == {name_of(good)}
    assert told()[name_of(bad)][0] == "error"
    stagehand.execute("UPDATE schedules SET cron = '0 9 * * *', timezone = 'UTC'")
    clock.read()
    assert listed(clock) == {name_of(good), name_of(bad)}


def test_a_day_that_never_comes_does_not_stop_the_others(stagehand: Stagehand, clock: Clock) -> None:
    never, good = order(stagehand, cron="0 0 30 2 *"), order(stagehand)
    clock.read()
    clock.read()
    assert clock.scheduler.get_job(name_of(good)).next_run_time is not None
    stagehand.execute("DELETE FROM schedules WHERE id = %s", never)
    clock.read()
    assert listed(clock) == {name_of(good)}


def test_each_job_tells_its_trigger_and_its_next_run(stagehand: Stagehand, clock: Clock) -> None:
    number = order(stagehand, interval_seconds=3600)
    clock.read()
    (row,) = jobs.all_jobs()
    assert (row["name"], row["kind"], row["trigger"]) == (name_of(number), "clock", "every 3600 seconds")
    assert row["next_run_at"] == clock.scheduler.get_job(name_of(number)).next_run_time
    stagehand.execute("DELETE FROM schedules")
    clock.read()
    assert told() == {}


def test_the_trigger_gives_each_tick_once() -> None:
    trigger = Ticking(Timing("*/15 * * * *", None, datetime(2026, 1, 1, tzinfo=UTC), "Europe/Berlin"))
    now = datetime(2026, 11, 15, 9, 7, tzinfo=UTC)
    first = trigger.get_next_fire_time(None, now)
    assert first == datetime(2026, 11, 15, 9, 15, tzinfo=UTC)
    assert trigger.get_next_fire_time(first, now) == first + timedelta(minutes=15)


def test_a_running_clock_fires_what_is_owed_and_tells_of_it(stagehand: Stagehand, running: Clock) -> None:
    number = owing(stagehand, 3)
    assert wait_until(lambda: name_of(number) in told() and told()[name_of(number)][0] == "executed", 20)
    assert told()[name_of(number)] == ("executed", "1 queued, 2 missed")
    assert history(stagehand, number) == ["missed", "missed", "queued"]


def test_a_running_clock_outlives_what_fails_and_makes_up_for_it(stagehand: Stagehand, running: Clock) -> None:
    stagehand.execute("ALTER TABLE schedule_fires RENAME TO away")
    number = owing(stagehand, 1)
    assert wait_until(lambda: told().get(name_of(number), (None, None))[0] == "error", 20)
    assert "schedule_fires" in str(told()[name_of(number)][1])
    stagehand.execute("ALTER TABLE schedules RENAME TO also_away")
    assert wait_until(lambda: told()[READ][0] == "error", 20)
    stagehand.execute("ALTER TABLE also_away RENAME TO schedules")
    stagehand.execute("ALTER TABLE away RENAME TO schedule_fires")
    assert wait_until(lambda: history(stagehand, number) == ["queued"], 20)
    assert wait_until(lambda: {result for result, _ in told().values()} == {"executed"}, 20)


def test_a_running_clock_tells_what_it_missed(stagehand: Stagehand, running: Clock) -> None:
    long_ago = datetime.now(UTC) - timedelta(hours=2)
    running.scheduler.add_job(
        running.tick, "interval", args=[0], days=1, id="late", next_run_time=long_ago, misfire_grace_time=60
    )
    assert wait_until(lambda: told().get("late", (None, None))[0] == "missed", 20)

"""The clock: fires people's schedules. Schedules are rows; APScheduler only computes when and wakes up.

Any number of clocks may run: a tick is stored once, by the unique (schedule, fire time), and the one that stores it
queues the work in the same transaction.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger
from psycopg import Error as DatabaseFault
from sqlalchemy.exc import SQLAlchemyError

import logs
from errors import UserError
from pipeline import doorbell, queue, window
from pipeline.database import statement, transaction
from pipeline.stage import load_stages, stage_named

log = structlog.get_logger("clock")

READ_AGAIN_SECONDS = 10
# A tick that was missed by less than this still fires: the machine slept, the database was away.
MISFIRE_GRACE = timedelta(hours=1)

SCHEDULES = b"SELECT id, cron, timezone FROM schedules WHERE enabled ORDER BY id"

FIRE = b"""
WITH fired AS (
    INSERT INTO schedule_fires (schedule_id, fire_at)
    SELECT id, %(fire_at)s FROM schedules WHERE id = %(id)s AND enabled
    ON CONFLICT (schedule_id, fire_at) DO NOTHING RETURNING schedule_id)
SELECT schedules.stage, schedules.entity_id FROM fired JOIN schedules ON schedules.id = fired.schedule_id"""


def fire(schedule_id: int, fire_at: datetime) -> bool:
    """Queue a schedule's work for one tick; False when another clock has done so."""
    with transaction() as (_, connection):
        row = connection.execute(FIRE, {"id": schedule_id, "fire_at": fire_at}).fetchone()
        if row is None:
            return False
        stage = stage_named(row[0])
        queued = queue.add(connection, stage, [row[1]])
    doorbell.ring(window.fill(stage))
    log.info("schedule-fired", schedule=schedule_id, fire_at=fire_at.isoformat(), queued=len(queued))
    return True


class Clock:
    """Keeps APScheduler's jobs the same as the schedules in the database."""

    def __init__(self) -> None:
        self.scheduler = BlockingScheduler(timezone=UTC)
        self.known: dict[int, tuple[str, str]] = {}

    def run(self) -> None:
        """Read the schedules now and again, and fire until told to stop."""
        self.scheduler.add_job(
            self.read, IntervalTrigger(seconds=READ_AGAIN_SECONDS), next_run_time=datetime.now(UTC), max_instances=1
        )
        self.scheduler.start()

    def read(self) -> None:
        """Add, change and drop jobs after what the rows say."""
        try:
            with statement() as connection:
                rows = connection.execute(SCHEDULES).fetchall()
        except (DatabaseFault, SQLAlchemyError) as fault:
            log.warning("schedules-unreadable", error=str(fault))
            return
        wanted = {schedule_id: (line, timezone) for schedule_id, line, timezone in rows}
        for schedule_id in self.known.keys() - wanted.keys():
            if self.scheduler.get_job(str(schedule_id)):
                self.scheduler.remove_job(str(schedule_id))
        for schedule_id, when in wanted.items():
            if self.known.get(schedule_id) != when:
                self._schedule(schedule_id, *when)
        self.known = wanted

    def _schedule(self, schedule_id: int, line: str, timezone: str) -> None:
        try:
            trigger = CronTrigger.from_crontab(line, timezone=timezone)
        except (ValueError, KeyError) as fault:  # KeyError: an unknown time zone
            log.error("schedule-unreadable", schedule=schedule_id, cron=line, timezone=timezone, error=str(fault))
            return
        self.scheduler.add_job(
            self._tick,
            trigger,
            args=[schedule_id, trigger],
            id=str(schedule_id),
            replace_existing=True,
            coalesce=True,
            misfire_grace_time=int(MISFIRE_GRACE.total_seconds()),
        )

    def _tick(self, schedule_id: int, trigger: Any) -> None:
        """Fire for the last time the trigger should have gone off, which is the same on every clock."""
        fire_at = last_tick(trigger, datetime.now(UTC))
        if fire_at is None:
            return
        try:
            fire(schedule_id, fire_at)
        except (DatabaseFault, SQLAlchemyError, UserError) as fault:
            log.error("schedule-not-fired", schedule=schedule_id, error=str(fault))


def last_tick(trigger: Any, now: datetime) -> datetime | None:
    """Give the newest time at or before `now` at which the trigger goes off; None when that is too long ago."""
    last = None
    tick = trigger.get_next_fire_time(None, now - MISFIRE_GRACE)
    while tick is not None and tick <= now:
        last = tick
        tick = trigger.get_next_fire_time(tick, tick + timedelta(seconds=1))
    return None if last is None else last.astimezone(UTC)


def main() -> None:
    """Run the clock process."""
    logs.configure()
    load_stages()
    Clock().run()


if __name__ == "__main__":
    main()

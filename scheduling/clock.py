"""The clock: fires people's schedules. Schedules are rows; APScheduler only computes when and wakes up.

Any number of clocks may run: a tick is stored once, by the unique (schedule, fire time), and the one that stores it
queues the work in the same transaction.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import structlog
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

import logs
from errors import UserError
from pipeline import doorbell, queue, window
from pipeline.database import DRIVER_FAULTS, statement, transaction
from pipeline.stage import load_stages, stage_named

log = structlog.get_logger("clock")

READ_AGAIN_SECONDS = 10
# A tick that was missed by less than this still fires: the machine slept, the database was away.
MISFIRE_GRACE = timedelta(hours=1)

SCHEDULES = b"""
SELECT id, cron, timezone, greatest(created_at, updated_at) FROM schedules WHERE enabled ORDER BY id"""
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")

FIRE = b"""
WITH fired AS (
    INSERT INTO schedule_fires (tenant_id, schedule_id, fire_at)
    SELECT tenant_id, id, %(fire_at)s FROM schedules WHERE id = %(id)s AND enabled
    ON CONFLICT (schedule_id, fire_at) DO NOTHING RETURNING schedule_id)
SELECT schedules.stage, schedules.entity_id FROM fired JOIN schedules ON schedules.id = fired.schedule_id"""


KEEP_RESULT = b"""
UPDATE schedule_fires SET result = coalesce((
    SELECT CASE WHEN status = 'Queued' AND queued_at >= now() THEN 'queued' ELSE 'still-running' END
    FROM work WHERE stage = %(stage)s AND entity_id = %(entity)s), 'no-entity')
WHERE schedule_id = %(id)s AND fire_at = %(fire_at)s"""


def fire(schedule_id: int, fire_at: datetime) -> bool:
    """Queue a schedule's work for one tick; False when another clock has done so."""
    with transaction() as (_, connection):
        row = connection.execute(FIRE, {"id": schedule_id, "fire_at": fire_at}).fetchone()
        if row is None:
            return False
        stage = stage_named(row[0])
        queued = queue.add(connection, stage, [row[1]])
        connection.execute(KEEP_RESULT, {"id": schedule_id, "fire_at": fire_at, "stage": row[0], "entity": row[1]})
    doorbell.ring(window.fill(stage))
    log.info("schedule-fired", schedule=schedule_id, fire_at=fire_at.isoformat(), queued=len(queued))
    return True


def cron_trigger(line: str, timezone: str) -> CronTrigger:
    """Read a cron line as cron does: APScheduler counts weekdays from Monday, cron from Sunday."""
    fields = line.split()
    if len(fields) != 5:
        raise ValueError(f"expected five fields, got {len(fields)}")
    fields[4] = ",".join(_weekdays(part) for part in fields[4].lower().split(","))
    return CronTrigger.from_crontab(" ".join(fields), timezone=timezone)


def _weekdays(part: str) -> str:
    numbers = re.fullmatch(r"([0-7])(?:-([0-7]))?(?:/([1-7]))?", part)
    if numbers is None:
        return part
    first, last, step = (int(group) if group else None for group in numbers.groups())
    assert first is not None  # noqa: S101 - the pattern has it
    return ",".join(WEEKDAYS[day] for day in range(first, (first if last is None else last) + 1, step or 1))


class Clock:
    """Keeps APScheduler's jobs the same as the schedules in the database, and fires what was missed."""

    def __init__(self) -> None:
        self.scheduler = BlockingScheduler(timezone=UTC)
        self.known: dict[int, tuple[str, str]] = {}
        self.triggers: dict[int, CronTrigger] = {}
        self.fired: dict[int, datetime] = {}

    def run(self) -> None:
        """Read the schedules now and again, and fire until told to stop."""
        self.scheduler.add_job(
            self.read, IntervalTrigger(seconds=READ_AGAIN_SECONDS), next_run_time=datetime.now(UTC), max_instances=1
        )
        self.scheduler.start()

    def read(self) -> None:
        """Add, change and drop jobs after what the rows say; fire ticks that passed while nobody could."""
        try:
            with statement() as connection:
                rows = connection.execute(SCHEDULES).fetchall()
        except DRIVER_FAULTS as fault:
            log.warning("schedules-unreadable", error=str(fault))
            return
        wanted = {schedule_id: (line, timezone) for schedule_id, line, timezone, _ in rows}
        for schedule_id in self.known.keys() - wanted.keys():
            self._drop(schedule_id)
        for schedule_id, when in wanted.items():
            if self.known.get(schedule_id) != when:
                self._schedule(schedule_id, *when)
        self.known = wanted
        for schedule_id, _, _, changed_at in rows:
            self._tick(schedule_id, not_before=changed_at)

    def _drop(self, schedule_id: int) -> None:
        if self.triggers.pop(schedule_id, None) is not None:
            self.scheduler.remove_job(str(schedule_id))

    def _schedule(self, schedule_id: int, line: str, timezone: str) -> None:
        self._drop(schedule_id)
        try:
            trigger = cron_trigger(line, timezone)
        except (ValueError, KeyError, OSError) as fault:  # the last two: time zones that do not exist
            log.error("schedule-unreadable", schedule=schedule_id, cron=line, timezone=timezone, error=str(fault))
            return
        self.triggers[schedule_id] = trigger
        self.scheduler.add_job(
            self._tick,
            trigger,
            args=[schedule_id],
            id=str(schedule_id),
            coalesce=True,
            misfire_grace_time=int(MISFIRE_GRACE.total_seconds()),
        )

    def _tick(self, schedule_id: int, not_before: datetime | None = None) -> None:
        """Fire for the last time the trigger should have gone off, which is the same on every clock."""
        trigger = self.triggers.get(schedule_id)
        fire_at = last_tick(trigger, datetime.now(UTC)) if trigger else None
        if fire_at is None or fire_at == self.fired.get(schedule_id) or (not_before and fire_at < not_before):
            return
        try:
            fire(schedule_id, fire_at)
            self.fired[schedule_id] = fire_at
        except (*DRIVER_FAULTS, UserError) as fault:
            log.error("schedule-not-fired", schedule=schedule_id, error=str(fault))


def last_tick(trigger: CronTrigger, now: datetime) -> datetime | None:
    """Give the newest time at or before `now` at which the trigger goes off; None when that is too long ago.

    Steps in UTC: local times go back an hour once a year, and stepping in them would never end.
    """
    last = None
    tick = trigger.get_next_fire_time(None, now - MISFIRE_GRACE)
    while tick is not None and tick <= now:
        if not _is_second_time(trigger, tick):
            last = tick.astimezone(UTC)
        tick = trigger.get_next_fire_time(None, tick.astimezone(UTC) + timedelta(seconds=1))
    return last


def _is_second_time(trigger: CronTrigger, tick: datetime) -> bool:
    """Tell the second of two equal local times on the day clocks go back; a fixed hour fires at the first only."""
    hour = next(str(field) for field in trigger.fields if field.name == "hour")
    return tick.fold == 1 and not hour.startswith("*")


def main() -> None:
    """Run the clock process."""
    logs.configure()
    load_stages()
    Clock().run()


if __name__ == "__main__":
    main()

"""Fire: every tick of a schedule is fired or counted as missed exactly once, however many clocks there are.

A clock locks the schedule's row, acts on the oldest tick that is owed, and moves `settled_until` in the same
transaction. A clock that dies has done nothing; the unique (schedule, fire time) guards what no lock can.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from psycopg.rows import dict_row

from errors import NotFound
from pipeline import doorbell, window
from pipeline.database import Connection, transaction
from scheduling import catch_up, ticks
from scheduling.catch_up import MOST_TICKS, Policy, Step
from scheduling.errand import Errand, Outcome, carry_out
from scheduling.ticks import Timing

log = structlog.get_logger("clock")

ROW = """
SELECT id, tenant_id, action, stage, entity_id, cron, interval_seconds, starts_at, timezone, settled_until, catch_up,
       misfire_grace_seconds, clock_timestamp() AS now
FROM schedules WHERE id = %(id)s"""
# Another clock that is at it settles what we see, and is looked after when it dies.
OWED = f"{ROW} AND enabled FOR NO KEY UPDATE SKIP LOCKED".encode()
BY_HAND = f"{ROW} AND tenant_id = %(tenant)s FOR NO KEY UPDATE".encode()

ADD = b"""
INSERT INTO schedule_fires (tenant_id, schedule_id, fire_at, by_hand)
VALUES (%(tenant)s, %(id)s, %(fire_at)s, %(by_hand)s)
ON CONFLICT (schedule_id, fire_at) DO NOTHING RETURNING id"""
KEEP = b"""
UPDATE schedule_fires SET result = %(result)s, queued_count = %(queued_count)s, error = %(error)s WHERE id = %(id)s
RETURNING id, fire_at, fired_at, result, queued_count, error, by_hand"""
MISS = b"""
INSERT INTO schedule_fires (tenant_id, schedule_id, fire_at, result, error)
SELECT %(tenant)s, %(id)s, fire_at, 'missed', CASE WHEN nth = 1 THEN %(error)s END
FROM unnest(%(missed)s::timestamptz[]) WITH ORDINALITY AS given (fire_at, nth)
ON CONFLICT (schedule_id, fire_at) DO NOTHING"""
SETTLE = b"UPDATE schedules SET settled_until = %(until)s WHERE id = %(id)s"


@dataclass(frozen=True, slots=True)
class Fire:
    """One firing as its schedule's history tells it."""

    id: int
    fire_at: datetime
    fired_at: datetime
    result: str
    queued_count: int
    error: str | None
    by_hand: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What was done with ticks that were owed: so many were missed, and one fired or none."""

    missed: int
    fired: Fire | None


def settle(schedule_id: int) -> list[Settled]:
    """Fire or count as missed everything that a schedule owes by now, one tick at a time."""
    done = []
    while (step := _settle_next(schedule_id)) is not None:
        done.append(step)
    return done


def by_hand(connection: Connection, tenant_id: UUID, schedule_id: int) -> tuple[Fire, Outcome]:
    """Fire now, out of turn, in the caller's transaction; `ring` after its commit."""
    row = _row(connection, BY_HAND, {"id": schedule_id, "tenant": tenant_id})
    if row is None:
        raise NotFound(f"There is no schedule {schedule_id}.")
    fired = _fire(connection, row, row["now"], by_hand=True)
    assert fired is not None  # noqa: S101 - no other firing can have this very moment: the row is locked
    return fired


def ring(outcome: Outcome) -> None:
    """Ring for what a firing has queued."""
    if outcome.stage is not None and outcome.queued_count:
        doorbell.ring(window.fill(outcome.stage))


def _settle_next(schedule_id: int) -> Settled | None:
    with transaction() as (_, connection):
        row = _row(connection, OWED, {"id": schedule_id})
        owed = _owed(row) if row else []
        if row is None or not owed:
            return None
        policy = Policy(row["catch_up"], timedelta(seconds=row["misfire_grace_seconds"]))
        step = catch_up.next_step(owed, row["now"], policy)
        _miss(connection, row, step, has_more=len(owed) > MOST_TICKS)
        fired = None if step.fires is None else _fire(connection, row, step.fires)
        connection.execute(SETTLE, {"id": schedule_id, "until": step.settles_until})
    if fired is not None:
        ring(fired[1])
        due, result, queued = fired[0].fire_at.isoformat(), fired[0].result, fired[0].queued_count
        log.info("schedule-fired", schedule=schedule_id, due=due, result=result, queued=queued)
    return Settled(len(step.missed), fired and fired[0])


def _row(connection: Connection, sql: bytes, values: dict[str, Any]) -> dict[str, Any] | None:
    return connection.cursor(row_factory=dict_row).execute(sql, values).fetchone()


def _owed(row: dict[str, Any]) -> list[datetime]:
    """Give the newest ticks that are owed, and one more when there are more than are dealt with."""
    timing = Timing(row["cron"], row["interval_seconds"], row["starts_at"], row["timezone"])
    return ticks.latest(timing, row["settled_until"], row["now"], MOST_TICKS + 1)


def _miss(connection: Connection, row: dict[str, Any], step: Step, *, has_more: bool) -> None:
    if not step.missed:
        return
    before = f"So were those before it, since {row['settled_until']:%Y-%m-%d %H:%M:%S %Z}." if has_more else None
    values = {"tenant": row["tenant_id"], "id": row["id"], "missed": list(step.missed), "error": before}
    connection.execute(MISS, values)
    log.warning("ticks-missed", schedule=row["id"], many=len(step.missed))


def _fire(
    connection: Connection, row: dict[str, Any], fire_at: datetime, *, by_hand: bool = False
) -> tuple[Fire, Outcome] | None:
    """Record a firing and queue what it asks for; None when it is in the history already."""
    values = {"tenant": row["tenant_id"], "id": row["id"], "fire_at": fire_at, "by_hand": by_hand}
    added = connection.execute(ADD, values).fetchone()
    if added is None:
        return None
    errand = Errand(row["tenant_id"], row["action"], row["stage"], row["entity_id"])
    outcome = carry_out(connection, errand)
    told = {"result": outcome.result, "queued_count": outcome.queued_count, "error": outcome.error}
    kept = _row(connection, KEEP, {**told, "id": added[0]})
    assert kept is not None  # noqa: S101 - it has just been added
    return Fire(**kept), outcome

"""Sweep one stage: rescue what died or hangs, ring again what nobody answered, refill the window, restart lanes."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import structlog

from pipeline import doorbell, meters, rescue, window
from pipeline.database import Connection, statement, transaction
from pipeline.doorbell import Ring
from pipeline.stage import Stage
from settings import settings

log = structlog.get_logger("sweep")

LONGEST_SECONDS = 50.0
LOCK_CLASS = 7302
LOCK = b"SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))"
MOST_DOUBLINGS = 5

# A row already re-rung several times waits longer each time: a slow stage is not a lost message.
RING_AGAIN = b"""
WITH unanswered AS (
    SELECT id FROM work
    WHERE stage = %(stage)s AND status = 'Queued' AND sent_at IS NOT NULL
      AND sent_at < clock_timestamp() - %(after)s * interval '1 second'
      AND sent_at < clock_timestamp() - %(after)s * power(2, least(sends - 1, %(doublings)s)) * interval '1 second'
      AND NOT EXISTS (SELECT 1 FROM stage_controls WHERE stage = %(stage)s AND paused)
    ORDER BY sent_at LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
UPDATE work SET sent_at = clock_timestamp(), sends = least(sends + 1, 1000) FROM unanswered
WHERE work.id = unanswered.id AND status = 'Queued' RETURNING work.id"""

# When a stage is no longer declared with lanes, nobody lets the rows go that wait in one.
LEAVE_LANES = b"""
WITH waiting AS (
    SELECT id FROM work WHERE stage = %(stage)s AND lane IS NOT NULL AND status = 'Queued' AND sent_at IS NULL
    LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
UPDATE work SET lane = NULL FROM waiting WHERE work.id = waiting.id AND status = 'Queued' AND sent_at IS NULL"""


@dataclass
class Swept:
    """What a sweep repaired."""

    rescued: int = 0
    overdue: int = 0
    rung_again: int = 0
    refilled: int = 0
    left_lanes: int = 0


def sweep(stage: Stage) -> Swept:
    """Repair a stage in batches, one short transaction each, until nothing is overdue or the minute is up."""
    swept, batch = Swept(), stage.sweeper.batch_size
    until = time.monotonic() + LONGEST_SECONDS
    while _sweep_batch(stage, batch, swept) and time.monotonic() < until:
        pass
    if any(asdict(swept).values()):
        log.info("swept", stage=stage.name, **asdict(swept))
        meters.tell()  # a command or a web process has no beat to do it with
    return swept


def _sweep_batch(stage: Stage, batch: int, swept: Swept) -> bool:
    """Repair one batch of each kind and tell whether there may be more."""
    dead, late = rescue.rescue_dead(batch), rescue.rescue_overdue(stage, batch)
    dead.ring()
    late.ring()
    again = _ring_again(stage, batch)
    left = _leave_lanes(stage, batch) if stage.lane is None else 0
    refilled = doorbell.ring(window.fill(stage))
    swept.rescued += len(dead.work_ids)
    swept.overdue += len(late.work_ids)
    swept.rung_again += again
    swept.refilled += refilled
    swept.left_lanes += left
    return max(len(dead.work_ids), len(late.work_ids), again, left) >= batch


def _leave_lanes(stage: Stage, batch: int) -> int:
    with statement() as connection:
        return connection.execute(LEAVE_LANES, {"stage": stage.name, "batch": batch}).rowcount


def _ring_again(stage: Stage, batch: int) -> int:
    values = {
        "stage": stage.name,
        "batch": batch,
        "after": settings().ring_again_seconds,
        "doublings": MOST_DOUBLINGS,
    }
    with transaction() as (_, connection):
        if not _take_instance(connection, stage):
            return 0
        rows = connection.execute(RING_AGAIN, values).fetchall()
    doorbell.ring([Ring(stage.name, work_id) for (work_id,) in rows])
    return len(rows)


def _take_instance(connection: Connection, stage: Stage) -> bool:
    """Hold one of the stage's `max_instances` places until the transaction ends."""
    for place in range(stage.sweeper.max_instances):
        row = connection.execute(LOCK, (LOCK_CLASS, f"{stage.name}/{place}")).fetchone()
        if row and row[0]:
            return True
    return False

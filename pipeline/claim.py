"""Claim: Queued → Processing in one statement, guarded by status, due time, pause and lane."""

from __future__ import annotations

from functools import cache
from typing import Any
from uuid import UUID

from pipeline.database import Connection, statement
from pipeline.meters import meters
from pipeline.stage import Snapshot, Stage, Turn

# A claim lost in a server crash only repeats work: the fence rejects a finish by a worker that does not hold the row.
WITHOUT_WAITING_FOR_DISK = "set_config('synchronous_commit', 'off', true)"

STAGE_IS_OPEN = "NOT EXISTS (SELECT 1 FROM stage_controls WHERE stage = %(stage)s AND paused)"

TAKE = """
    UPDATE work SET status = 'Processing', token = token + 1, attempts = attempts + 1, worker_id = %(worker)s,
           sent_at = coalesce(sent_at, clock_timestamp()), started_at = clock_timestamp(),
           deadline_at = clock_timestamp() + %(limit)s"""

# From the ring to its answer. A ring that had to be repeated was lost, so it counts from when the work could have run.
HANDED_OVER = """
    extract(epoch FROM work.started_at - greatest(
        work.queued_at, work.due_at, CASE WHEN work.sends <= 1 THEN work.sent_at END))::float8"""

TAKEN = f"""
    work.id, work.token, work.tenant_id, work.entity_id, work.attempts, work.crashes, work.auto, work.lane,
    work.deadline_at, {HANDED_OVER} AS handed_over"""

# A row may still carry the lane of a stage that was declared with lanes in an earlier release: it was not entered.
CLAIM = f"""
WITH claimed AS ({TAKE}, lane = NULL
    WHERE id = %(id)s AND stage = %(stage)s AND status = 'Queued' AND due_at <= clock_timestamp() AND {STAGE_IS_OPEN}
    RETURNING {TAKEN})
SELECT claimed.*, entity.* FROM claimed CROSS JOIN {WITHOUT_WAITING_FOR_DISK} LEFT JOIN {{table}} AS entity
    ON entity.id = claimed.entity_id"""

# What is known of the lane's host comes along: its robots.txt and its pace are what most turns ask for next.
HOST = "gap, crawl_delay, robots, robots_state, robots_status, robots_at, robots_failing_since, robots_scheme"

# The work row is locked before the lane is entered, so a lane is never entered for a row that somebody else took.
CLAIM_IN_LANE = f"""
WITH candidate AS (
    SELECT id, lane FROM work
    WHERE id = %(id)s AND stage = %(stage)s AND status = 'Queued' AND due_at <= clock_timestamp() AND {STAGE_IS_OPEN}
    FOR UPDATE),
entered AS (
    UPDATE hosts SET inflight = inflight + 1, next_at = clock_timestamp() + gap FROM candidate
    WHERE hosts.host = candidate.lane AND inflight < cap AND next_at <= clock_timestamp()
      AND (blocked_until IS NULL OR blocked_until <= clock_timestamp())
    RETURNING {HOST}),
claimed AS ({TAKE}
    FROM candidate
    WHERE work.id = candidate.id AND work.status = 'Queued'
      AND (candidate.lane IS NULL OR EXISTS (SELECT 1 FROM entered))
    RETURNING {TAKEN})
SELECT claimed.*, entered.*, entity.* FROM claimed CROSS JOIN {WITHOUT_WAITING_FOR_DISK}
    LEFT JOIN entered ON claimed.lane IS NOT NULL LEFT JOIN {{table}} AS entity ON entity.id = claimed.entity_id"""

OWN_COLUMNS, HOST_COLUMNS = 9, len(HOST.split(", "))


@cache
def _claim_sql(stage: Stage) -> bytes:
    return (CLAIM_IN_LANE if stage.lane else CLAIM).format(table=stage.table).encode()


def claim(stage: Stage, work_id: int, worker_id: UUID) -> Turn | None:
    """Take the work, or None when somebody else was faster, it is early, its lane is busy, or the stage is paused."""
    with statement() as connection:
        return _claim(connection, stage, work_id, worker_id)


def _claim(connection: Connection, stage: Stage, work_id: int, worker_id: UUID) -> Turn | None:
    cursor = connection.execute(
        _claim_sql(stage), {"id": work_id, "stage": stage.name, "worker": worker_id, "limit": stage.time_limit}
    )
    row: tuple[Any, ...] | None = cursor.fetchone()
    if row is None:
        return None
    meters.claimed(stage.name, row[OWN_COLUMNS])
    first = OWN_COLUMNS + 1
    start = first + (HOST_COLUMNS if stage.lane else 0)
    names = [column.name for column in cursor.description or ()][start:]
    columns = dict(zip(names, row[start:], strict=True))
    entity = Snapshot(columns) if columns["id"] is not None else None
    own = (*row[:OWN_COLUMNS], row[first:start])
    return Turn(stage, entity, worker_id, *own)

"""Rescue: give back work whose worker died, whose deadline passed, or which a draining worker could not end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog

import reasons
from pipeline import doorbell, lanes, window
from pipeline.database import statement
from pipeline.stage import Stage, all_stages, stage_named
from settings import settings

log = structlog.get_logger("rescue")

# Hosts are locked in one order, so that two rescues never wait for each other.
LEAVE_LANES = """
ended AS (SELECT lane, count(*) AS many FROM moved WHERE lane IS NOT NULL GROUP BY lane),
locked AS (SELECT host FROM hosts WHERE host IN (SELECT lane FROM ended) ORDER BY host FOR UPDATE),
left_lanes AS (
    UPDATE hosts SET inflight = inflight - ended.many FROM ended JOIN locked ON locked.host = ended.lane
    WHERE hosts.host = ended.lane)"""

NOTE_FAILURE = """
noted AS (
    INSERT INTO failures (work_id, attempt, kind, reason, error)
    SELECT id, attempt, %(kind)s, %(reason)s, %(error)s FROM moved)"""

# The token grows, so a worker that comes back from the dead cannot finish. A crash costs no attempt but is counted.
# From the second crash on, rows that died together run one after the other: one kills the process, the others do not.
RESCUE_DEAD = f"""
WITH dead AS (
    SELECT work.id FROM work LEFT JOIN workers ON workers.id = work.worker_id
    WHERE work.status = 'Processing' AND (workers.id IS NULL OR workers.expires_at < clock_timestamp())
    LIMIT %(batch)s FOR UPDATE OF work SKIP LOCKED),
suspects AS (SELECT id, row_number() OVER (ORDER BY random()) AS nth FROM dead),
moved AS (
    UPDATE work SET token = token + 1, crashes = crashes + 1, attempts = attempts - 1, worker_id = NULL,
           deadline_at = NULL, sent_at = NULL, sends = 0,
           due_at = CASE WHEN crashes > 0 THEN clock_timestamp() + (nth - 1) * interval '3 seconds' ELSE due_at END,
           status = CASE WHEN crashes + 1 >= %(poison)s THEN 'Error' ELSE 'Queued' END,
           finished_at = CASE WHEN crashes + 1 >= %(poison)s THEN clock_timestamp() END,
           reason = CASE WHEN crashes + 1 >= %(poison)s THEN %(poison_reason)s ELSE %(reason)s END, error = %(error)s
    FROM suspects WHERE work.id = suspects.id AND work.status = 'Processing'
    RETURNING work.id, work.stage, work.lane, work.attempts + 1 AS attempt, work.status),
{LEAVE_LANES}, {NOTE_FAILURE}
SELECT stage, lane, id, status FROM moved"""

# A hang has spent its attempt: it may be the entity's fault, and the next try would hang too.
RESCUE_OVERDUE = f"""
WITH overdue AS (
    SELECT id FROM work
    WHERE status = 'Processing' AND deadline_at < clock_timestamp() AND stage = %(stage)s
    LIMIT %(batch)s FOR UPDATE SKIP LOCKED),
moved AS (
    UPDATE work SET token = token + 1, worker_id = NULL, deadline_at = NULL, sent_at = NULL, sends = 0,
           status = CASE WHEN attempts >= %(attempts)s THEN 'Error' ELSE 'Queued' END,
           finished_at = CASE WHEN attempts >= %(attempts)s THEN clock_timestamp() END,
           due_at = clock_timestamp(), reason = %(reason)s, error = %(error)s
    FROM overdue WHERE work.id = overdue.id AND work.status = 'Processing'
    RETURNING work.id, work.stage, work.lane, work.attempts AS attempt, work.status),
{LEAVE_LANES}, {NOTE_FAILURE}
SELECT stage, lane, id, status FROM moved"""

HAND_BACK = f"""
WITH moved AS (
    UPDATE work SET token = token + 1, attempts = attempts - 1, worker_id = NULL, deadline_at = NULL,
           sent_at = NULL, sends = 0, status = 'Queued', reason = %(reason)s
    WHERE worker_id = %(worker)s AND status = 'Processing' AND id <> ALL(%(but_not)s)
      AND started_at < clock_timestamp() - %(older_than)s * interval '1 second'
    RETURNING id, stage, lane, status),
{LEAVE_LANES}
SELECT stage, lane, id, status FROM moved"""


@dataclass
class Rescued:
    """What was given back, and where the doorbell must ring for it."""

    work_ids: list[int] = field(default_factory=list)
    stages: set[str] = field(default_factory=set)
    lanes: set[str] = field(default_factory=set)

    def ring(self) -> None:
        """Let the rescued rows go at once, within their windows and lanes."""
        rings = lanes.release(self.lanes)
        for name in sorted(self.stages):
            rings += window.fill(stage_named(name))
        doorbell.ring(rings)


def rescue_dead(batch: int = 200) -> Rescued:
    """Give back the work of processes whose lease has run out."""
    values = {
        "batch": batch,
        "poison": settings().crashes_before_poison,
        "poison_reason": reasons.POISON,
        "kind": "crash",
        "reason": reasons.WORKER_DIED,
        "error": "the worker process stopped renewing its lease while it ran this",
    }
    return _run(RESCUE_DEAD, values)


def rescue_overdue(stage: Stage, batch: int = 200) -> Rescued:
    """Give back a stage's work that has run past its deadline in a process that is alive."""
    values = {
        "stage": stage.name,
        "batch": batch,
        "attempts": stage.attempts,
        "kind": "deadline",
        "reason": reasons.DEADLINE,
        "error": f"still running after its limit of {stage.time_limit.total_seconds():g} s",
    }
    return _run(RESCUE_OVERDUE, values)


def hand_back(
    worker_id: UUID, *, but_not: Collection[int] = (), older_than_seconds: float = 0.0, reason: str = reasons.DRAINED
) -> Rescued:
    """Give back what a worker holds and is not running, attempt unspent."""
    values = {
        "worker": worker_id,
        "but_not": list(but_not),
        "older_than": older_than_seconds,
        "reason": reason,
    }
    return _run(HAND_BACK, values)


def _run(sql: str, values: dict[str, Any]) -> Rescued:
    rescued = Rescued()
    known = {stage.name for stage in all_stages()}
    with statement() as connection:
        rows = connection.execute(sql.encode(), values).fetchall()
    for stage, lane, work_id, status in rows:
        rescued.work_ids.append(work_id)
        if lane is not None:
            rescued.lanes.add(lane)
        if stage in known and status == "Queued":
            rescued.stages.add(stage)
    if rows:
        log.info("rescued", reason=values["reason"], work=rescued.work_ids[:20], count=len(rows))
    return rescued

"""Rescue: give back work whose worker died, whose deadline passed, or which a draining worker could not end."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import structlog

import reasons
from pipeline import doorbell, lanes, window
from pipeline.database import statement
from pipeline.hold import unless_held
from pipeline.meters import meters
from pipeline.stage import Stage, all_stages, stage_named
from settings import settings

log = structlog.get_logger("rescue")

# A process that was stopped inside a transaction keeps its locks. So a rescue waits for none: it takes the rows whose
# host it can lock at once and leaves the others to the next beat. Who waits for nothing is part of no deadlock either.
# A single statement, so that a rescuer that is stopped in its turn holds nothing.
CHOOSE = """
free AS (
    SELECT host FROM hosts WHERE host IN (SELECT lane FROM work WHERE status = 'Processing' AND {condition})
    LIMIT %(batch)s FOR UPDATE SKIP LOCKED),
chosen AS (
    SELECT id FROM work WHERE status = 'Processing' AND {condition}
      AND (lane IN (SELECT host FROM free) OR (SELECT host FROM hosts WHERE hosts.host = work.lane) IS NULL)
    LIMIT %(batch)s FOR UPDATE SKIP LOCKED)"""

# The visit may have asked the host a moment ago, so the lane rests.
LEAVE_LANES = """
ended AS (SELECT lane, count(*) AS many FROM moved WHERE lane IS NOT NULL GROUP BY lane),
left_lanes AS (
    UPDATE hosts SET inflight = inflight - ended.many, next_at = greatest(next_at, clock_timestamp() + gap)
    FROM ended WHERE hosts.host = ended.lane)"""

NOTE_FAILURE = """
noted AS (
    INSERT INTO failures (work_id, attempt, kind, reason, error)
    SELECT id, attempt, %(kind)s, %(reason)s, %(error)s FROM moved)"""

# An array, not a join: a row that another rescue gave back and a living worker took since must not count as dead.
HELD_BY_THE_DEAD = """
    (worker_id = ANY(ARRAY(SELECT id FROM workers WHERE expires_at >= clock_timestamp()))) IS NOT TRUE"""

# The token grows, so a worker that comes back from the dead cannot finish. A crash costs no attempt but is counted.
# From the second crash on, rows that died together run one after the other: one kills the process, the others do not.
SPREAD = """
           CASE WHEN crashes > 0 THEN clock_timestamp() + (nth - 1) * interval '3 seconds' ELSE work.due_at END"""

RESCUE_DEAD = f"""
WITH {CHOOSE.format(condition=HELD_BY_THE_DEAD)},
suspects AS (SELECT id, row_number() OVER (ORDER BY random()) AS nth FROM chosen),
moved AS (
    UPDATE work SET token = token + 1, crashes = crashes + 1, attempts = attempts - 1, worker_id = NULL,
           deadline_at = NULL, sent_at = NULL, sends = 0,
           due_at = {unless_held(SPREAD)},
           status = CASE WHEN crashes + 1 >= %(poison)s THEN 'Error' ELSE 'Queued' END,
           finished_at = CASE WHEN crashes + 1 >= %(poison)s THEN clock_timestamp() END,
           reason = CASE WHEN crashes + 1 >= %(poison)s THEN %(poison_reason)s ELSE %(reason)s END, error = %(error)s
    FROM suspects WHERE work.id = suspects.id AND work.status = 'Processing'
    RETURNING work.id, work.stage, work.lane, work.attempts + 1 AS attempt, work.status, work.tenant_id, work.reason),
{LEAVE_LANES}, {NOTE_FAILURE}
SELECT stage, lane, id, status, tenant_id, reason FROM moved"""

# A hang has spent its attempt: it may be the entity's fault, and the next try would hang too.
RESCUE_OVERDUE = f"""
WITH {CHOOSE.format(condition="deadline_at < clock_timestamp() AND stage = %(stage)s")},
moved AS (
    UPDATE work SET token = token + 1, worker_id = NULL, deadline_at = NULL, sent_at = NULL, sends = 0,
           status = CASE WHEN attempts >= %(attempts)s THEN 'Error' ELSE 'Queued' END,
           finished_at = CASE WHEN attempts >= %(attempts)s THEN clock_timestamp() END,
           due_at = {unless_held("clock_timestamp()")}, reason = %(reason)s, error = %(error)s
    FROM chosen WHERE work.id = chosen.id AND work.status = 'Processing'
    RETURNING work.id, work.stage, work.lane, work.attempts AS attempt, work.status, work.tenant_id, work.reason),
{LEAVE_LANES}, {NOTE_FAILURE}
SELECT stage, lane, id, status, tenant_id, reason FROM moved"""

HELD_BY_WORKER = """
    worker_id = %(worker)s AND id <> ALL(%(but_not)s)
    AND started_at < clock_timestamp() - %(older_than)s * interval '1 second'"""

HAND_BACK = f"""
WITH {CHOOSE.format(condition=HELD_BY_WORKER)},
moved AS (
    UPDATE work SET token = token + 1, attempts = attempts - 1, worker_id = NULL, deadline_at = NULL,
           sent_at = NULL, sends = 0, status = 'Queued', reason = %(reason)s
    FROM chosen WHERE work.id = chosen.id AND work.status = 'Processing'
    RETURNING work.id, work.stage, work.lane, work.status, work.tenant_id, work.reason),
{LEAVE_LANES}
SELECT stage, lane, id, status, tenant_id, reason FROM moved"""

BURY = b"""
UPDATE workers SET buried_at = clock_timestamp() WHERE id IN (
    SELECT id FROM workers WHERE expires_at < clock_timestamp() AND buried_at IS NULL FOR UPDATE SKIP LOCKED)"""

HOLDS = f"SELECT EXISTS (SELECT 1 FROM work WHERE status = 'Processing' AND {HELD_BY_WORKER})".encode()
MOST_HELD = 1000
TRIES_TO_HAND_BACK = 5
PAUSE_SECONDS = 0.1


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


def bury_dead() -> bool:
    """Tell, to one peer alone, that a worker has died; it may have held rings without holding work."""
    with statement() as connection:
        return connection.execute(BURY).rowcount > 0


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
    """Give back what a worker holds and is not running, attempt unspent; a few tries, as others hold locks briefly.

    What a leaving worker keeps is rescued by its peers, but then it counts as a crash.
    """
    values = {
        "batch": MOST_HELD,
        "worker": worker_id,
        "but_not": list(but_not),
        "older_than": older_than_seconds,
        "reason": reason,
    }
    rescued = _run(HAND_BACK, values)
    for _ in range(TRIES_TO_HAND_BACK - 1):
        if not _holds(values):
            break
        time.sleep(PAUSE_SECONDS)
        rescued = _run(HAND_BACK, values, rescued)
    return rescued


def _holds(values: dict[str, Any]) -> bool:
    with statement() as connection:
        row = connection.execute(HOLDS, values).fetchone()
    return bool(row and row[0])


def _run(sql: str, values: dict[str, Any], rescued: Rescued | None = None) -> Rescued:
    rescued = rescued or Rescued()
    known = {stage.name for stage in all_stages()}
    with statement() as connection:
        rows = connection.execute(sql.encode(), values).fetchall()
    for stage, lane, work_id, status, tenant_id, reason in rows:
        meters.rescued(stage, values["reason"])
        if status == "Error":
            meters.ended(stage, tenant_id, "error", reason)
        rescued.work_ids.append(work_id)
        if lane is not None:
            rescued.lanes.add(lane)
        if stage in known and status == "Queued":
            rescued.stages.add(stage)
    if rows:
        log.info("rescued", reason=values["reason"], work=[row[2] for row in rows[:20]], count=len(rows))
    return rescued

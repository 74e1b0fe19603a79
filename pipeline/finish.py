"""Finish: store the result, create the children, queue their work and close this work, in one transaction.

The fence comes first: an update guarded by status and token. Zero rows means that this worker was declared dead or the
work was cancelled meanwhile, so nothing else of the statement happens either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from sqlalchemy.orm import Session

import reasons
from errors import MAX_ERROR_CHARACTERS, Filtered, LateFinish, Outcome, Passing, Snooze
from logs import hide_secrets
from pipeline import children, lanes
from pipeline.backoff import delay_after
from pipeline.database import Connection, statement, transaction
from pipeline.doorbell import LONGEST_DELAY_SECONDS, Ring
from pipeline.hold import HELD_UNTIL, unless_held
from pipeline.meters import Word
from pipeline.stage import Done, Stage, Turn
from pipeline.window import shares

# The worker too: after a server crash that forgot a claim, the same token may be given out again.
FENCE = "id = %(id)s AND status = 'Processing' AND token = %(token)s AND worker_id = %(worker)s"

ENDED = "worker_id = NULL, deadline_at = NULL, finished_at = clock_timestamp()"

COMPLETE_ALONE = f"""
parent AS (
    UPDATE work SET status = 'Completed', {ENDED}, error = NULL, reason = %(reason)s
    WHERE {FENCE} RETURNING id, lane)"""

PARENT = f"parent AS (SELECT id, tenant_id, auto, priority, lane, due_at FROM work WHERE {FENCE} FOR UPDATE)"

# When everything this stage found has work already, from another parent or an earlier run, the row says so.
COMPLETE_WITH_CHILDREN = f"""
completed AS (
    UPDATE work SET status = 'Completed', {ENDED}, error = NULL,
           reason = CASE WHEN NOT EXISTS (SELECT 1 FROM queued) THEN %(reason_if_none)s ELSE %(reason)s END
    FROM parent WHERE work.id = parent.id)"""

LEAVE_LANE = """
left_lane AS (
    UPDATE hosts SET inflight = inflight - 1, next_at = greatest(next_at, clock_timestamp() + gap)
    FROM parent WHERE hosts.host = parent.lane)"""

CLOSE = f"""
WITH parent AS (
    UPDATE work SET status = %(status)s, {ENDED}, reason = %(reason)s, error = %(error)s
    WHERE {FENCE} RETURNING id, attempts, lane),
noted AS (
    INSERT INTO failures (work_id, attempt, kind, reason, error)
    SELECT id, attempts, %(kind)s, %(reason)s, %(error)s FROM parent WHERE %(kind)s::text IS NOT NULL),
{LEAVE_LANE}
SELECT id FROM parent"""

# Rung at once (delayed) when it is due soon and the window has room; otherwise it waits in Postgres until it is due.
RINGS = f"%(soon)s AND lane IS NULL AND %(room)s > 0 AND due_at < {HELD_UNTIL}"
REQUEUE = f"""
WITH parent AS (
    UPDATE work SET status = 'Queued', worker_id = NULL, deadline_at = NULL, attempts = attempts - %(refund)s,
           due_at = {unless_held("clock_timestamp() + %(delay)s")}, reason = %(reason)s, error = %(error)s,
           sent_at = CASE WHEN {RINGS} THEN clock_timestamp() + %(delay)s END,
           sends = CASE WHEN {RINGS} THEN 1 ELSE 0 END
    WHERE {FENCE} RETURNING id, attempts + %(refund)s AS attempt, lane, sent_at IS NOT NULL AS rung),
noted AS (
    INSERT INTO failures (work_id, attempt, kind, reason, error)
    SELECT id, attempt, %(kind)s, %(reason)s, %(error)s FROM parent WHERE %(kind)s::text IS NOT NULL),
{LEAVE_LANE}
SELECT id, rung FROM parent"""


@dataclass
class Finished:
    """What became of the turn, and what the commit calls for.

    Rings to send, lanes whose new rows may go, stages whose new rows wait for room.
    """

    rings: list[Ring] = field(default_factory=list)
    lanes: set[str] = field(default_factory=set)
    crowded: dict[str, Stage] = field(default_factory=dict)
    queued: int = 0
    outcome: Word = "completed"
    reason: str | None = None

    def note(self, stage: Stage, rows: Iterable[tuple[int | None, bool, str | None]]) -> None:
        for work_id, rung, lane in rows:
            self.queued += work_id is not None
            if work_id is not None and rung:
                self.rings.append(Ring(stage.name, work_id))
            elif lane is not None:
                self.lanes.add(lane)
            elif work_id is not None:
                self.crowded[stage.name] = stage


def finish(turn: Turn, outcome: Done | Outcome) -> Finished:
    """Store how a turn ended; raise LateFinish, with nothing stored, when it is no longer ours to end."""
    if isinstance(outcome, Done):
        return _complete(turn, outcome)
    if isinstance(outcome, Snooze):
        return _requeue(turn, outcome, delay_after(turn, outcome), refund=1, kind=None)
    if isinstance(outcome, Passing) and turn.attempt < turn.stage.attempts:
        return _requeue(turn, outcome, delay_after(turn, outcome), refund=0, kind="passing")
    return _close(turn, outcome)


def storable(error: str | None) -> str | None:
    """Clean an error text of what Postgres cannot hold and of what nobody should read."""
    return None if error is None else children.clean(hide_secrets(error))[:MAX_ERROR_CHARACTERS]


def _complete(turn: Turn, done: Done) -> Finished:
    groups = children.by_stage(turn.stage, done.children)
    for group in groups:
        group.take_share()  # may ask the database, so before a connection is held
    if turn.stage.save is None and turn.lane is None and len(groups) <= 1:
        with statement() as connection:
            return _store(connection, turn, done, groups)
    with transaction() as (session, connection):
        finished = _store(connection, turn, done, groups)
        _save(session, turn, done)
        finished.rings += _release_own_lane(connection, turn)
    return finished


def _store(connection: Connection, turn: Turn, done: Done, groups: list[children.Group]) -> Finished:
    """Queue each group's children behind the fence; the last statement, usually the only one, closes this work."""
    finished = Finished(reason=done.reason)
    own: dict[str, Any] = {"id": turn.work_id, "token": turn.token, "worker": turn.worker_id, "reason": done.reason}
    for group in groups[:-1]:
        sql = _hand_on_sql(*group.shape)
        finished.note(group.stage, _rows(connection, turn, sql, own | children.values_of(group)))
    if not groups:
        _rows(connection, turn, _complete_alone_sql(turn.lane is not None), own)
        return finished
    last = groups[-1]
    waits = not turn.auto and any(group.stage.is_curated for group in groups)
    own["reason_if_none"] = done.reason or (None if finished.queued or waits else reasons.NO_NEW_CHILDREN)
    sql, before = _complete_sql(turn.lane is not None, *last.shape), finished.queued
    finished.note(last.stage, _rows(connection, turn, sql, own | children.values_of(last)))
    if finished.queued == before:
        finished.reason = own["reason_if_none"]
    return finished


def _rows(connection: Connection, turn: Turn, sql: bytes, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run a fenced statement; no row at all means that the fence was closed."""
    rows: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
    if not rows:
        raise LateFinish(f"work {turn.work_id} was no longer ours at token {turn.token}")
    return rows


@cache
def _complete_alone_sql(in_lane: bool) -> bytes:
    parts = [COMPLETE_ALONE, LEAVE_LANE] if in_lane else [COMPLETE_ALONE]
    return f"WITH {', '.join(parts)} SELECT id FROM parent".encode()


@cache
def _complete_sql(in_lane: bool, successor: Stage, columns: tuple[str, ...], single: bool, again: bool) -> bytes:
    queued = children.queue_children_sql(successor, columns, single=single, again=again)
    parts = [PARENT, *queued, COMPLETE_WITH_CHILDREN]
    return f"WITH {', '.join(parts + [LEAVE_LANE] * in_lane)} {children.SELECT_QUEUED}".encode()


@cache
def _hand_on_sql(successor: Stage, columns: tuple[str, ...], single: bool, again: bool) -> bytes:
    parts = [PARENT, *children.queue_children_sql(successor, columns, single=single, again=again)]
    return f"WITH {', '.join(parts)} {children.SELECT_QUEUED}".encode()


def _release_own_lane(connection: Connection, turn: Turn) -> list[Ring]:
    return lanes.release_locked(connection, [turn.lane]) if turn.lane is not None else []


def _requeue(turn: Turn, outcome: Outcome, delay: timedelta, *, refund: int, kind: str | None) -> Finished:
    soon = delay.total_seconds() <= LONGEST_DELAY_SECONDS
    values: dict[str, Any] = {
        "id": turn.work_id,
        "token": turn.token,
        "worker": turn.worker_id,
        "delay": delay,
        "soon": soon,
        "refund": refund,
        "kind": kind,
        "reason": children.clean(outcome.reason),
        "error": storable(outcome.error),
        "room": shares.take(turn.stage, 1) if soon and turn.lane is None else 0,
    }
    row, rings = _run(turn, REQUEUE, values)
    if row[1]:
        rings.append(Ring(turn.stage.name, turn.work_id, delay.total_seconds()))
    return Finished(rings, outcome="retried" if kind else "snoozed", reason=values["reason"])


def _close(turn: Turn, outcome: Outcome) -> Finished:
    word: Word = "filtered" if isinstance(outcome, Filtered) else "error"
    kind = "passing" if isinstance(outcome, Passing) else "final"
    values: dict[str, Any] = {
        "id": turn.work_id,
        "token": turn.token,
        "worker": turn.worker_id,
        "status": word.capitalize(),
        "kind": None if word == "filtered" else kind,
        "reason": children.clean(outcome.reason),
        "error": storable(outcome.error),
    }
    kept = Done(value=outcome.value) if outcome.value is not None else None
    return Finished(_run(turn, CLOSE, values, kept)[1], outcome=word, reason=values["reason"])


def _run(turn: Turn, sql: str, values: dict[str, Any], kept: Done | None = None) -> tuple[tuple[Any, ...], list[Ring]]:
    """Run a fenced statement, together with what is kept all the same and the release of the turn's own lane."""
    if turn.lane is None and kept is None:
        with statement() as connection:
            return _rows(connection, turn, sql.encode(), values)[0], []
    with transaction() as (session, connection):
        row = _rows(connection, turn, sql.encode(), values)[0]
        if kept is not None:
            _save(session, turn, kept)
        return row, _release_own_lane(connection, turn)


def _save(session: Session, turn: Turn, done: Done) -> None:
    if turn.stage.save is not None:
        turn.stage.save(session, turn, done)
        session.flush()

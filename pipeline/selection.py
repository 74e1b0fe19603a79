"""Retry or cancel one piece of work, or everything that matches, with a count first."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import reasons
from errors import BadInput
from models.work import FINISHED, WORK_STATUSES
from pipeline import doorbell, lanes, window
from pipeline.database import Connection, statement
from pipeline.stage import all_stages, stage_named

OPEN = ("Queued", "Processing")
TOO_MUCH = (
    "This would touch all work: name ids, a stage, status, reason, error or age, or say that you mean all"
    " (--all, or in a request all=true)."
)

# Called in the transaction of a change, with how many rows it has changed: to leave an audit entry.
Note = Callable[[Connection, int], None]


@dataclass(frozen=True, slots=True)
class Match:
    """Which work is meant; conditions are joined by AND, and no condition at all is refused unless `everything`.

    `tenant_id` is whose work it may be, which is no condition: everything of a tenant must be said, too.
    """

    ids: Collection[int] | None = None
    stage: str | None = None
    status: str | None = None
    reason: str | None = None
    error: str | None = None
    older_than: timedelta | None = None
    lane: str | None = None
    worker_id: UUID | None = None
    parent_id: int | None = None
    everything: bool = False
    tenant_id: UUID | None = None

    def sql(self) -> tuple[str, dict[str, Any]]:
        """Give the condition and its parameters."""
        tests = {
            "id = ANY(%(ids)s)": ("ids", None if self.ids is None else list(self.ids)),
            "stage = %(stage)s": ("stage", None if self.stage is None else stage_named(self.stage).name),
            "status = %(status)s": ("status", None if self.status is None else known_status(self.status)),
            "reason = %(reason)s": ("reason", self.reason),
            "position(lower(%(error)s) IN lower(error)) > 0": ("error", self.error),
            "coalesce(finished_at, queued_at) < clock_timestamp() - %(older_than)s": ("older_than", self.older_than),
            "lane = %(lane)s": ("lane", self.lane),
            "worker_id = %(worker)s": ("worker", self.worker_id),
            "parent_id = %(parent)s": ("parent", self.parent_id),
        }
        used = {test: pair for test, pair in tests.items() if pair[1] is not None}
        if not used and not self.everything:
            raise BadInput(TOO_MUCH)
        if self.tenant_id is not None:
            used["tenant_id = %(tenant)s"] = ("tenant", self.tenant_id)
        return " AND ".join(used) or "true", dict(used.values())


def known_status(status: str) -> str:
    """Accept a status in any case, or say which there are."""
    for known in WORK_STATUSES:
        if known.lower() == status.lower():
            return known
    raise BadInput(f"There is no work status {status!r}. Use one of: {', '.join(WORK_STATUSES)}.")


# In the order of their ids, so that two people who choose many rows wait for each other instead of deadlocking.
RETRY = """
WITH chosen AS (SELECT id FROM work WHERE {condition} ORDER BY id FOR UPDATE)
UPDATE work SET status = 'Queued', due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0,
       attempts = 0, crashes = 0, started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
FROM chosen WHERE work.id = chosen.id RETURNING work.stage, work.lane"""

# A lane whose running visit is cancelled opens only when that visit must be over: the request may still be under way.
CANCEL = """
WITH chosen AS (SELECT id, status, lane, deadline_at FROM work WHERE {condition} ORDER BY id FOR UPDATE),
moved AS (
    UPDATE work SET status = 'Cancelled', token = token + 1, worker_id = NULL, deadline_at = NULL,
           finished_at = clock_timestamp(), reason = %(cancelled)s
    FROM chosen WHERE work.id = chosen.id RETURNING work.id, work.stage, work.lane),
ended AS (
    SELECT lane, count(*) AS many, max(deadline_at) AS over_at FROM chosen
    WHERE status = 'Processing' AND lane IS NOT NULL GROUP BY lane),
locked AS (SELECT host FROM hosts WHERE host IN (SELECT lane FROM ended) ORDER BY host FOR UPDATE),
left_lanes AS (
    UPDATE hosts SET inflight = inflight - ended.many, next_at = greatest(next_at, ended.over_at)
    FROM ended JOIN locked ON locked.host = ended.lane WHERE hosts.host = ended.lane)
SELECT stage, lane FROM moved"""


def count(match: Match, *, among: Collection[str]) -> int:
    """Count what an action would touch."""
    condition, values = _narrowed(match, among)
    with statement() as connection:
        row = connection.execute(f"SELECT count(*) FROM work WHERE {condition}".encode(), values).fetchone()
    return int(row[0]) if row else 0


def retry(match: Match, *, dry_run: bool = False, note: Note | None = None) -> int:
    """Start ended work anew: what failed, unless the match names a status or ids."""
    return _act(RETRY, match, retried(match), dry_run, note)


def cancel(match: Match, *, dry_run: bool = False, note: Note | None = None) -> int:
    """End open work; a worker that is running it will find its finish refused."""
    return _act(CANCEL, match, OPEN, dry_run, note)


def give_up(match: Match, *, dry_run: bool = False, note: Note | None = None) -> int:
    """End failed work for good: it is no dead letter any longer, and nothing but a person starts it anew."""
    return _act(CANCEL, match, ("Error",), dry_run, note)


def retried(match: Match) -> Collection[str]:
    """Give the statuses whose work a retry starts anew."""
    return FINISHED if match.status or match.ids is not None else ("Error",)


def _act(sql: str, match: Match, among: Collection[str], dry_run: bool, note: Note | None) -> int:
    if dry_run:
        return count(match, among=among)
    condition, values = _narrowed(match, among)
    with statement() as connection, connection.transaction():
        rows = connection.execute(sql.format(condition=condition).encode(), values).fetchall()
        if note is not None:
            note(connection, len(rows))
    _ring({stage for stage, _ in rows}, {lane for _, lane in rows if lane is not None})
    return len(rows)


def _narrowed(match: Match, among: Collection[str]) -> tuple[str, dict[str, Any]]:
    condition, values = match.sql()
    return f"{condition} AND status = ANY(%(among)s)", {**values, "among": list(among), "cancelled": reasons.CANCELLED}


def _ring(touched: set[str], lanes_touched: set[str]) -> None:
    rings = lanes.release(lanes_touched)
    for stage in all_stages():
        if stage.name in touched:
            rings += window.fill(stage)
    doorbell.ring(rings)

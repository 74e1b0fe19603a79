"""Undo: take a decision back. Rows that still stand as it left them are as before, and what it queued does not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import reasons
from accounts import audit
from accounts.caller import Caller
from entities.catalog import entity_named
from entities.curate import lock
from errors import Conflict, NotFound
from pipeline import doorbell, lanes, window
from pipeline.curation import dated
from pipeline.database import Connection, statement, transaction
from pipeline.decisions import stage_of_table
from pipeline.patience import past_deadlocks
from pipeline.stage import Stage

FIND = b"SELECT entity, detail->>'stage' FROM operations WHERE id = %(id)s AND tenant_id = %(tenant)s"

MARK = b"""
UPDATE operations SET undone_at = clock_timestamp()
WHERE id = %(id)s AND tenant_id = %(tenant)s AND undone_at IS NULL RETURNING status, updated_count, at"""

# Rows on which somebody has decided since, and has not taken that back.
LATER = """
    SELECT unnest(change.entity_ids) AS id FROM operations later
    JOIN operation_changes change ON change.operation_id = later.id
    WHERE later.tenant_id = %(tenant)s AND later.entity = %(entity)s AND later.id > %(id)s
      AND later.undone_at IS NULL"""

# Work that began with this decision goes without a trace, so that its entity waits for a person as before. What had run
# earlier keeps its row and its history. What a later decision has selected too is still wanted, and work that was
# queued once more after this decision (by then it had ended) is somebody else's.
CANCEL = f"""
WITH wanted AS ({LATER} AND later.status = 'Selected'),
waiting AS MATERIALIZED (
    SELECT work.id, work.token = 0 AND work.parent_id IS NULL AS is_new, sent_at IS NOT NULL AS is_rung, lane FROM work
    WHERE work.id = ANY((SELECT queued_work_ids FROM operations WHERE id = %(id)s)::bigint[])
      AND status = 'Queued' AND queued_at <= %(at)s AND tenant_id = %(tenant)s
      AND NOT EXISTS (SELECT 1 FROM wanted WHERE wanted.id = work.entity_id)
    ORDER BY work.id FOR UPDATE),
removed AS (
    DELETE FROM work USING waiting WHERE work.id = waiting.id AND waiting.is_new),
cancelled AS (
    UPDATE work SET status = 'Cancelled', token = token + 1, finished_at = clock_timestamp(), reason = %(undone)s
    FROM waiting WHERE work.id = waiting.id AND NOT waiting.is_new)
SELECT count(*), coalesce(bool_or(is_rung), false), array_agg(DISTINCT lane) FILTER (WHERE is_rung AND lane IS NOT NULL)
FROM waiting""".encode()

RESTORE = f"""
WITH later AS ({LATER}),
was AS (SELECT unnest(entity_ids) AS id, before FROM operation_changes WHERE operation_id = %(id)s),
kept AS MATERIALIZED (
    SELECT entity.id, was.before FROM {{table}} entity JOIN was ON was.id = entity.id
    WHERE entity.tenant_id = %(tenant)s AND entity.curation_status = %(status)s
      AND NOT EXISTS (SELECT 1 FROM later WHERE later.id = entity.id)
    ORDER BY entity.id FOR NO KEY UPDATE OF entity),
restored AS (
    UPDATE {{table}} SET curation_status = kept.before{{dated}} FROM kept WHERE {{table}}.id = kept.id)
SELECT count(*) FROM kept"""


@dataclass(frozen=True, slots=True)
class Undone:
    """What taking a decision back did; skipped are rows that are gone, or decided on since."""

    restored_count: int
    cancelled_count: int
    skipped_count: int


@dataclass(frozen=True, slots=True)
class Freed:
    """The places that cancelled work has left in its stage's window and in its lanes."""

    is_rung: bool
    lanes: frozenset[str]

    def ring(self, stage: Stage) -> None:
        """Let the next ones have them."""
        if self.is_rung:
            doorbell.ring(lanes.release(self.lanes) + window.fill(stage))


def undo(caller: Caller, operation_id: int) -> Undone:
    """Take a decision back, once."""
    name, stage_name = _found(caller, operation_id)
    stage = stage_of_table(entity_named(name).table, stage_name)
    undone, freed = past_deadlocks(lambda: _undo(caller, name, stage, operation_id))
    freed.ring(stage)
    return undone


def _found(caller: Caller, operation_id: int) -> tuple[str, str | None]:
    with statement() as connection:
        row = connection.execute(FIND, {"id": operation_id, "tenant": caller.tenant_id}).fetchone()
    if row is None:
        raise NotFound(f"There is no operation {operation_id}: GET /api/v3/operations lists what there is.")
    return row[0], row[1]


def _undo(caller: Caller, name: str, stage: Stage, operation_id: int) -> tuple[Undone, Freed]:
    """Cancel, then restore: who finishes work holds it before its entity too."""
    values: dict[str, Any] = {"id": operation_id, "tenant": caller.tenant_id, "entity": name}
    with transaction() as (_, connection):
        lock(connection, caller.tenant_id, name)
        status, updated, at = _mark(connection, values)
        cancelled, freed = _cancel(connection, values, at)
        restored = _restore(connection, stage, values | {"status": status})
        undone = Undone(restored, cancelled, updated - restored)
        told = {"operation_id": operation_id, "status": status, "restored_count": restored}
        told |= {"cancelled_count": cancelled, "skipped_count": undone.skipped_count}
        audit.note(connection, caller, "undo", name, told)
    return undone, freed


def _mark(connection: Connection, values: dict[str, Any]) -> tuple[str, int, datetime]:
    row: tuple[str, int, datetime] | None = connection.execute(MARK, values).fetchone()
    if row is None:
        raise Conflict(f"Operation {values['id']} has been undone already: it can be undone once.")
    return row


def _cancel(connection: Connection, values: dict[str, Any], at: datetime) -> tuple[int, Freed]:
    row = connection.execute(CANCEL, values | {"at": at, "undone": reasons.UNDONE}).fetchone()
    many, is_rung, freed = row or (0, False, None)
    return many, Freed(is_rung, frozenset(freed or ()))


def _restore(connection: Connection, stage: Stage, values: dict[str, Any]) -> int:
    sql = RESTORE.format(table=stage.table, dated=dated(stage)).encode()
    row = connection.execute(sql, values).fetchone()
    return int(row[0]) if row else 0

"""Undo: take a decision back. Rows that still stand as it left them are as before, and what it queued does not run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import reasons
from accounts import audit
from accounts.caller import Caller
from entities.catalog import entity_named
from entities.curate import lock, tenant_deciding
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

# Both leave out what is in LATER by grouping, and know a row only by its id until they hold it: the database has not
# yet noticed how many rows the decision has changed, and any other plan may compare each of them with each.

# Work that began with this decision goes without a trace, so that its entity waits for a person as before. What had run
# earlier keeps its row and its history. What a later decision has selected too is still wanted, and work that was
# queued once more after this decision (by then it had ended) is somebody else's.
CANCEL = f"""
WITH waiting AS MATERIALIZED (
    SELECT id, entity_id, token = 0 AND parent_id IS NULL AS is_new, sent_at IS NOT NULL AS is_rung, lane FROM work
    WHERE id = ANY((SELECT queued_work_ids FROM operations WHERE id = %(id)s)::bigint[])
      AND status = 'Queued' AND queued_at <= %(at)s AND tenant_id = %(tenant)s
    ORDER BY id FOR UPDATE),
unwanted AS MATERIALIZED (
    SELECT max(work_id) AS id, bool_or(is_new) AS is_new, bool_or(is_rung) AS is_rung, max(lane) AS lane
    FROM (SELECT entity_id, id AS work_id, is_new, is_rung, lane, false AS is_wanted FROM waiting
          UNION ALL
          SELECT wanted.id, NULL, NULL, NULL, NULL, true FROM ({LATER} AND later.status = 'Selected') wanted) known
    GROUP BY entity_id HAVING NOT bool_or(is_wanted)),
removed AS (
    DELETE FROM work USING unwanted WHERE work.id = unwanted.id AND unwanted.is_new),
cancelled AS (
    UPDATE work SET status = 'Cancelled', token = token + 1, finished_at = clock_timestamp(), reason = %(undone)s
    FROM unwanted WHERE work.id = unwanted.id AND NOT unwanted.is_new)
SELECT count(*), coalesce(bool_or(is_rung), false), array_agg(DISTINCT lane) FILTER (WHERE is_rung AND lane IS NOT NULL)
FROM unwanted""".encode()

RESTORE = f"""
WITH left_alone AS MATERIALIZED (
    SELECT id, max(before) AS before
    FROM (SELECT unnest(entity_ids) AS id, before, false AS is_later FROM operation_changes WHERE operation_id = %(id)s
          UNION ALL
          SELECT decided.id, NULL, true FROM ({LATER}) decided) known
    GROUP BY id HAVING NOT bool_or(is_later)),
held AS MATERIALIZED (
    SELECT entity.id, entity.tenant_id, entity.curation_status AS status, left_alone.before
    FROM left_alone JOIN {{table}} entity ON entity.id = left_alone.id ORDER BY entity.id FOR NO KEY UPDATE OF entity),
kept AS MATERIALIZED (SELECT * FROM held WHERE tenant_id = %(tenant)s AND status = %(status)s),
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


def undo(caller: Caller | None, operation_id: int) -> Undone:
    """Take a decision back, once; without a caller it is the person at the keyboard who does."""
    name, stage_name = _found(caller, operation_id)
    stage = stage_of_table(entity_named(name).table, stage_name)
    undone, freed = past_deadlocks(lambda: _undo(caller, name, stage, operation_id))
    freed.ring(stage)
    return undone


def _found(caller: Caller | None, operation_id: int) -> tuple[str, str | None]:
    with statement() as connection:
        row = connection.execute(FIND, {"id": operation_id, "tenant": tenant_deciding(caller)}).fetchone()
    if row is None:
        raise NotFound(f"There is no operation {operation_id}: its number was given when something was decided.")
    return row[0], row[1]


def _undo(caller: Caller | None, name: str, stage: Stage, operation_id: int) -> tuple[Undone, Freed]:
    """Cancel, then restore: who finishes work holds it before its entity too."""
    values: dict[str, Any] = {"id": operation_id, "tenant": tenant_deciding(caller), "entity": name}
    with transaction() as (_, connection):
        lock(connection, values["tenant"], name)
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
    row = connection.execute(CANCEL, values | {"at": at, "undone": reasons.UNDONE}, prepare=False).fetchone()
    many, is_rung, freed = row or (0, False, None)
    return many, Freed(is_rung, frozenset(freed or ()))


def _restore(connection: Connection, stage: Stage, values: dict[str, Any]) -> int:
    sql = RESTORE.format(table=stage.table, dated=dated(stage)).encode()
    row = connection.execute(sql, values, prepare=False).fetchone()
    return int(row[0]) if row else 0

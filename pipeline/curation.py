"""Curation: a person's decision on entities. Selected queues the stage's work in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from errors import BadInput
from models.base import CURATION_STATUSES
from pipeline import doorbell, queue, window
from pipeline.database import Connection, transaction
from pipeline.hold import HELD_UNTIL
from pipeline.stage import Stage

SELECTED = "Selected"

# Work that waits out a failure goes now; what a person has paused stays so. A locked row is being claimed: left alone.
HURRY = f"""
WITH waiting AS (
    SELECT id, due_at > clock_timestamp() AS is_early FROM work
    WHERE stage = %(stage)s AND entity_id {{among}} AND status = 'Queued' AND due_at < {HELD_UNTIL}
      AND (due_at > clock_timestamp() OR reason IS NOT NULL OR error IS NOT NULL)
    FOR UPDATE SKIP LOCKED),
hurried AS (
    UPDATE work SET due_at = least(due_at, clock_timestamp()), reason = NULL, error = NULL,
           sent_at = CASE WHEN NOT is_early THEN sent_at END, sends = CASE WHEN is_early THEN 0 ELSE sends END
    FROM waiting WHERE work.id = waiting.id AND status = 'Queued' RETURNING is_early)
SELECT count(*) FROM hurried WHERE is_early"""


@dataclass(frozen=True, slots=True)
class Curation:
    """What a decision did."""

    updated_count: int
    queued_count: int


def curate(stage: Stage, entity_ids: Collection[int], status: str, *, auto: bool = False) -> Curation:
    """Set the decision on a stage's entities; only `Selected` queues anything."""
    if status not in CURATION_STATUSES:
        raise BadInput(f"There is no curation status {status!r}. Use one of: {', '.join(CURATION_STATUSES)}.")
    with transaction() as (_, connection):
        updated = connection.execute(_decide_sql(stage), (status, list(entity_ids))).rowcount
        queued = _queue(connection, stage, entity_ids, auto=auto) if status == SELECTED else 0
    if queued:
        doorbell.ring(window.fill(stage))
    return Curation(updated, queued)


def dated(stage: Stage) -> str:
    """Spell in SQL what an update of a stage's entities sets besides: when, where they have a date."""
    return ", updated_at = now()" if "updated_at" in stage.entity.__table__.columns else ""


def hurry(connection: Connection, stage: Stage, among: str, values: Mapping[str, Any]) -> int:
    """Let work go now that waits out a failure, where its entity's id is `among` these; give how much that was."""
    sql = HURRY.format(among=among).encode()
    row = connection.execute(sql, {**values, "stage": stage.name}).fetchone()
    return int(row[0]) if row else 0


def _decide_sql(stage: Stage) -> bytes:
    return f"UPDATE {stage.table} SET curation_status = %s{dated(stage)} WHERE id = ANY(%s)".encode()


def _queue(connection: Connection, stage: Stage, entity_ids: Collection[int], *, auto: bool) -> int:
    """Start what is new or has ended, hurry what waits out a failure, and give how many of both."""
    hurried = hurry(connection, stage, "= ANY(%(ids)s)", {"ids": list(entity_ids)})
    return len(queue.add(connection, stage, entity_ids, auto=auto)) + hurried

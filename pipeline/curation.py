"""Curation: a person's decision on entities. Selected queues the stage's work in the same transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from errors import BadInput
from models.base import CURATION_STATUSES
from pipeline import doorbell, queue, window
from pipeline.database import transaction
from pipeline.stage import Stage


@dataclass(frozen=True, slots=True)
class Curation:
    """What a decision did."""

    updated_count: int
    queued_count: int


def curate(stage: Stage, entity_ids: Collection[int], status: str, *, auto: bool = False) -> Curation:
    """Set the decision on a stage's entities; only `Selected` queues anything."""
    if status not in CURATION_STATUSES:
        raise BadInput(f"There is no curation status {status!r}. Use one of: {', '.join(CURATION_STATUSES)}.")
    sql = f"UPDATE {stage.table} SET curation_status = %s WHERE id = ANY(%s)".encode()
    with transaction() as (_, connection):
        updated = connection.execute(sql, (status, list(entity_ids))).rowcount
        queued = queue.add(connection, stage, entity_ids, auto=auto) if status == "Selected" else []
    if queued:
        doorbell.ring(window.fill(stage))
    return Curation(updated, len(queued))

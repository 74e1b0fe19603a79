"""Curate: one decision on many rows, counted first where that is asked, and remembered so that it can be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from accounts import audit
from accounts.caller import Caller
from entities.catalog import entity_named
from entities.chosen import Chosen, chosen_sql
from entities.entity import Entity
from errors import BadInput
from models.base import CURATION_STATUSES
from pipeline import doorbell, queue, window
from pipeline.curation import SELECTED, dated, hurry
from pipeline.database import Connection, statement, transaction
from pipeline.decisions import stage_of_table
from pipeline.hold import HELD_UNTIL
from pipeline.owner import tenant_of
from pipeline.patience import past_deadlocks
from pipeline.stage import Stage

# One decision of a tenant on an entity at a time: deciding holds rows before their work, undoing the other way round.
LOCK_CLASS = 7303
LOCK = b"SELECT pg_advisory_xact_lock(%s, hashtext(%s))"

# In the order of ids, so that whoever else locks many rows in this order waits instead of dying. `at` is after the last
# row was queued: work with a later `queued_at` was queued again by somebody else.
DECIDE = """
WITH target AS MATERIALIZED (
    SELECT entity.id, entity.tenant_id, entity.curation_status AS before, {lane} AS lane
    FROM {rows} WHERE {condition} ORDER BY entity.id FOR NO KEY UPDATE OF entity),
decided AS (
    UPDATE {table} SET curation_status = %(status)s{dated} FROM target WHERE {table}.id = target.id),
{queued},
operation AS (
    INSERT INTO operations
        (tenant_id, user_id, entity, status, detail, updated_count, queued_count, queued_work_ids, at)
    SELECT %(tenant)s, %(user)s, %(entity)s, %(status)s, %(detail)s,
           known.many, cardinality(started.ids), started.ids, clock_timestamp()
    FROM (SELECT count(*) AS many FROM target) known,
         (SELECT coalesce(array_agg(id), '{{}}') AS ids FROM queued) started
    RETURNING id, updated_count, queued_count),
remembered AS (
    INSERT INTO operation_changes (operation_id, before, entity_ids)
    SELECT operation.id, before, array_agg(target.id) FROM target, operation GROUP BY operation.id, before)
SELECT id, updated_count, queued_count FROM operation"""

QUEUED = f"opened AS ({queue.OPEN_LANES}), queued AS ({queue.START})"
NONE_QUEUED = "queued AS (SELECT NULL::bigint AS id WHERE false)"

OF_OPERATION = "= ANY(ARRAY(SELECT unnest(entity_ids) FROM operation_changes WHERE operation_id = %(operation)s))"
MORE_QUEUED = b"UPDATE operations SET queued_count = queued_count + %(many)s WHERE id = %(operation)s"

COUNT = f"""
SELECT count(*), count(*) FILTER (WHERE %(status)s = 'Selected' AND (
           work.status IS NULL OR work.status NOT IN ('Queued', 'Processing')
           OR (work.status = 'Queued' AND work.due_at > clock_timestamp() AND work.due_at < {HELD_UNTIL})))
FROM (SELECT entity.id FROM {{rows}} WHERE {{condition}}) target
LEFT JOIN LATERAL (
    SELECT status, due_at FROM work WHERE stage = %(stage)s AND entity_id = target.id LIMIT 1) work ON true"""


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided on which rows; `stage` is the one that `Selected` lets them into, by default the first."""

    status: str
    chosen: Chosen
    stage: str | None = None
    auto: bool = False

    @property
    def only_id(self) -> int | None:
        """Give the id of a decision on one row that was named."""
        ids = set(self.chosen.ids or ())
        return ids.pop() if len(ids) == 1 else None

    def detail(self, stage: Stage) -> dict[str, Any]:
        """Say how the rows were chosen, for people who look at it later."""
        ids = None if self.chosen.ids is None else len(self.chosen.ids)
        how = {"where": list(self.chosen.where), "ids": ids, "all": self.chosen.everything}
        return {**how, "stage": stage.name, "auto": self.auto}


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision did, or would do: only what was done has an operation."""

    operation_id: int | None
    updated_count: int
    queued_count: int


def count(caller: Caller | None, name: str, decision: Decision) -> Decided:
    """Count what a decision would set and queue, and change nothing."""
    entity, stage = _meant(name, decision)
    rows, condition, values = chosen_sql(entity, tenant_deciding(caller), decision.chosen)
    sql = COUNT.format(rows=rows, condition=condition)
    values |= {"status": decision.status, "stage": stage.name}
    with statement() as connection:
        row = connection.execute(sql.encode(), values, prepare=False).fetchone()
    return Decided(None, *(row or (0, 0)))


def decide(caller: Caller | None, name: str, decision: Decision) -> Decided:
    """Set the decision on all rows meant; `Selected` queues their work in the same transaction, nothing else does.

    Without a caller it is the person at the keyboard who decides.
    """
    entity, stage = _meant(name, decision)
    done = past_deadlocks(lambda: _decide(caller, entity, stage, decision))
    if done.queued_count:
        doorbell.ring(window.fill(stage))
    return done


def tenant_deciding(caller: Caller | None) -> UUID:
    """Give whose rows are decided on."""
    return tenant_of(None if caller is None else caller.tenant_id)


def lock(connection: Connection, tenant_id: UUID, entity: str) -> None:
    """Wait until no other decision of the tenant on this entity is being made or taken back."""
    connection.execute(LOCK, (LOCK_CLASS, f"{tenant_id}/{entity}"))


def _meant(name: str, decision: Decision) -> tuple[Entity, Stage]:
    if decision.status not in CURATION_STATUSES:
        known = ", ".join(CURATION_STATUSES)
        raise BadInput(f"There is no curation status {decision.status!r}. Use one of: {known}.")
    entity = entity_named(name)
    return entity, stage_of_table(entity.table, decision.stage)


def _decide(caller: Caller | None, entity: Entity, stage: Stage, decision: Decision) -> Decided:
    with transaction() as (_, connection):
        lock(connection, tenant_deciding(caller), entity.name)
        done = _set(connection, caller, entity, stage, decision)
        told = {"operation_id": done.operation_id, "status": decision.status, **decision.detail(stage)}
        counts = {"updated_count": done.updated_count, "queued_count": done.queued_count}
        audit.note(connection, caller, "curate", entity.name, told | counts, entity_id=decision.only_id)
    return done


def _set(connection: Connection, caller: Caller | None, entity: Entity, stage: Stage, decision: Decision) -> Decided:
    rows, condition, values = chosen_sql(entity, tenant_deciding(caller), decision.chosen)
    sql = DECIDE.format(
        rows=rows,
        condition=condition,
        table=entity.table,
        lane=f"entity.{stage.lane}" if stage.lane else "NULL::text",
        dated=dated(stage),
        queued=QUEUED if decision.status == SELECTED else NONE_QUEUED,
    )
    own = {
        "status": decision.status,
        "user": None if caller is None else caller.user_id,
        "entity": entity.name,
        "detail": Jsonb(decision.detail(stage)),
    }
    values |= {**own, **queue.values_of(stage, auto=decision.auto)}
    # Planned anew: a plan that is to serve any choice is a bad one for most.
    row = connection.execute(sql.encode(), values, prepare=False).fetchone()
    operation_id, updated, queued = row or (0, 0, 0)
    if decision.status == SELECTED:
        queued += _hurry(connection, stage, operation_id)
    return Decided(operation_id, updated, queued)


def _hurry(connection: Connection, stage: Stage, operation_id: int) -> int:
    many = hurry(connection, stage, OF_OPERATION, {"operation": operation_id})
    if many:
        connection.execute(MORE_QUEUED, {"many": many, "operation": operation_id})
    return many

"""Errand: what a firing of a schedule queues, in the transaction that records it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from errors import BadInput
from models import Domain, Search, WebhookDelivery
from pipeline import queue
from pipeline.database import Connection
from pipeline.stage import Stage, all_stages, stage_named

NOTHING_TO_REFRESH = "The search has found no site that was visited before."

# A search says itself whether people decide about what it finds; other work goes on as it did before.
AUTO_OF_SEARCH = "mode = 'auto'"
AUTO_OF_WORK = "coalesce((SELECT auto FROM work WHERE stage = %(stage)s AND entity_id = entity.id), true)"
ENTITY = "SELECT {auto} FROM {table} AS entity WHERE id = %(entity)s AND tenant_id = %(tenant)s"

# Only what was visited before and nobody has turned down: a refresh decides nothing in a person's place.
VISITED = b"""
SELECT DISTINCT domains.id FROM search_places
JOIN local_businesses business USING (place_id)
JOIN local_business_domains link ON link.local_business_id = business.id
JOIN domains ON domains.id = link.domain_id
JOIN work ON work.entity_id = domains.id AND work.stage = %(stage)s AND work.status <> 'Cancelled'
WHERE search_places.search_id = %(entity)s AND domains.tenant_id = %(tenant)s
  AND domains.curation_status NOT IN ('Not a Fit', 'Archived')
ORDER BY domains.id"""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a schedule wants done, and for whom."""

    tenant_id: UUID
    action: str
    stage: str
    entity_id: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an errand went; `stage` is the one to ring for."""

    result: str
    queued_count: int = 0
    error: str | None = None
    stage: Stage | None = None


def carry_out(connection: Connection, errand: Errand) -> Outcome:
    """Queue what is wanted; what cannot be done is an outcome too, so that the schedule's history tells it."""
    try:
        return _refresh(connection, errand) if errand.action == "refresh" else _run(connection, errand)
    except BadInput as fault:  # a stage that no longer exists
        return Outcome("error", error=str(fault))


def stage_of(action: str, name: str) -> Stage:
    """Give the stage whose work an action queues, or say why it cannot."""
    stage = stage_named(name)
    if stage.table == WebhookDelivery.__tablename__:
        raise BadInput("What webhooks are told is not told on a schedule: an admin may send a message again.")
    if action != "refresh":
        return stage
    if stage.table != Search.__tablename__:
        raise BadInput(f"Only what a search has found can be refreshed: give the stage of searches, not {name!r}.")
    return next(stage for stage in all_stages() if stage.table == Domain.__tablename__)


def has_entity(connection: Connection, errand: Errand) -> bool:
    """Tell whether the entity exists and belongs to the tenant."""
    return _auto(connection, errand, stage_named(errand.stage)) is not None


def _run(connection: Connection, errand: Errand) -> Outcome:
    stage = stage_of(errand.action, errand.stage)
    auto = _auto(connection, errand, stage)
    if auto is None:
        return Outcome("no-entity")
    return _outcome(queue.add(connection, stage, [errand.entity_id], auto=auto), stage)


def _refresh(connection: Connection, errand: Errand) -> Outcome:
    stage = stage_of(errand.action, errand.stage)
    auto = _auto(connection, errand, stage_named(errand.stage))
    if auto is None:
        return Outcome("no-entity")
    values = {"stage": stage.name, "entity": errand.entity_id, "tenant": errand.tenant_id}
    ids = [domain_id for (domain_id,) in connection.execute(VISITED, values).fetchall()]
    if not ids:
        return Outcome("no-entity", error=NOTHING_TO_REFRESH)
    return _outcome(queue.add(connection, stage, ids, auto=auto), stage)


def _auto(connection: Connection, errand: Errand, stage: Stage) -> bool | None:
    auto = AUTO_OF_SEARCH if stage.table == Search.__tablename__ else AUTO_OF_WORK
    sql = ENTITY.format(auto=auto, table=stage.table).encode()
    values = {"stage": stage.name, "entity": errand.entity_id, "tenant": errand.tenant_id}
    row = connection.execute(sql, values).fetchone()
    return None if row is None else bool(row[0])


def _outcome(queued: list[int], stage: Stage) -> Outcome:
    return Outcome("queued" if queued else "still-running", len(queued), stage=stage)

"""Change: correct what is known of one row, or decide about it, with an entry that says how it was before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from accounts import audit
from accounts.caller import Caller
from entities import curate, listing
from entities.chosen import Chosen
from entities.entity import Entity
from entities.facts import CHECKS, CORRECTABLE, Facts
from errors import BadInput, NotFound
from leads import contacts
from pipeline.database import Connection, transaction

Row = dict[str, Any]
DECISION = "curation_status"

FOUND = "SELECT * FROM {table} WHERE tenant_id = %(tenant)s AND id = %(id)s FOR UPDATE"
CORRECT = "UPDATE {table} SET {changes}, updated_at = now() WHERE tenant_id = %(tenant)s AND id = %(id)s"
# What a person says is theirs: it does not expire as what a provider lends does.
OWN_SOURCES = ", field_sources = field_sources || %(sources)s"


def change(caller: Caller, entity: Entity, row_id: int, given: Mapping[str, Any]) -> Row:
    """Correct facts and decide, whichever is given, and show the row as it then is."""
    facts = {name: value for name, value in given.items() if name != DECISION}
    decision = given.get(DECISION)
    if not facts and decision is None:
        raise BadInput(f"Say what to change: {', '.join((*changeable(entity), DECISION))}.")
    listing.one(entity, caller.tenant_id, row_id)  # refuses an id that is none of the tenant's
    if facts:
        _correct(caller, entity, row_id, facts)
    if decision is not None:
        _decide(caller, entity, row_id, decision)
    return listing.one(entity, caller.tenant_id, row_id)


def changeable(entity: Entity) -> tuple[str, ...]:
    """Name the facts of an entity that a person may correct."""
    if entity.table == "contacts":
        return tuple(name for name in contacts.CHANGEABLE if name != DECISION)
    return CORRECTABLE.get(entity.table, ())


def _decide(caller: Caller, entity: Entity, row_id: int, decision: str) -> None:
    curate.decide(caller, entity.name, curate.Decision(decision, Chosen(ids=[row_id])))


def _correct(caller: Caller, entity: Entity, row_id: int, facts: Facts) -> None:
    unknown = sorted(facts.keys() - set(changeable(entity)))
    if unknown:
        raise BadInput(f"The {unknown[0][:40]!r} of a {entity.noun} cannot be changed.")
    if entity.table == "contacts":
        contacts.update(
            caller.tenant_id, row_id, facts, user_id=caller.user_id, api_key_id=caller.api_key_id
        )  # fmt: skip
        return
    with transaction() as (_, connection):
        _store(connection, caller, entity, row_id, facts)


def _store(connection: Connection, caller: Caller, entity: Entity, row_id: int, facts: Facts) -> None:
    own = {"tenant": caller.tenant_id, "id": row_id}
    found = FOUND.format(table=entity.table)
    before = connection.cursor(row_factory=dict_row).execute(found.encode(), own).fetchone()
    if before is None:
        raise NotFound(f"There is no {entity.noun} {row_id}.")
    after = CHECKS[entity.table](connection, before, facts)
    changes = ", ".join(f"{name} = %({name})s" for name in after)
    values = {**own, **after}
    if "field_sources" in entity.by_name:
        changes += OWN_SOURCES
        values["sources"] = Jsonb({name: {"source": "person", "expires_at": None} for name in after})
    connection.execute(CORRECT.format(table=entity.table, changes=changes).encode(), values)
    detail = {"before": {name: before[name] for name in after}, "after": after}
    audit.note(connection, caller, "update", entity.name, detail, entity_id=row_id)

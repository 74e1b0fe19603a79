"""Saved views: how a person likes to see the table of an entity, under a name of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from accounts import audit
from accounts.caller import Caller
from entities import conditions, order
from entities.entity import Entity
from errors import BadInput, Conflict, NotFound
from pipeline.children import clean
from pipeline.database import Connection, statement, transaction

MOST_VIEWS = 100
LONGEST_NAME = 80

OWN = "tenant_id = %(tenant)s AND user_id = %(user)s"
COLUMNS = "id, entity, name, query"
LIST = f"SELECT {COLUMNS} FROM saved_views WHERE {OWN} AND entity = %(entity)s ORDER BY lower(name), id".encode()
ONE = f"SELECT {COLUMNS} FROM saved_views WHERE {OWN} AND id = %(id)s".encode()
COUNT = f"SELECT count(*) FROM saved_views WHERE {OWN} AND entity = %(entity)s AND name <> %(name)s".encode()
SAVE = f"""
INSERT INTO saved_views (tenant_id, user_id, entity, name, query)
VALUES (%(tenant)s, %(user)s, %(entity)s, %(name)s, %(query)s)
ON CONFLICT (user_id, entity, name) DO UPDATE SET query = excluded.query, updated_at = now()
RETURNING {COLUMNS}""".encode()
# A name that is taken leaves the view as it was.
RENAME = f"""
UPDATE saved_views SET name = %(name)s, updated_at = now() WHERE {OWN} AND id = %(id)s AND NOT EXISTS (
    SELECT 1 FROM saved_views other
    WHERE other.user_id = %(user)s AND other.entity = saved_views.entity AND other.name = %(name)s
      AND other.id <> saved_views.id)
RETURNING {COLUMNS}""".encode()
DELETE = f"DELETE FROM saved_views WHERE {OWN} AND id = %(id)s".encode()
# One person saves one view at a time: two at once would pass the limit, or want the same name.
LOCK = b"SELECT id FROM users WHERE id = %(user)s FOR UPDATE"


@dataclass(frozen=True, slots=True)
class Look:
    """What a table shows: conditions, order and columns; nothing said means as it comes."""

    where: Sequence[str] = ()
    sort: str = ""
    columns: Sequence[str] = ()

    def check(self, entity: Entity) -> None:
        """Refuse what could not be shown."""
        conditions.read(entity, self.where)
        order.read(entity, self.sort)
        known = {column.name for column in entity.listed}
        for name in self.columns:
            if name not in known:
                raise BadInput(f"The table of {entity.plural} has no column {name[:60]!r}: choose from its list.")


@dataclass(frozen=True, slots=True)
class View:
    """A look with a name."""

    id: int
    entity: str
    name: str
    look: Look = field(default_factory=Look)


def list_views(caller: Caller, entity: Entity) -> list[View]:
    """Give a person's own views of an entity's table, by name."""
    with statement() as connection:
        return _views(connection, LIST, _own(caller, entity=entity.name))


def one(caller: Caller, view_id: int) -> View:
    """Give one of a person's own views, or say that there is none."""
    with statement() as connection:
        return _found(_views(connection, ONE, _own(caller, id=view_id)), view_id)


def save(caller: Caller, entity: Entity, name: str, look: Look) -> View:
    """Keep a look under a name; what had the name before is replaced."""
    look.check(entity)
    query = {"where": list(look.where), "sort": look.sort, "columns": list(look.columns)}
    values = _own(caller, entity=entity.name, name=_name(name), query=Jsonb(query))
    with transaction() as (_, connection):
        connection.execute(LOCK, values)
        row = connection.execute(COUNT, values).fetchone()
        if row is not None and row[0] >= MOST_VIEWS:
            raise BadInput(f"You have {MOST_VIEWS} views of {entity.plural} already: delete one first.")
        (saved,) = _views(connection, SAVE, values)
        told = {"table": entity.name, "name": saved.name, **query}
        audit.note(connection, caller, "save", "saved_views", told, entity_id=saved.id)
    return saved


def rename(caller: Caller, view_id: int, name: str) -> View:
    """Give a view another name that no other view of the table has."""
    values = _own(caller, id=view_id, name=_name(name))
    with transaction() as (_, connection):
        connection.execute(LOCK, values)
        before = _found(_views(connection, ONE, values), view_id)
        renamed = _views(connection, RENAME, values)
        if not renamed:
            raise Conflict(f"You have another view with the name {values['name']!r}: choose a name that is free.")
        told = {"table": before.entity, "before": before.name, "name": values["name"]}
        audit.note(connection, caller, "rename", "saved_views", told, entity_id=view_id)
    return renamed[0]


def delete(caller: Caller, view_id: int) -> View:
    """Delete a view and give what it was."""
    values = _own(caller, id=view_id)
    with transaction() as (_, connection):
        connection.execute(LOCK, values)
        gone = _found(_views(connection, ONE, values), view_id)
        connection.execute(DELETE, values)
        told = {"table": gone.entity, "name": gone.name}
        audit.note(connection, caller, "delete", "saved_views", told, entity_id=view_id)
    return gone


def _own(caller: Caller, **values: Any) -> dict[str, Any]:
    return {"tenant": caller.tenant_id, "user": caller.user_id, **values}


def _views(connection: Connection, sql: bytes, values: dict[str, Any]) -> list[View]:
    rows = connection.cursor(row_factory=dict_row).execute(sql, values).fetchall()
    return [View(row["id"], row["entity"], row["name"], _look(row["query"])) for row in rows]


def _look(query: dict[str, Any]) -> Look:
    return Look(tuple(query.get("where", ())), query.get("sort", ""), tuple(query.get("columns", ())))


def _found(views: list[View], view_id: int) -> View:
    if not views:
        raise NotFound(f"You have no view {view_id}: it may have been deleted.")
    return views[0]


def _name(written: str) -> str:
    name = " ".join(clean(written).split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise BadInput(f"A view needs a name of 1 to {LONGEST_NAME} characters.")
    return name

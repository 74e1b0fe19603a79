"""Compare the models with a database and say the differences in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Column, Connection, Table
from sqlalchemy.schema import SchemaItem

from models import Base

COMPARE_OPTIONS: dict[str, Any] = {"compare_type": True, "compare_server_default": True}


def describe_differences(connection: Connection) -> list[str]:
    """List every column, index, key and default that models and database do not share."""
    context = MigrationContext.configure(connection, opts={**COMPARE_OPTIONS, "include_object": is_ours})
    return [_sentence(change) for change in _flat(compare_metadata(context, Base.metadata))]


def is_ours(_item: SchemaItem, name: str | None, kind: str, reflected: bool, _other: SchemaItem | None) -> bool:
    """Leave out tables that a person or an extension keeps beside ours."""
    return kind != "table" or not reflected or name in Base.metadata.tables


def _flat(changes: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Open the lists in which Alembic groups the changes of one column."""
    for change in changes:
        if isinstance(change, list):
            yield from change
        else:
            yield change


def _sentence(change: tuple[Any, ...]) -> str:
    """Say one change the way Alembic would make it: `add column pages.title`."""
    words = change[0].replace("_", " ")
    if words.startswith("modify"):
        _, _, table, column, _, found, wanted = change
        return f"{words} {table}.{column}: the database has {_shown(found)}, the models {_shown(wanted)}"
    return f"{words} {_name(change)}"


def _name(change: tuple[Any, ...]) -> str:
    item = change[-1]
    if isinstance(item, Column):
        return f"{change[2]}.{item.name}"
    if isinstance(item, Table):
        return item.name
    table = getattr(item, "table", None)
    return f"{item.name} on {table.name}" if table is not None else str(item.name)


def _shown(value: Any) -> str:
    """Write a type, a default or a yes-or-no as SQL would."""
    return str(getattr(value, "arg", value))

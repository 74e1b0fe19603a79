"""What a row of an entity looks like in an answer, made from what the entity says of its columns."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from entities.column import Column
from entities.entity import Entity

# How each kind of column can be asked for.
OPERATORS = {
    "text": "`=` `!=` `~` (contains), in any case",
    "choice": "`=` `!=`, several with commas",
    "number": "`=` `!=` `>=` `<=` `>` `<`, several with commas",
    "date": "`=` `!=` `>=` `<=` `>` `<` a day or a moment",
    "flag": "`=` `!=` true or false",
    "list": "`=` `!=` one of its items, `~` a part of one",
}


@cache
def row_model(entity: Entity) -> type[BaseModel]:
    """Make the model of a row in a list."""
    return _model(f"{_title(entity)}Row", f"A {entity.noun} in a list.", entity.listed)


@cache
def details_model(entity: Entity) -> type[BaseModel]:
    """Make the model of one row with all its columns."""
    return _model(f"{_title(entity)}Details", f"All that is known of a {entity.noun}.", entity.shown)


def fields_text(entity: Entity) -> str:
    """List what can be asked for, for the description of a list."""
    lines = []
    for kind, how in OPERATORS.items():
        own = [f"`{column.name}`{_about(column)}" for column in entity.columns if column.kind == kind]
        lines += [f"- {kind} ({how}): {', '.join(own)}"] if own else []
    return "\n".join(lines)


def _about(column: Column) -> str:
    return f" ({column.about})" if column.about and not column.is_shown else ""


def _title(entity: Entity) -> str:
    return "".join(word.capitalize() for word in entity.noun.split())


def _model(name: str, about: str, columns: Iterable[Column]) -> type[BaseModel]:
    fields: dict[str, Any] = {column.name: (_type(column), _field(column)) for column in columns}
    return create_model(name, __doc__=about, **fields)


def _field(column: Column) -> Any:
    return Field(description=column.about or column.name.replace("_", " "))


def _type(column: Column) -> Any:
    own = _plain_type(column)
    return own | None if column.is_nullable else own


def _plain_type(column: Column) -> Any:
    if column.kind == "choice":
        return Literal[column.choices]
    if column.kind == "number":
        return int if column.type == "bigint" else float
    return {"text": str, "date": datetime, "flag": bool, "list": list[Any], "object": dict[str, Any]}[column.kind]

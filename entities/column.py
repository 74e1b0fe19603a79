"""Column: one thing that people see of an entity, by which they may filter and sort."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Boolean, DateTime, Double, Integer, Numeric, Uuid
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.elements import KeyedColumnElement

from models.base import EMPTY_LIST, Base
from models.work import WORK_STATUSES
from services.where import LISTS, Field, Kind

ShownKind = Kind | Literal["object"]

# What a sorted value is compared as, and so what a cursor's text is read as.
POSTGRES_TYPES: Mapping[ShownKind, str] = {"date": "timestamptz", "flag": "boolean"}
# Longer text is sorted by how it begins: a cursor has to carry it.
SORTED_CHARACTERS = 250


@dataclass(frozen=True, slots=True)
class Column:
    """What it is called, its kind, and the SQL that gives it, of `entity` and what `join` adds.

    `among` asks whether one of many values, `asked_sql`, fits. A column that is not `is_shown` can only be asked for;
    one that is not `is_listed` is shown of one row alone. `is_small` text is stored in small letters.
    """

    name: str
    kind: ShownKind
    sql: str
    about: str = ""
    choices: tuple[str, ...] = ()
    type: str = "text"
    join: str | None = None
    among: str = "{fits}"
    asked_sql: str = ""
    is_nullable: bool = True
    is_shown: bool = True
    is_listed: bool = True
    is_small: bool = False

    @property
    def field(self) -> Field | None:
        """Say how it is asked for; an object is not."""
        return None if self.kind == "object" else Field(self.kind, self.choices)

    @property
    def operators(self) -> tuple[str, ...]:
        """Name the comparisons that it knows."""
        return () if self.kind == "object" else LISTS.operators[self.kind]

    @property
    def sort_sql(self) -> str:
        """Give what rows are sorted by: text without regard to the case of A to Z, in every database the same."""
        if self.kind in ("text", "choice", "list"):
            return f'lower(left(({self.sql})::text, {SORTED_CHARACTERS}) COLLATE "C")'
        return self.sql

    @property
    def sort_type(self) -> str:
        """Name the type of what rows are sorted by."""
        return "text" if self.kind in ("text", "choice", "list") else POSTGRES_TYPES.get(self.kind, self.type)


def number(name: str, sql: str, about: str = "", **more: object) -> Column:
    """Make a column of whole numbers."""
    return Column(name, "number", sql, about, type="bigint", **more)  # type: ignore[arg-type]


def of_model(
    model: type[Base],
    *,
    hidden: Collection[str] = (),
    unlisted: Collection[str] = (),
    choices: Mapping[str, tuple[str, ...]] | None = None,
    about: Mapping[str, str] | None = None,
) -> Iterator[Column]:
    """Make the columns of a table, but for those that are nobody's business."""
    for column in model.__table__.columns:
        if column.name in hidden:
            continue
        own = (choices or {}).get(column.name, ())
        yield Column(
            column.name,
            "choice" if own else _kind(column),
            f"entity.{column.name}" + ("::text" if isinstance(column.type, Uuid) else ""),
            (about or {}).get(column.name, ""),
            own,
            _type(column),
            is_nullable=bool(getattr(column, "nullable", True)),
            is_listed=column.name not in unlisted,
        )


def _kind(column: KeyedColumnElement[Any]) -> ShownKind:
    if isinstance(column.type, Integer | Numeric | Double):
        return "number"
    if isinstance(column.type, DateTime):
        return "date"
    if isinstance(column.type, Boolean):
        return "flag"
    if isinstance(column.type, JSONB):
        default = getattr(column.server_default, "arg", None)
        return "list" if default is EMPTY_LIST else "object"
    return "text"


def _type(column: KeyedColumnElement[Any]) -> str:
    if isinstance(column.type, Double):
        return "float8"
    if isinstance(column.type, Integer):
        return "bigint"
    return "numeric" if isinstance(column.type, Numeric) else "text"


def join_of_stage(stage: str) -> str:
    """Write the join that brings a stage's work on the entity, of which there is one piece at most."""
    alias = f"{stage}_work"
    return f"LEFT JOIN work AS {alias} ON {alias}.stage = '{stage}' AND {alias}.entity_id = entity.id"


def of_stage(stage: str, shown: str) -> Iterator[Column]:
    """Make the columns under which people know a stage's status."""
    work = f"{stage}_work"
    yield Column(
        f"{shown}_status", "choice", f"{work}.status", f"how {stage} stands; empty: never queued", WORK_STATUSES,
        join=work,
    )  # fmt: skip
    yield Column(f"{shown}_reason", "text", f"{work}.reason", f"why {stage} ended or waits", join=work)
    yield Column(f"{shown}_error", "text", f"{work}.error", f"what went wrong in {stage} last", join=work)
    yield number(f"{shown}_attempts", f"{work}.attempts", f"how often {stage} was tried", join=work)
    yield Column(
        f"{shown}_due_at", "date", f"CASE WHEN {work}.status = 'Queued' THEN {work}.due_at END",
        f"when {stage} runs next; in the year 9999 what a person holds", join=work,
    )  # fmt: skip

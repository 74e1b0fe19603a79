"""Table of Curate: its heads, by which it is sorted, and its rows, each with how its furthest work stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dashboard.curate_asked import Asked
from dashboard.curate_tabs import DECISION, Tab
from dashboard.words import ago, title_of
from entities import listing, order
from entities.column import Column
from entities.entity import Entity
from entities.listing import Wanted

LINKS = ("website", "url")
YEAR_HELD = 9999

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: its name, how it is sorted now, and the address with the next order."""

    title: str
    is_number: bool
    sorted: str | None
    path: str | None
    about: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One value and how it is written."""

    title: str
    look: str
    value: Any


@dataclass(frozen=True, slots=True)
class Work:
    """How a row's work stands at the furthest stage that it has reached."""

    stage: str
    status: str
    reason: str | None
    error: str | None
    attempts: int
    due_at: datetime | None

    @property
    def is_held(self) -> bool:
        return self.due_at is not None and self.due_at.year == YEAR_HELD

    @property
    def next_try(self) -> str:
        """Say when it is tried next; what is due already waits for its turn alone."""
        return "now" if self.due_at is None or self.due_at <= datetime.now(UTC) else ago(self.due_at)


@dataclass(frozen=True, slots=True)
class Line:
    """One row as it is shown."""

    id: int
    name: str
    page: str
    status: str
    cells: list[Cell]
    work: Work | None


@dataclass(frozen=True, slots=True)
class Shown:
    """One page of a table."""

    heads: list[Head]
    lines: list[Line]
    next_path: str | None


def show_page(asked: Asked, tenant_id: Any) -> Shown:
    """Read one page of a tenant's rows."""
    columns = asked.tab.shown(asked.columns)
    wanted = Wanted(asked.where, asked.sort, asked.limit, asked.cursor, has_total=False)
    found = listing.list_rows(asked.tab.entity, tenant_id, wanted)
    onward = None if found.next_cursor is None else asked.change(cursor=found.next_cursor).address()
    return Shown(heads(asked, columns), lines(asked.tab, columns, found.rows), onward)


def show_some(tab: Tab, tenant_id: Any, columns: Sequence[str], ids: Sequence[int]) -> list[Line]:
    """Read these rows anew, as they stand now."""
    return lines(tab, tab.shown(columns), listing.some(tab.entity, tenant_id, ids))


def heads(asked: Asked, columns: Iterable[Column]) -> list[Head]:
    """Give the heads of the row's name, of the columns, and of the decision."""
    by_name = asked.tab.entity.by_name
    return [_head(asked, column) for column in (by_name[asked.tab.name], *columns, by_name[DECISION])]


def _head(asked: Asked, column: Column) -> Head:
    key = order.read(asked.tab.entity, asked.sort).keys[0]
    is_number = column.kind == "number"
    title = "Decision" if column.name == DECISION else title_of(column.name)
    if column.kind == "object":
        return Head(title, False, None, None, column.about)
    now = ("descending" if key.is_descending else "ascending") if key.column is column else None
    return Head(title, is_number, now, asked.other(sort=_next_sort(column, now)), column.about)


def _next_sort(column: Column, now: str | None) -> str:
    """Turn the order round, then give it up; of numbers and days the largest come first."""
    first, second = ("-", "") if column.kind in ("number", "date") else ("", "-")
    if now is None:
        return f"{first}{column.name}"
    is_first = (now == "descending") == (first == "-")
    return f"{second}{column.name}" if is_first else ""


def lines(tab: Tab, columns: Sequence[Column], rows: Iterable[Row]) -> list[Line]:
    """Give rows as they are shown."""
    return [_line(tab, columns, row) for row in rows]


def _line(tab: Tab, columns: Sequence[Column], row: Row) -> Line:
    name = row[tab.name] or f"{tab.entity.noun} {row['id']} without a name"
    cells = [Cell(title_of(column.name), look_of(column), row[column.name]) for column in columns]
    return Line(row["id"], name, tab.page.format(id=row["id"]), row[DECISION], cells, work_of(tab.entity, row))


def look_of(column: Column) -> str:
    """Say how a column's values are written."""
    if column.kind == "text":
        if column.name in LINKS or column.name.endswith("_url"):
            return "link"
        return "reason" if column.name.endswith("_reason") else "text"
    if column.kind == "choice":
        return "status" if column.name.endswith("status") or column.name == "verdict" else "word"
    return column.kind


def work_of(entity: Entity, row: Row) -> Work | None:
    """Give a row's work at the furthest stage that has any."""
    for stage, shown in reversed(tuple(entity.stages.items())):
        status = row[f"{shown}_status"]
        if status is not None:
            told = [row[f"{shown}_{what}"] for what in ("reason", "error", "attempts", "due_at")]
            return Work(stage, status, *told)
    return None

"""Work, a page at a time: in a stable order, each piece with the name of what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from errors import BadInput
from operations.figures import Row, rows
from pipeline.hold import HELD_UNTIL
from pipeline.paging import Listed, pages_of
from pipeline.selection import Match
from pipeline.stage import Stage, all_stages
from services.cursor import moment

# What is sorted by a time and has none comes last, in either direction. By the entity's id an index gives the newest of
# one stage; by the work's own id, all newer work of the other stages is read first.
KEYS = {
    "id": "work.id",
    "entity_id": "work.entity_id",
    "due_at": f"coalesce(nullif(work.due_at, {HELD_UNTIL}), '{{last}}'::timestamptz)",
    "finished_at": "coalesce(work.finished_at, '{last}'::timestamptz)",
}
SORTS = tuple(f"{sign}{name}" for name in KEYS for sign in ("", "-"))
DEFAULT_SORT = "-id"
ENDLESS = ("infinity", "-infinity")

COLUMNS = f"""
id, stage, entity_id, status, reason, error, attempts, crashes, auto, priority, lane AS host,
CASE WHEN due_at < {HELD_UNTIL} THEN due_at END AS due_at, status = 'Queued' AND due_at = {HELD_UNTIL} AS is_held,
queued_at, sent_at, started_at, deadline_at, finished_at, worker_id, parent_id"""

PAGE = """
SELECT {columns}, ({key})::text AS key FROM work WHERE {condition} {after}
ORDER BY {order} LIMIT %(most)s"""

TOTAL = "SELECT count(*) AS many FROM work WHERE {condition}"

# The first of these that an entity has is what people call it.
NAMES = ("name", "url", "value", "what", "event")
NAMES_OF = "SELECT id, {name}::text AS name FROM {table} WHERE id = ANY(%(ids)s) AND tenant_id = %(tenant)s"


@dataclass(frozen=True, slots=True)
class Order:
    """An order of work that is stable: rows that are equal in it come by their ids."""

    sort: str

    @property
    def key(self) -> str:
        last = "-infinity" if self.is_descending else "infinity"
        return KEYS[self.sort.removeprefix("-")].format(last=last)

    @property
    def is_descending(self) -> bool:
        return self.sort.startswith("-")

    @property
    def is_by_id(self) -> bool:
        return self.sort.removeprefix("-") == "id"

    @property
    def is_by_number(self) -> bool:
        return self.sort.removeprefix("-") in ("id", "entity_id")

    @property
    def by(self) -> str:
        way = "DESC" if self.is_descending else "ASC"
        return f"{self.key} {way}, work.id {way}"

    @property
    def after(self) -> str:
        """The condition that leaves out what came before, up to the row of a cursor."""
        sign = "<" if self.is_descending else ">"
        if self.is_by_id:
            return f"AND work.id {sign} %(after_id)s"
        kind = "bigint" if self.is_by_number else "timestamptz"
        return f"AND ({self.key}, work.id) {sign} (%(after)s::{kind}, %(after_id)s)"

    def read_key(self, text: str) -> int | datetime | str:
        """Read again what a row was sorted by."""
        if self.is_by_number:
            return int(text)
        return text if text in ENDLESS else moment(text)


def page(
    match: Match, *, limit: int, sort: str = DEFAULT_SORT, cursor: str | None = None, with_total: bool = False
) -> Listed[Row]:
    """Give the next page of what matches, and, when it is asked for, how many match in all."""
    if sort not in SORTS:
        raise BadInput(f"Work cannot be sorted by {sort[:100]!r}. Use one of: {', '.join(SORTS)}.")
    order = Order(sort)
    condition, values = match.sql()
    pages = pages_of("work", sort, condition, sorted(values.items()))
    key, row_id = pages.place(cursor, order.read_key, int)
    sql = PAGE.format(
        columns=COLUMNS, key=order.key, condition=condition, after=order.after if cursor else "", order=order.by
    )
    found = rows(sql, {**values, "after": key, "after_id": row_id, "most": limit + 1})
    total = rows(TOTAL.format(condition=condition), values)[0]["many"] if with_total else None
    return pages.listed(found, limit, total, lambda row: (row["key"], row["id"]))


def name_entities(tenant_id: UUID, found: Sequence[Row]) -> list[Row]:
    """Say what each piece of work is about: the table, and what people call the row."""
    known = {stage.name: stage for stage in all_stages()}
    named: list[Row] = []
    names: dict[str, dict[int, str | None]] = {}
    for name in {row["stage"] for row in found} & known.keys():
        names[name] = _names(known[name], tenant_id, [row["entity_id"] for row in found if row["stage"] == name])
    for row in found:
        table = known[row["stage"]].table if row["stage"] in known else None
        name = names.get(row["stage"], {}).get(row["entity_id"])
        named.append(row | {"entity": table, "entity_name": name})
    return named


def _names(stage: Stage, tenant_id: UUID, ids: list[int]) -> dict[int, str | None]:
    columns = stage.entity.__table__.columns
    name = next((name for name in NAMES if name in columns), None)
    if name is None:
        return {}
    sql = NAMES_OF.format(name=name, table=stage.table)
    return {row["id"]: row["name"] for row in rows(sql, {"ids": ids, "tenant": tenant_id})}

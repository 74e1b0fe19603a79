"""Listing: one page of an entity's rows, filtered, sorted and counted; and one row by its id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from psycopg import DataError
from psycopg.rows import dict_row

from entities import order
from entities.chosen import Chosen, rows_sql
from entities.column import Column
from entities.entity import Entity
from entities.order import Order
from errors import BadInput, NotFound
from pipeline.database import Connection, statement
from pipeline.paging import Listed, Pages, pages_of
from services.cursor import UNREADABLE

Row = dict[str, Any]
MOST_ROWS = 500

# The rows of the page are chosen first; what the filter and the order do not need is looked up for these alone.
PAGE = """
SELECT {columns}, {keys}
FROM (SELECT entity.id, {sorted_by} FROM {source} WHERE {condition} AND {after}
      ORDER BY {chosen_by} LIMIT {limit}) AS chosen
JOIN {table} AS entity ON entity.id = chosen.id {joins} ORDER BY {order}"""

COUNT = "SELECT count(*) FROM {source} WHERE {condition}"
COUNT_UP_TO = "SELECT count(*) FROM (SELECT 1 FROM {source} WHERE {condition} LIMIT %(most)s) AS counted"
SOME = "SELECT {columns} FROM {source} WHERE {condition} ORDER BY entity.id"
ONE = "SELECT {columns} FROM {source} WHERE entity.tenant_id = %(tenant)s AND entity.id = %(id)s"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list is asked for: conditions, order, how many, from where on, and whether to count them all."""

    where: Sequence[str] = ()
    sort: str = ""
    limit: int = 50
    cursor: str | None = None
    has_total: bool = True


def list_rows(entity: Entity, tenant_id: UUID, wanted: Wanted) -> Listed[Row]:
    """Give one page of a tenant's rows."""
    asked = Chosen(where=wanted.where)
    sorted_by = order.read(entity, wanted.sort)
    pages = pages_of(entity.name, str(sorted_by), sorted(wanted.where))
    limit = max(1, min(wanted.limit, MOST_ROWS))
    sql, values = _page(entity, tenant_id, asked, sorted_by, limit, _after(wanted, pages, sorted_by))
    with statement() as connection:
        rows = (_rows_after if wanted.cursor else _rows)(connection, sql, values)
        total = _count(connection, entity, tenant_id, asked) if wanted.has_total else None
    ends = {row["id"]: [row.pop(f"key_{nth}") for nth in range(len(sorted_by.keys))] for row in rows}
    return pages.listed(rows, limit, total, lambda row: ends[row["id"]])


def _after(wanted: Wanted, pages: Pages, sorted_by: Order) -> tuple[str, Row]:
    if wanted.cursor is None:
        return "true", {}
    return sorted_by.after(pages.place(wanted.cursor, *[object] * len(sorted_by.keys)))


def _page(
    entity: Entity, tenant_id: UUID, asked: Chosen, sorted_by: Order, limit: int, after: tuple[str, Row]
) -> tuple[str, Row]:
    source, condition, values = rows_sql(entity, tenant_id, asked, sorted_by.columns)
    sql = PAGE.format(
        columns=_columns(entity.listed),
        keys=", ".join(f"chosen.key_{nth}::text AS key_{nth}" for nth in range(len(sorted_by.keys))),
        sorted_by=sorted_by.select_sql,
        source=source,
        condition=condition,
        after=after[0],
        chosen_by=sorted_by.order_sql(),
        limit=limit + 1,
        table=entity.table,
        joins=entity.joins_sql(entity.listed),
        order=sorted_by.order_sql("chosen."),
    )
    return sql, values | after[1]


@cache
def _columns(columns: tuple[Column, ...]) -> str:
    return ", ".join(f"{column.sql} AS {column.name}" for column in columns)


# Planned anew for the values at hand: a plan that is to serve any value walks the whole table where few rows match.
def _rows(connection: Connection, sql: str, values: Row) -> list[Row]:
    return connection.cursor(row_factory=dict_row).execute(sql.encode(), values, prepare=False).fetchall()


def _rows_after(connection: Connection, sql: str, values: Row) -> list[Row]:
    try:
        return _rows(connection, sql, values)
    except DataError:  # a forged value of a key: all else was checked before
        raise BadInput(UNREADABLE) from None


def _count(
    connection: Connection, entity: Entity, tenant_id: UUID, asked: Chosen, counting: str = COUNT, most: int = 0
) -> int:
    source, condition, values = rows_sql(entity, tenant_id, asked)
    sql = counting.format(source=source, condition=condition)
    row = connection.execute(sql.encode(), values | {"most": most}, prepare=False).fetchone()
    return int(row[0]) if row else 0


def count(entity: Entity, tenant_id: UUID, where: Sequence[str] = ()) -> int:
    """Count a tenant's rows that match."""
    with statement() as connection:
        return _count(connection, entity, tenant_id, Chosen(where=where))


def count_up_to(entity: Entity, tenant_id: UUID, where: Sequence[str], most: int) -> int:
    """Count a tenant's rows that match, and stop at `most`: nobody waits for a million."""
    with statement() as connection:
        return _count(connection, entity, tenant_id, Chosen(where=where), COUNT_UP_TO, most)


def some(entity: Entity, tenant_id: UUID, ids: Sequence[int]) -> list[Row]:
    """Give those of a tenant's rows that have these ids, as a list shows them."""
    source, condition, values = rows_sql(entity, tenant_id, Chosen(ids=ids), entity.listed)
    sql = SOME.format(columns=_columns(entity.listed), source=source, condition=condition)
    with statement() as connection:
        return _rows(connection, sql, values)


def one(entity: Entity, tenant_id: UUID, row_id: int) -> Row:
    """Give one row with all its columns, or say that there is none."""
    sql = ONE.format(columns=_columns(entity.shown), source=entity.from_sql(entity.shown))
    with statement() as connection:
        rows = _rows(connection, sql, {"tenant": tenant_id, "id": row_id})
    if not rows:
        raise NotFound(f"There is no {entity.noun} {row_id}.")
    return rows[0]

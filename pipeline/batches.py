"""Batches: what became of each row of a list, and of everything that descends from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from errors import NotFound
from models.batch import ITEM_RESULTS
from pipeline import progress
from pipeline.controls import paused_stages
from pipeline.database import statement
from pipeline.owner import tenant_of
from pipeline.paging import Listed, pages_of
from pipeline.progress import STATUS, Progress, Row

TABLES = {"local_business": "local_businesses", "domain": "domains", "sitemap_file": "sitemap_files", "page": "pages"}

BATCHES = """
SELECT id, created_by_id, kind, name, auto, created_at,
       extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
FROM batches WHERE tenant_id = %(tenant)s AND {condition} ORDER BY id DESC LIMIT %(most)s"""
BEFORE = "(%(before)s::bigint IS NULL OR id < %(before)s)"

PAGES = pages_of("batches")
COUNT = b"SELECT count(*) FROM batches WHERE tenant_id = %s"

RESULTS = """
SELECT batch_id, result, coalesce(reason, '') AS reason, count(*)::int AS many FROM batch_items
WHERE batch_id = ANY(%(ids)s) GROUP BY batch_id, result, reason ORDER BY batch_id, result, many DESC, reason"""

ROOTS = f"""
SELECT batch_id AS owner, work.id, work.stage, {STATUS} FROM batch_items item
JOIN work ON work.stage = item.stage AND work.entity_id = item.entity_id
WHERE batch_id = ANY(%(ids)s) AND result = 'added'"""

WITHOUT_WORK = """
SELECT item.batch_id, item.stage, count(*)::int AS many
FROM batch_items item JOIN batches ON batches.id = item.batch_id AND batches.kind = %(kind)s
JOIN {table} entity ON entity.id = item.entity_id AND entity.curation_status = 'New'
WHERE item.batch_id = ANY(%(ids)s) AND result = 'added'
  AND NOT EXISTS (SELECT 1 FROM work WHERE work.stage = item.stage AND work.entity_id = item.entity_id)
GROUP BY item.batch_id, item.stage"""

REJECTED = """
SELECT row_number, reason, raw FROM batch_items
WHERE batch_id = %(id)s AND result = 'rejected' ORDER BY row_number LIMIT %(most)s"""


@dataclass(frozen=True, slots=True)
class Found:
    """A batch, its rows by result and reason, and its progress; `waiting` are rows stored without work yet."""

    row: Row
    results: Sequence[Row]
    progress: Progress
    status: str

    def of(self, result: str) -> int:
        return sum(row["many"] for row in self.results if row["result"] == result)

    @property
    def counts(self) -> dict[str, int]:
        return {result: self.of(result) for result in ITEM_RESULTS}


def newest(most: int, *, before: int | None = None, tenant_id: UUID | None = None) -> list[Found]:
    """Give a tenant's newest batches with their progress; those before one when its id is given."""
    values = {"most": most, "before": before, "tenant": tenant_of(tenant_id)}
    return _with_progress(_rows(BATCHES.format(condition=BEFORE), values))


def names(tenant_id: UUID, *, limit: int, cursor: str | None = None) -> Listed[Row]:
    """Give a page of a tenant's batches as they were brought, the newest first; nothing is counted."""
    (before,) = PAGES.place(cursor, int)
    values = {"most": limit + 1, "before": before, "tenant": tenant_of(tenant_id)}
    return PAGES.listed(_rows(BATCHES.format(condition=BEFORE), values), limit, None, lambda row: (row["id"],))


def brought(tenant_id: UUID, batch_id: int) -> Row:
    """Give one batch of a tenant as it was brought; nothing is counted."""
    return _row(batch_id, tenant_id)


def page(tenant_id: UUID, *, limit: int, cursor: str | None = None, with_total: bool = True) -> Listed[Found]:
    """Give a page of a tenant's batches, the newest first."""
    (before,) = PAGES.place(cursor, int)
    found = newest(limit + 1, before=before, tenant_id=tenant_id)
    return PAGES.listed(found, limit, _many(tenant_id) if with_total else None, lambda one: (one.row["id"],))


def one(batch_id: int, *, tenant_id: UUID | None = None) -> Found:
    """Give one batch of a tenant, or say that there is none."""
    return _with_progress([_row(batch_id, tenant_id)])[0]


def check_exists(batch_id: int, tenant_id: UUID | None = None) -> None:
    """Refuse an id that no batch of a tenant has."""
    _row(batch_id, tenant_id)


def _row(batch_id: int, tenant_id: UUID | None) -> Row:
    values = {"id": batch_id, "most": 1, "tenant": tenant_of(tenant_id)}
    found = _rows(BATCHES.format(condition="id = %(id)s"), values)
    if not found:
        raise NotFound(f"There is no batch {batch_id}.")
    return found[0]


def _many(tenant_id: UUID) -> int:
    with statement() as connection:
        row = connection.execute(COUNT, (tenant_id,)).fetchone()
    return int(row[0]) if row else 0


def _with_progress(rows: Sequence[Row]) -> list[Found]:
    values = {"ids": [row["id"] for row in rows]}
    counts, waiting, paused = progress.count(ROOTS, values), _waiting(values["ids"]), paused_stages()
    results = _rows(RESULTS, values)
    return [
        _found(row, results, replace(counts.get(row["id"], Progress()), waiting=waiting.get(row["id"], {})), paused)
        for row in rows
    ]


def _found(row: Row, results: Sequence[Row], own: Progress, paused: Collection[str]) -> Found:
    mine = [result for result in results if result["batch_id"] == row["id"]]
    # What starts at once and has no work has no stage that goes on with it, so it waits for nobody.
    word = (replace(own, waiting={}) if row["auto"] else own).status(paused=paused)
    return Found(row, mine, own, word)


def _waiting(ids: Collection[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for kind, table in TABLES.items():
        for row in _rows(WITHOUT_WORK.format(table=table), {"ids": list(ids), "kind": kind}):
            found.setdefault(row["batch_id"], {})[row["stage"]] = row["many"]
    return found


def rejected(batch_id: int, most: int) -> list[Row]:
    """Give the rows that were rejected, with their line and reason."""
    return _rows(REJECTED, {"id": batch_id, "most": most})


def reasons_given(batch_id: int) -> list[Row]:
    """Count the reasons of all that ended without going on."""
    return progress.reasons_given(ROOTS, {"ids": [batch_id]})


def still_open(batch_id: int) -> list[Row]:
    """Count what waits or runs."""
    return progress.still_open(ROOTS, {"ids": [batch_id]})


def _rows(sql: str, values: Mapping[str, Any]) -> list[Row]:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

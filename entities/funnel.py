"""Funnel: how much of each kind there is, how much of it led on to the next, and why the rest did not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from entities import listing
from entities.catalog import ENTITIES, SEARCHES
from entities.chosen import Chosen, rows_sql
from entities.entity import Entity
from pipeline.database import statement
from reasons import MEANINGS

Row = dict[str, Any]
MOST_REASONS = 50
PARTS = ("led_on", "open", "waiting", "dropped")
NOTHING = "NULL::text"

# By what an entity has led on: something of the next kind belongs to it.
LED_ON: Mapping[str, str] = {
    "searches": "EXISTS (SELECT 1 FROM search_places next WHERE next.search_id = entity.id)",
    "places": "EXISTS (SELECT 1 FROM local_businesses next WHERE next.place_id = entity.id)",
    "local_businesses": "EXISTS (SELECT 1 FROM local_business_domains next WHERE next.local_business_id = entity.id)",
    "domains": "EXISTS (SELECT 1 FROM sitemap_files next WHERE next.domain_id = entity.id)",
    "sitemap_files": "EXISTS (SELECT 1 FROM sitemap_pages next WHERE next.sitemap_file_id = entity.id)",
    "pages": "EXISTS (SELECT 1 FROM sightings next WHERE next.page_id = entity.id)",
    "contacts": "(entity.gone_at IS NULL AND entity.verdict IS DISTINCT FROM 'invalid')",
}
# Why there is no work, and why what was done led to nothing, where the work itself does not say.
LOST = "CASE WHEN entity.gone_at IS NOT NULL THEN 'gone' WHEN entity.verdict = 'invalid' THEN 'invalid' END"
UNQUEUED: Mapping[str, str] = {"pages": "nullif(entity.decision_reason, 'chosen')", "contacts": LOST}
ENDED: Mapping[str, str] = {"contacts": LOST}
SET_ASIDE = "CASE WHEN entity.curation_status IN ('Not a Fit', 'Archived') THEN entity.curation_status END"

# The furthest stage speaks for an entity that has several. OFFSET 0 has everything looked up once a row.
COUNT = """
SELECT led_on, stage, status, reason, count(*)::int AS many FROM (
    SELECT {led_on} IS TRUE AS led_on, {stage} AS stage, {status} AS status,
           CASE WHEN {status} IS NULL THEN {unqueued} ELSE coalesce({reason}, {ended}) END AS reason
    FROM {rows} WHERE {condition} OFFSET 0) AS looked_at
GROUP BY led_on, stage, status, reason ORDER BY many DESC, stage, status, reason"""


@dataclass(frozen=True, slots=True)
class Reason:
    """How many ended, or wait, in the same way."""

    fate: str  # open, waiting, dropped
    stage: str | None
    status: str | None
    reason: str | None
    meaning: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Step:
    """One kind: all of them, in four parts that add up; and why those that led to nothing did not."""

    entity: str
    total: int
    led_on: int
    open: int
    waiting: int
    dropped: int
    drop_off: float | None
    reasons: tuple[Reason, ...]


def of_tenant(tenant_id: UUID) -> list[Step]:
    """Tell the funnel of all that a tenant has."""
    return [_step(entity, tenant_id, Chosen(everything=True)) for entity in ENTITIES.values()]


def of_search(tenant_id: UUID, search_id: int) -> list[Step]:
    """Tell the funnel of what one search has found, or say that there is no such search."""
    listing.one(SEARCHES, tenant_id, search_id)
    where = {entity.name: f"{'id' if entity is SEARCHES else 'search'}={search_id}" for entity in ENTITIES.values()}
    return [_step(entity, tenant_id, Chosen(where=[where[entity.name]])) for entity in ENTITIES.values()]


def _step(entity: Entity, tenant_id: UUID, chosen: Chosen) -> Step:
    sql, values = _sql(entity, tenant_id, chosen)
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()
    parts = dict.fromkeys(PARTS, 0)
    for row in rows:
        row["fate"] = _fate(row)
        parts[row["fate"]] += row["many"]
    total = sum(parts.values())
    drop_off = round(parts["dropped"] / total, 4) if total else None
    found = [_reason(row) for row in rows if row["fate"] != "led_on"]
    return Step(entity.name, total, **parts, drop_off=drop_off, reasons=tuple(found[:MOST_REASONS]))


def _fate(row: Row) -> str:
    if row["led_on"]:
        return "led_on"
    if row["status"] in ("Queued", "Processing"):
        return "open"
    return "waiting" if row["status"] is None and row["reason"] is None else "dropped"


def _sql(entity: Entity, tenant_id: UUID, chosen: Chosen) -> tuple[str, Row]:
    # Ranking chooses among the pages of sitemaps that were found already.
    works = [f"{stage}_work" for stage in reversed(list(entity.stages)) if stage != "page_ranking"]
    columns = [column for column in entity.columns if column.join in works]
    rows, condition, values = rows_sql(entity, tenant_id, chosen, columns)
    sql = COUNT.format(
        led_on=LED_ON[entity.name],
        stage=_furthest(works, "stage"),
        status=_furthest(works, "status"),
        reason=_furthest(works, "reason"),
        unqueued=f"coalesce({SET_ASIDE}, {UNQUEUED.get(entity.name, NOTHING)})" if entity.is_curated else NOTHING,
        ended=ENDED.get(entity.name, NOTHING),
        rows=rows,
        condition=condition,
    )
    return sql, values


def _furthest(works: list[str], column: str) -> str:
    """Take a column of the furthest stage that has work."""
    cases = " ".join(f"WHEN {work}.id IS NOT NULL THEN {work}.{column}::text" for work in works)
    return f"CASE {cases} END"


def _reason(row: Row) -> Reason:
    return Reason(row["fate"], row["stage"], row["status"], row["reason"], MEANINGS.get(row["reason"]), row["many"])

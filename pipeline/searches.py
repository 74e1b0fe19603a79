"""Searches: start one, and tell what has become of everything that descends from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from errors import NotFound
from models import Search
from pipeline import doorbell, progress, queue, window
from pipeline.controls import paused_stages
from pipeline.database import statement, transaction
from pipeline.owner import Note, tenant_of
from pipeline.progress import STATUS, Progress, Row
from pipeline.search_order import Order, check
from pipeline.stage import Stage, all_stages, stage_named

STAGE = "search"
# A place whose rectangle was not searched is missing without a trace, so these must end well for all of it to count.
SOURCE_TABLES = ("searches", "search_areas")


def start(order: Order, *, tenant_id: UUID | None = None, user_id: UUID | None = None, note: Note | None = None) -> int:
    """Store a search, queue its work, ring, and give its id; without a tenant it is the default one's."""
    check(order)
    stage = stage_named(STAGE)
    with transaction() as (session, connection):
        search = Search(**asdict(order), tenant_id=tenant_of(tenant_id), created_by_id=user_id)
        session.add(search)
        session.flush()
        search_id = search.id
        queue.add(connection, stage, [search_id], auto=order.mode == "auto")
        if note:
            note(connection, search_id)
    doorbell.ring(window.fill(stage))
    return search_id


FOUND = """
SELECT searches.*, extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds,
       places.many AS places, businesses.many AS businesses, domains.many AS domains
FROM searches,
LATERAL (SELECT count(*)::int AS many FROM search_places WHERE search_id = searches.id) AS places,
LATERAL (SELECT count(*)::int AS many FROM search_places JOIN local_businesses USING (place_id)
         WHERE search_id = searches.id) AS businesses,
LATERAL (SELECT count(DISTINCT domain_id)::int AS many
         FROM search_places JOIN local_businesses business USING (place_id)
         JOIN local_business_domains link ON link.local_business_id = business.id
         WHERE search_id = searches.id) AS domains
WHERE tenant_id = %(tenant)s AND {condition} ORDER BY id DESC LIMIT %(most)s"""

# What a person selects in curated mode has no parent: it is found through what the search found.
REACHED = {
    "places": "search_places found JOIN places entity ON entity.id = found.place_id",
    "local_businesses": "search_places found JOIN local_businesses entity USING (place_id)",
    "domains": """search_places found JOIN local_businesses business USING (place_id)
        JOIN local_business_domains link ON link.local_business_id = business.id
        JOIN domains entity ON entity.id = link.domain_id""",
    "sitemap_files": """search_places found JOIN local_businesses business USING (place_id)
        JOIN local_business_domains link ON link.local_business_id = business.id
        JOIN sitemap_files entity ON entity.domain_id = link.domain_id""",
    "pages": """search_places found JOIN local_businesses business USING (place_id)
        JOIN local_business_domains link ON link.local_business_id = business.id
        JOIN pages entity ON entity.domain_id = link.domain_id
            AND (entity.decision_reason = 'chosen' OR entity.curation_status <> 'New')""",
    "contacts": """search_places found JOIN local_businesses business USING (place_id)
        JOIN local_business_domains link ON link.local_business_id = business.id
        JOIN contacts entity ON entity.domain_id = link.domain_id AND entity.kind IN ('email', 'phone')""",
}

ROOT = f"""
SELECT entity_id AS owner, id, stage, {STATUS} FROM work WHERE stage = %(stage)s AND entity_id = ANY(%(ids)s)"""

SELECTED = f"""
SELECT found.search_id, work.id, work.stage, {STATUS}
FROM {{reached}} JOIN searches ON searches.id = found.search_id AND searches.mode = 'curated'
JOIN work ON work.entity_id = entity.id AND work.stage = ANY(%({{table}})s) AND work.parent_id IS NULL
WHERE found.search_id = ANY(%(ids)s)"""

ROOTS = " UNION ".join([ROOT, *(SELECTED.format(table=table, reached=reached) for table, reached in REACHED.items())])

WAITING = """
SELECT found.search_id, count(DISTINCT entity.id)::int
FROM {reached} JOIN searches ON searches.id = found.search_id AND searches.mode = 'curated'
WHERE found.search_id = ANY(%(ids)s) AND entity.curation_status = 'New'
  AND NOT EXISTS (SELECT 1 FROM work WHERE stage = %(stage)s AND entity_id = entity.id)
GROUP BY found.search_id"""

EXISTS = b"SELECT 1 FROM searches WHERE tenant_id = %s AND id = %s"

AREAS = b"""
SELECT count(*) FILTER (WHERE searched_at IS NOT NULL)::int AS searched, count(*)::int AS known
FROM search_areas WHERE search_id = %s"""

# Work that another search began is not done twice, and stays that search's.
WITH_WORK = b"""
SELECT count(*)::int FROM search_places found
JOIN work ON work.entity_id = found.place_id AND work.stage = %(stage)s WHERE found.search_id = %(id)s"""

TODAY = b"""
SELECT calls, usd FROM provider_days
WHERE provider = %s AND day = (clock_timestamp() AT TIME ZONE 'UTC')::date"""


@dataclass(frozen=True, slots=True)
class Found:
    """A search's row with its totals, and its progress."""

    row: Row
    progress: Progress
    status: str


def newest(most: int, *, tenant_id: UUID | None = None) -> list[Found]:
    """Give a tenant's newest searches with their progress."""
    return _with_progress(_rows(FOUND.format(condition="true"), {"most": most, "tenant": tenant_of(tenant_id)}))


def one(search_id: int, *, tenant_id: UUID | None = None) -> Found:
    """Give one search of a tenant, or say that there is none."""
    return _with_progress([head(search_id, tenant_id=tenant_id)])[0]


def head(search_id: int, *, tenant_id: UUID | None = None) -> Row:
    """Give a search's row with its totals, without looking at its work."""
    values = {"id": search_id, "most": 1, "tenant": tenant_of(tenant_id)}
    for row in _rows(FOUND.format(condition="id = %(id)s"), values):
        return row
    raise NotFound(f"There is no search {search_id}.")


def check_exists(search_id: int, tenant_id: UUID | None = None) -> None:
    """Refuse an id that no search of a tenant has."""
    with statement() as connection:
        found = connection.execute(EXISTS, (tenant_of(tenant_id), search_id)).fetchone()
    if found is None:
        raise NotFound(f"There is no search {search_id}.")


def _with_progress(rows: Sequence[Row]) -> list[Found]:
    ids = [row["id"] for row in rows]
    counts, waiting, paused = progress.count(ROOTS, values_of(ids)), _waiting(ids), paused_stages()
    source = source_stages()
    made = [(row, replace(counts.get(row["id"], Progress()), waiting=waiting.get(row["id"], {}))) for row in rows]
    return [Found(row, own, own.status(paused=paused, source=source)) for row, own in made]


def source_stages() -> list[str]:
    """Name the stages that find what there is."""
    return [stage.name for stage in all_stages() if stage.table in SOURCE_TABLES]


def values_of(ids: Collection[int]) -> dict[str, Any]:
    """Give the parameters of ROOTS."""
    return {"ids": list(ids), "stage": STAGE} | {table: [stage.name for stage in _on(table)] for table in REACHED}


def _on(table: str) -> list[Stage]:
    return [stage for stage in all_stages() if stage.table == table]


def _waiting(ids: Collection[int]) -> dict[int, dict[str, int]]:
    """Count, by search and next stage, what waits for a person's decision."""
    found: dict[int, dict[str, int]] = {}
    for table, reached in REACHED.items():
        for stage in _on(table)[:1]:
            sql = WAITING.format(reached=reached).encode()
            with statement() as connection:
                rows = connection.execute(sql, {"ids": list(ids), "stage": stage.name}).fetchall()
            for search_id, many in rows:
                found.setdefault(search_id, {})[stage.name] = many
    return found


def reasons_given(search_id: int) -> list[Row]:
    """Count the reasons of all that ended without going on."""
    return progress.reasons_given(ROOTS, values_of([search_id]))


def still_open(search_id: int) -> list[Row]:
    """Count what waits or runs."""
    return progress.still_open(ROOTS, values_of([search_id]))


def areas(search_id: int) -> Mapping[str, int]:
    """Count the calls the area was cut into, and those whose answer is stored."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(AREAS, (search_id,)).fetchone() or {}


def begun_elsewhere(found: Found) -> int:
    """Count the places of a search whose work an earlier search had begun."""
    for stage in _on("places")[:1]:
        with statement() as connection:
            row = connection.execute(WITH_WORK, {"stage": stage.name, "id": found.row["id"]}).fetchone()
        own = sum(found.progress.counts.get(stage.name, {}).values())
        return max((row[0] if row else 0) - own, 0)
    return 0


def spent_today(provider: str) -> tuple[int, Decimal]:
    """Give calls and US dollars of a provider on this day of UTC, of all searches together."""
    with statement() as connection:
        row = connection.execute(TODAY, (provider,)).fetchone()
    return (row[0], row[1]) if row else (0, Decimal(0))


def _rows(sql: str, values: Mapping[str, Any]) -> list[Row]:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

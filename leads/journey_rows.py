"""Journey rows: the queries behind a journey, each by an index and each cut at a number that a person still reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from psycopg.rows import dict_row

from errors import NotFound
from leads.journey_facts import Business, Hop, Origin, Page, Trail, Trouble, meaning_of, with_meaning
from pipeline.database import statement
from pipeline.stage import Stage, all_stages

Row = dict[str, Any]
Found = TypeVar("Found")

MOST_BUSINESSES, MOST_ORIGINS, MOST_HOPS, MOST_TROUBLES, MOST_SITEMAPS, MOST_PAGES = 20, 20, 300, 200, 20, 20

# UNION, not UNION ALL: a loop in the lineage, which nothing should make, still ends.
HOPS = """
WITH RECURSIVE lineage AS (
    SELECT work.id, work.parent_id FROM {own}
    UNION
    SELECT work.id, work.parent_id FROM work JOIN lineage ON work.id = lineage.parent_id
    WHERE work.tenant_id = %(tenant)s)
SELECT work.id AS work_id, work.parent_id, stage, status, entity_id, attempts, crashes, reason, error, queued_at,
       due_at, started_at, finished_at,
       extract(epoch FROM coalesce(finished_at, clock_timestamp()) - started_at)::float8 AS seconds
FROM lineage JOIN work USING (id) ORDER BY work.id LIMIT %(most)s"""

OF_TRAIL = """unnest(%(stages)s::text[], %(ids)s::bigint[]) AS own(stage, entity_id)
    JOIN work USING (stage, entity_id) WHERE work.tenant_id = %(tenant)s"""
OF_WORK = "work WHERE id = %(work)s AND tenant_id = %(tenant)s"

TROUBLES = """
SELECT work_id, at, attempt, kind, reason, error FROM failures
WHERE work_id = ANY(%(ids)s) ORDER BY id LIMIT %(most)s"""

NAMES = """
SELECT id, coalesce(row ->> 'name', row ->> 'url', row ->> 'what', row ->> 'value') AS name
FROM (SELECT id, to_jsonb(entity) AS row FROM {table} AS entity
      WHERE id = ANY(%(ids)s) AND tenant_id = %(tenant)s) AS named"""

BUSINESSES = """
SELECT business.id, place_id, business.name, formatted_address AS address, coalesce(link.website, business.website)
       AS website, provider, provider_place_id
FROM local_businesses business JOIN places ON places.id = place_id
LEFT JOIN local_business_domains link ON link.local_business_id = business.id AND link.domain_id = ANY(%(domains)s)
WHERE business.tenant_id = %(tenant)s AND business.id IN (
    SELECT unnest(%(ids)s::bigint[])
    UNION SELECT local_business_id FROM local_business_domains WHERE domain_id = ANY(%(domains)s::bigint[]))
ORDER BY business.id LIMIT %(most)s"""

BUSINESSES_OF = "SELECT id FROM local_businesses WHERE tenant_id = %(tenant)s AND place_id = %(place)s"

SEARCHES = """
SELECT searches.id, what, where_text, provider, mode, min(first_found_at) AS at FROM search_places
JOIN searches ON searches.id = search_id WHERE place_id = ANY(%(places)s) AND searches.tenant_id = %(tenant)s
GROUP BY searches.id ORDER BY min(first_found_at), searches.id LIMIT %(most)s"""

# Lists are looked through without an index, so only for what no search has found.
IMPORTS = """
SELECT batches.id, batches.name, row_number, created_at AS at
FROM unnest(%(stages)s::text[], %(ids)s::bigint[]) AS own(stage, entity_id)
JOIN batch_items item USING (stage, entity_id) JOIN batches ON batches.id = item.batch_id
WHERE batches.tenant_id = %(tenant)s ORDER BY batches.id, row_number LIMIT %(most)s"""

DOMAINS_OF = """
SELECT domain_id FROM local_business_domains JOIN domains ON domains.id = domain_id
WHERE local_business_id = %(id)s AND domains.tenant_id = %(tenant)s ORDER BY redirects_to_id IS NULL, domain_id"""

PAGES = """
SELECT id, url, kind, score, decision_reason, status_code, title, fetched_at,
       ARRAY(SELECT file.method || ' ' || file.url FROM sitemap_pages listed
             JOIN sitemap_files file ON file.id = listed.sitemap_file_id
             WHERE listed.page_id = pages.id ORDER BY file.id LIMIT 3) AS sitemaps,
       ARRAY(SELECT sitemap_file_id FROM sitemap_pages WHERE page_id = pages.id ORDER BY 1 LIMIT 3) AS sitemap_ids
FROM pages WHERE id = ANY(%(ids)s) AND tenant_id = %(tenant)s ORDER BY id LIMIT %(most)s"""

SITEMAPS = """
SELECT id FROM sitemap_files WHERE domain_id = ANY(%(domains)s) AND tenant_id = %(tenant)s ORDER BY id LIMIT %(most)s"""
DOMAIN_OF = "SELECT domain_id FROM {table} WHERE id = %(id)s AND tenant_id = %(tenant)s"


def rows(sql: str, values: Mapping[str, Any]) -> list[Row]:
    """Run a query and give its rows by column."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()


def stages_on(table: str) -> list[str]:
    """Name the stages that work on a table, in pipeline order."""
    return [stage.name for stage in all_stages() if stage.table == table]


def pairs(trail: Trail) -> Row:
    """Give the keys of all work that entities may have, as two columns, and whose it is."""
    own = [(stage, each) for table, ids in trail.ids.items() for stage in stages_on(table) for each in ids]
    return {"tenant": trail.tenant_id, "stages": [stage for stage, _ in own], "ids": [each for _, each in own]}


def hops(trail: Trail) -> tuple[Hop, ...]:
    """Give the work on everything of a trail and all that it came from, in pipeline order."""
    return _hops(trail.tenant_id, rows(HOPS.format(own=OF_TRAIL), pairs(trail) | {"most": MOST_HOPS}))


def hops_to(tenant_id: UUID, work_id: int) -> tuple[Hop, ...]:
    """Give one piece of work and all that it came from, in pipeline order."""
    values = {"tenant": tenant_id, "work": work_id, "most": MOST_HOPS}
    return _hops(tenant_id, rows(HOPS.format(own=OF_WORK), values))


def _hops(tenant_id: UUID, found: list[Row]) -> tuple[Hop, ...]:
    names, troubles = _names(tenant_id, found), _troubles([row["work_id"] for row in found])
    order = {stage.name: at for at, stage in enumerate(all_stages())}
    found.sort(key=lambda row: (order.get(row["stage"], len(order)), row["work_id"]))
    return tuple(
        Hop(
            **with_meaning(row),
            name=names.get((row["stage"], row["entity_id"])),
            troubles=tuple(troubles.get(row["work_id"], ())),
        )
        for row in found
    )


def _names(tenant_id: UUID, found: Sequence[Row]) -> dict[tuple[str, int], str]:
    """Read what the entities are called, a query a table."""
    named: dict[tuple[str, int], str] = {}
    tables: dict[str, list[Stage]] = {}
    for stage in all_stages():
        tables.setdefault(stage.table, []).append(stage)
    for table, stages in tables.items():
        own = {stage.name for stage in stages}
        ids = sorted({row["entity_id"] for row in found if row["stage"] in own})
        for row in rows(NAMES.format(table=table), {"tenant": tenant_id, "ids": ids}) if ids else ():
            named |= {(stage, row["id"]): row["name"] for stage in own}
    return named


def name_of(tenant_id: UUID, table: str, entity_id: int) -> str:
    """Read what an entity is called; what has no name is called by its id."""
    found = only(rows(NAMES.format(table=table), {"tenant": tenant_id, "ids": [entity_id]}), _noun(table), entity_id)
    return found["name"] or f"{table} {entity_id}"


def _noun(table: str) -> str:
    return table.removesuffix("s").replace("_", " ")


def only(found: Sequence[Found], what: str, its_id: int) -> Found:
    """Give the one that was found, or say that there is none."""
    if not found:
        raise NotFound(f"There is no {what} {its_id}.")
    return found[0]


def _troubles(ids: Sequence[int]) -> dict[int, list[Trouble]]:
    found: dict[int, list[Trouble]] = {}
    for row in rows(TROUBLES, {"ids": list(ids), "most": MOST_TROUBLES}):
        found.setdefault(row.pop("work_id"), []).append(Trouble(**with_meaning(row)))
    return found


def businesses(trail: Trail) -> tuple[Business, ...]:
    """Give the businesses of a trail and those behind its domains."""
    return _businesses(trail.tenant_id, trail.of("local_businesses"), trail.of("domains"))


def businesses_by_id(tenant_id: UUID, ids: Sequence[int]) -> tuple[Business, ...]:
    """Give businesses alone."""
    return _businesses(tenant_id, ids, ())


def _businesses(tenant_id: UUID, ids: Sequence[int], domains: Sequence[int]) -> tuple[Business, ...]:
    values = {"tenant": tenant_id, "ids": list(ids), "domains": list(domains), "most": MOST_BUSINESSES}
    return tuple({row["id"]: Business(**row) for row in rows(BUSINESSES, values)}.values())


def businesses_of(tenant_id: UUID, place_id: int) -> tuple[Business, ...]:
    """Give the business that a place has become."""
    found = rows(BUSINESSES_OF, {"tenant": tenant_id, "place": place_id})
    return businesses_by_id(tenant_id, [row["id"] for row in found])


def domains_of(tenant_id: UUID, business_id: int) -> list[int]:
    """Give the domains that a business uses, where they lead to last."""
    return [row["domain_id"] for row in rows(DOMAINS_OF, {"tenant": tenant_id, "id": business_id})]


def domain_of(tenant_id: UUID, table: str, row_id: int) -> int:
    """Give the domain that a page or a sitemap belongs to."""
    found = rows(DOMAIN_OF.format(table=table), {"tenant": tenant_id, "id": row_id})
    return int(only(found, _noun(table), row_id)["domain_id"])


def origins(trail: Trail) -> tuple[Origin, ...]:
    """Give every search that found it; or the lists that it came with."""
    searches = rows(SEARCHES, {"tenant": trail.tenant_id, "places": trail.of("places"), "most": MOST_ORIGINS})
    if searches:
        return tuple(Origin("search", row["id"], _asked(row), row["at"]) for row in searches)
    imports = rows(IMPORTS, pairs(trail) | {"most": MOST_ORIGINS})
    return tuple(Origin("import", row["id"], f"{row['name']}, row {row['row_number']}", row["at"]) for row in imports)


def _asked(row: Row) -> str:
    where = f" near {row['where_text']}" if row["where_text"] else ""
    return f"{row['what']}{where} ({row['provider']}, {row['mode']})"


def pages(trail: Trail) -> tuple[Page, ...]:
    """Give the pages of a trail, and put the sitemaps that list them on it."""
    found = rows(PAGES, {"tenant": trail.tenant_id, "ids": trail.of("pages"), "most": MOST_PAGES})
    for row in found:
        trail.add("sitemap_files", *row.pop("sitemap_ids"))
        row |= {"meaning": meaning_of(row["decision_reason"]), "sitemaps": tuple(row["sitemaps"])}
    return tuple(Page(**row) for row in found)


def add_sitemaps(trail: Trail) -> None:
    """Put the first sitemaps of a trail's domains on it."""
    found = rows(SITEMAPS, {"tenant": trail.tenant_id, "domains": trail.of("domains"), "most": MOST_SITEMAPS})
    trail.add("sitemap_files", *(row["id"] for row in found))

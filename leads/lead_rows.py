"""Lead rows: what the tables hold about some businesses, read a chunk at a time and each relation once a chunk.

Chunks by id, not one cursor: a reader who takes long between two rows must hold neither a snapshot nor a transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from leads.lead_where import NEVER_EXPORTED
from pipeline.database import statement
from services.lead import PAGE_KINDS, Seen
from services.lead_blank import PAGE_STAGE, SITE_STAGES, TURNED_DOWN, Ending
from services.lead_row import Business
from services.page import classify

Row = dict[str, Any]

ROWS_A_CHUNK = 500
MOST_CONTACTS_AN_OWNER = 300

# Who is closed for good is nobody's lead.
EXPORTED = "{table}.curation_status <> ALL(%(never)s)"
LEADS_ALONE = f"{EXPORTED.format(table='business')} AND business.business_status IS DISTINCT FROM 'closed-permanently'"

BUSINESSES = f"""
SELECT id, place_id, name, main_category, formatted_address, street, city, region, postal_code, country_code, phone,
       website, rating::float8 AS rating, review_count, curation_status, attribution, created_at
FROM local_businesses business
WHERE tenant_id = %(tenant)s AND id > %(after)s AND {LEADS_ALONE} AND {{where}}
ORDER BY id LIMIT %(most)s"""

DOMAINS = """
SELECT link.local_business_id AS business_id, link.website, domain.id, domain.name, domain.title, domain.language,
       domain.technologies, domain.is_wordpress, domain.booking_tools, domain.analytics, domain.redirects_to_id,
       domain.fetched_at IS NOT NULL AND domain.blank_reason IS NULL AS was_read,
       domain.curation_status <> ALL(%(never)s) AS is_exported,
       EXISTS (SELECT 1 FROM local_business_domains other
               WHERE other.domain_id = domain.id AND other.local_business_id <> link.local_business_id) AS is_shared
FROM local_business_domains link JOIN domains domain ON domain.id = link.domain_id
WHERE link.local_business_id = ANY(%(ids)s) ORDER BY link.local_business_id, link.id"""

# The proof that is shown: on a page that still shows it, of the most promising kind, the newest.
BEST_SIGHTING = f"""
LEFT JOIN LATERAL (
    SELECT seen.url, seen.method, seen.snippet, seen.seen_at, pages.kind AS page_kind, count(*) OVER () AS sightings
    FROM sightings seen LEFT JOIN pages ON pages.id = seen.page_id
    WHERE seen.contact_id = contact.id AND (%(with_gone)s OR seen.gone_at IS NULL)
    ORDER BY seen.gone_at IS NOT NULL,
             coalesce(array_position(ARRAY[{", ".join(repr(kind) for kind in PAGE_KINDS)}], pages.kind), 99),
             seen.seen_at DESC, seen.url, seen.method LIMIT 1) AS proof ON true"""

CONTACTS = f"""
SELECT contact.*, proof.*
FROM unnest(%(ids)s::bigint[]) AS owner(id) CROSS JOIN LATERAL (
    SELECT id, domain_id, local_business_id, kind, value, label, verdict, person_name, person_title, confidence,
           first_seen_at, last_seen_at
    FROM contacts WHERE {{column}} = owner.id AND {EXPORTED.format(table="contacts")}
      AND (%(with_gone)s OR gone_at IS NULL)
    ORDER BY confidence DESC, id LIMIT %(most)s) AS contact
{BEST_SIGHTING}"""

SEARCHES = """
SELECT found.place_id, concat_ws(': ', searches.id::text, concat_ws(', ', what, where_text)) AS search
FROM search_places found JOIN searches ON searches.id = found.search_id
WHERE found.place_id = ANY(%(ids)s) ORDER BY found.place_id, searches.id"""

BUSINESS_ENDINGS = """
SELECT entity_id AS owner, stage, status, reason, 1 AS many FROM work
WHERE stage = 'domain_extraction' AND entity_id = ANY(%(ids)s)"""

DOMAIN_ENDINGS = f"""
SELECT entity_id AS owner, stage, status, reason, 1 AS many FROM work
WHERE stage = ANY(%(stages)s) AND entity_id = ANY(%(ids)s)
UNION ALL
SELECT sitemap.domain_id, work.stage, work.status, NULL, count(*)::int
FROM sitemap_files sitemap JOIN work ON work.stage = 'sitemap_import' AND work.entity_id = sitemap.id
WHERE sitemap.domain_id = ANY(%(ids)s) AND work.status IN ('Queued', 'Processing') GROUP BY 1, 2, 3
UNION ALL
SELECT pages.domain_id, work.stage, work.status, work.reason, count(*)::int
FROM pages JOIN work ON work.stage = '{PAGE_STAGE}' AND work.entity_id = pages.id
WHERE pages.domain_id = ANY(%(ids)s) AND pages.decision_reason = 'chosen' GROUP BY 1, 2, 3, 4
UNION ALL
SELECT id, 'curation', 'Filtered', '{TURNED_DOWN}', 1 FROM domains
WHERE id = ANY(%(ids)s) AND (curation_status = ANY(%(never)s) OR EXISTS (
    SELECT 1 FROM contacts WHERE domain_id = domains.id AND kind = 'email' AND gone_at IS NULL
      AND contacts.curation_status = ANY(%(never)s)))"""


def businesses(tenant_id: UUID, where: str, values: Mapping[str, Any]) -> Iterator[list[Row]]:
    """Give the businesses that may be exported and meet a condition, by id, a chunk at a time."""
    after, sql = 0, BUSINESSES.format(where=where)
    while True:
        found = _rows(sql, {**values, "tenant": tenant_id, "after": after, "most": ROWS_A_CHUNK})
        if found:
            yield found
        if len(found) < ROWS_A_CHUNK:
            return
        after = found[-1]["id"]


def domains(business_ids: Collection[int]) -> dict[int, list[Row]]:
    """Give the domains of businesses, by business, the first that it named first."""
    return _by("business_id", _rows(DOMAINS, {"ids": list(business_ids)}))


def contacts(column: str, ids: Collection[int], *, with_gone: bool) -> dict[int, list[Row]]:
    """Give the contacts of owners, by owner, each with its best proof; `column` names the owner."""
    values = {"ids": list(ids), "with_gone": with_gone, "most": MOST_CONTACTS_AN_OWNER}
    return _by(column, _rows(CONTACTS.format(column=column), values))


def searches(place_ids: Collection[int]) -> dict[int, list[Row]]:
    """Give the searches that found places, by place."""
    return _by("place_id", _rows(SEARCHES, {"ids": list(place_ids)}))


def business_endings(business_ids: Collection[int]) -> dict[int, list[Row]]:
    """Tell what became of the work on businesses."""
    return _by("owner", _rows(BUSINESS_ENDINGS, {"ids": list(business_ids)}))


def domain_endings(domain_ids: Collection[int]) -> dict[int, list[Row]]:
    """Tell what became of the work on domains, their sitemaps and their pages."""
    return _by("owner", _rows(DOMAIN_ENDINGS, {"ids": list(domain_ids), "stages": list(SITE_STAGES[1:])}))


def business_of(row: Row, id_: int | None, *, website: str | None, domain: str | None) -> Business:
    """Read who a business is and where."""
    return Business(
        id=id_,
        name=row["name"],
        category=row["main_category"],
        address=row["formatted_address"],
        street=row["street"],
        city=row["city"],
        region=row["region"],
        postal_code=row["postal_code"],
        country=row["country_code"],
        website=website,
        domain=domain,
        attribution=row["attribution"],
    )


def ending_of(row: Row) -> Ending:
    return Ending(row["stage"], row["status"], row["reason"], row["many"])


def seen_of(row: Row) -> Seen:
    """Read a contact with its proof."""
    return Seen(
        kind=row["kind"],
        value=row["value"],
        label=row["label"],
        verdict=row["verdict"],
        person_name=row["person_name"],
        person_title=row["person_title"],
        confidence=row["confidence"],
        sightings=row["sightings"] or 0,
        page_kind=row["page_kind"] or (classify(row["url"]).kind if row["url"] else None),
        source_url=row["url"],
        seen_at=row["seen_at"],
        first_seen_at=row["first_seen_at"],
        last_seen_at=row["last_seen_at"],
    )


def _by(column: str, rows: list[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found


def _rows(sql: str, values: Mapping[str, Any]) -> list[Row]:
    given = {**values, "never": list(NEVER_EXPORTED)}
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), given).fetchall()

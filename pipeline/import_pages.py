"""Lists of pages: their addresses, stored below the domain that each belongs to, and judged as a sitemap's are."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import reasons
from pipeline.database import Connection
from pipeline.import_kinds import ADD_DOMAINS, Entry, Kind
from pipeline.import_sitemaps import addresses, find_addresses, read_address
from services.listed_business import PAGE_COLUMNS
from services.page import classify

# The domain's name is the lane as well. No sitemap lists it yet, and one that does takes it over.
ADD_PAGES = b"""
INSERT INTO pages (tenant_id, domain_id, url, host, kind, score, depth, decision_reason)
SELECT %(tenant)s, domains.id, given.url, domains.name, given.kind, given.score, given.depth, %(brought)s
FROM unnest(%(urls)s::text[], %(names)s::text[], %(kinds)s::text[], %(scores)s::float8[], %(depths)s::int2[])
    AS given (url, name, kind, score, depth)
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = given.name ORDER BY domains.name, given.url
ON CONFLICT (domain_id, url) DO NOTHING RETURNING url"""

FIND_PAGES = b"""
SELECT page.url, page.id, page.created_at FROM unnest(%(urls)s::text[], %(names)s::text[]) AS given (url, name)
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = given.name
JOIN pages page ON page.domain_id = domains.id AND page.url = given.url"""


def _store_pages(connection: Connection, tenant_id: UUID, entries: Sequence[Entry]) -> set[str]:
    urls = [entry.key for entry in entries]
    judged = [classify(url) for url in urls]
    values = addresses(tenant_id, urls) | {
        "kinds": [page.kind for page in judged],
        "scores": [page.score for page in judged],
        "depths": [page.depth for page in judged],
        "brought": reasons.BROUGHT,
    }
    connection.execute(ADD_DOMAINS, {"tenant": tenant_id, "keys": list(set(values["names"]))})
    return {url for (url,) in connection.execute(ADD_PAGES, values).fetchall()}


PAGES = Kind(
    name="page",
    noun="pages",
    stage="page_curation",
    columns=PAGE_COLUMNS,
    needed=("url",),
    read=read_address,
    store=_store_pages,
    find=find_addresses(FIND_PAGES),
)

"""Lists of sitemaps: how their addresses are read, and stored below the domain that each belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import reasons
from pipeline.database import Connection
from pipeline.import_kinds import ADD_DOMAINS, Entry, Kind, Known
from services.host import registrable_domain
from services.list_layout import Row
from services.listed_business import SITEMAP_COLUMNS
from services.local_business import DomainName, domain_of
from services.page_url import normalise


def read_address(row: Row) -> Entry:
    """Read a row that holds the address of something on a site."""
    url = normalise(row.cells.get("url", ""))
    if url is None:
        return Entry(row, rejected=reasons.BAD_URL)
    # Only the host is judged: what a path or query leads on to is a site of its own.
    found = domain_of(f"https://{_host_of(url)}/")
    if isinstance(found, DomainName):
        return Entry(row, url)
    return Entry(row, rejected=found.reason)


def _host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


# The domain's name is the lane as well: a host that is named below it is visited at the same pace.
ADD_SITEMAPS = b"""
INSERT INTO sitemap_files (tenant_id, domain_id, url, host, method)
SELECT %(tenant)s, domains.id, given.url, domains.name, 'manual'
FROM unnest(%(urls)s::text[], %(names)s::text[]) AS given (url, name)
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = given.name ORDER BY domains.name, given.url
ON CONFLICT (domain_id, url) DO NOTHING RETURNING url"""

# Another site may announce the same file as its own, which is another row.
FIND_SITEMAPS = b"""
SELECT sitemap.url, sitemap.id, sitemap.created_at FROM unnest(%(urls)s::text[], %(names)s::text[]) AS given (url, name)
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = given.name
JOIN sitemap_files sitemap ON sitemap.domain_id = domains.id AND sitemap.url = given.url"""


def _store_sitemaps(connection: Connection, tenant_id: UUID, entries: Sequence[Entry]) -> set[str]:
    values = addresses(tenant_id, [entry.key for entry in entries])
    connection.execute(ADD_DOMAINS, {"tenant": values["tenant"], "keys": list(set(values["names"]))})
    return {url for (url,) in connection.execute(ADD_SITEMAPS, values).fetchall()}


def find_addresses(sql: bytes) -> Callable[[Connection, UUID, Sequence[str]], dict[str, Known]]:
    """Make what finds addresses again below their domains."""

    def find(connection: Connection, tenant_id: UUID, keys: Sequence[str]) -> dict[str, Known]:
        found = connection.execute(sql, addresses(tenant_id, keys)).fetchall()
        return {url: Known(entity_id, at) for url, entity_id, at in found}

    return find


def addresses(tenant_id: UUID, urls: Sequence[str]) -> dict[str, Any]:
    """Give addresses with the name of the domain that each belongs to, as the statements want them."""
    names = [registrable_domain(_host_of(url)) for url in urls]
    return {"tenant": tenant_id, "urls": list(urls), "names": names}


SITEMAPS = Kind(
    name="sitemap_file",
    noun="sitemaps",
    stage="sitemap_import",
    columns=SITEMAP_COLUMNS,
    needed=("url",),
    read=read_address,
    store=_store_sitemaps,
    find=find_addresses(FIND_SITEMAPS),
)

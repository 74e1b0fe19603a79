"""What a screen shows of a search while it runs: progress, the newest contacts, workers."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from pipeline import searches
from pipeline.database import statement
from pipeline.progress import Row
from pipeline.searches import Found

NEWEST = b"""
SELECT contact.kind, contact.value, contact.label, contact.person_name, contact.domain, contact.url
FROM (
    SELECT DISTINCT ON (contacts.id) contacts.id, kind, value, label, person_name, domains.name AS domain, (
               SELECT sighting.url FROM sightings sighting WHERE sighting.contact_id = contacts.id
               ORDER BY sighting.id LIMIT 1) AS url
    FROM search_places found
    JOIN local_businesses business ON business.place_id = found.place_id
    JOIN local_business_domains link ON link.local_business_id = business.id
    JOIN domains ON domains.id = link.domain_id
    JOIN contacts ON contacts.domain_id = domains.id AND contacts.gone_at IS NULL
    WHERE found.search_id = %(id)s AND contacts.kind IN ('email', 'phone')
    ORDER BY contacts.id DESC LIMIT %(most)s) AS contact
ORDER BY contact.id DESC"""

# A business without a site of its own may still have a profile on somebody else's.
CONTACTS = b"""
WITH business AS (
    SELECT business.id FROM search_places found JOIN local_businesses business USING (place_id)
    WHERE found.search_id = %(id)s)
SELECT kind, count(DISTINCT contact.id)::int
FROM (SELECT contacts.id, kind FROM business
      JOIN local_business_domains link ON link.local_business_id = business.id
      JOIN contacts ON contacts.domain_id = link.domain_id AND contacts.gone_at IS NULL
      UNION ALL
      SELECT contacts.id, kind FROM business
      JOIN contacts ON contacts.local_business_id = business.id AND contacts.gone_at IS NULL) AS contact
GROUP BY kind"""

BUSINESSES = b"""
SELECT DISTINCT ON (contact.id) contact.id, business.id, business.name
FROM contacts contact
JOIN local_business_domains link ON link.domain_id = contact.domain_id
JOIN local_businesses business ON business.id = link.local_business_id
JOIN search_places found ON found.place_id = business.place_id
WHERE contact.id = ANY(%(contacts)s) AND found.search_id = %(id)s ORDER BY contact.id, link.id"""

WORKERS = b"SELECT count(*)::int FROM workers WHERE expires_at > clock_timestamp() AND queues <> ARRAY['sweeps']"


@dataclass(frozen=True, slots=True)
class View:
    """One look at a search."""

    at: float  # seconds of a clock that only runs forward
    found: Found
    contacts: dict[str, int]
    newest: list[Row]
    workers: int

    @property
    def is_open(self) -> bool:
        """Tell whether work that descends from the search is yet to be done."""
        return bool(self.found.progress.open_stages)

    @property
    def done(self) -> int:
        """Count what has ended."""
        return sum(sum(counts.values()) for counts in self.found.progress.counts.values()) - self.left

    @property
    def left(self) -> int:
        return self.found.progress.of("Queued") + self.found.progress.of("Processing")


def look(search_id: int, *, newest: int = 8, tenant_id: UUID | None = None) -> View:
    """Look at a search once."""
    found = searches.one(search_id, tenant_id=tenant_id)
    values = {"id": search_id, "most": newest}
    with statement() as connection:
        contacts = dict(connection.execute(CONTACTS, values).fetchall())
        rows: list[dict[str, Any]] = connection.cursor(row_factory=dict_row).execute(NEWEST, values).fetchall()
    return View(time.monotonic(), found, contacts, rows, workers_alive())


def businesses_of(search_id: int, contact_ids: Collection[int]) -> dict[int, tuple[int, str | None]]:
    """Find the business of a search behind each contact: its id and name."""
    with statement() as connection:
        rows = connection.execute(BUSINESSES, {"id": search_id, "contacts": list(contact_ids)}).fetchall()
    return {contact: (business, name) for contact, business, name in rows}


def workers_alive() -> int:
    """Count the worker processes that do the stages' work."""
    with statement() as connection:
        row = connection.execute(WORKERS).fetchone()
    return int(row[0]) if row else 0

"""Contacts of a page and the proof of each, stored in the transaction that finishes the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from models.contact import owner_key
from pipeline.children import clean
from services.contacts import FoundContact

LONGEST_VALUE_BYTES = 1024

# Sorted, so that two pages of one owner, stored at once, lock rows in the same order. What a contact was first known
# as stays; a person's own decision and a verdict are never touched.
STORE = text("""
WITH given AS (
    SELECT * FROM jsonb_to_recordset(CAST(:contacts AS jsonb)) AS contact(
        kind text, value text, label text, person_name text, person_title text, confidence float8, snippet text,
        methods jsonb)),
stored AS (
    INSERT INTO contacts (tenant_id, domain_id, local_business_id, owner_key, kind, value, label, person_name,
                          person_title, confidence)
    SELECT :tenant, CAST(:domain AS bigint), CAST(:business AS bigint), :owner_key, kind, value, label, person_name,
           person_title, confidence
    FROM given ORDER BY kind, value
    ON CONFLICT (tenant_id, kind, value, owner_key) DO UPDATE SET
        last_seen_at = now(), gone_at = NULL, updated_at = now(),
        confidence = greatest(contacts.confidence, EXCLUDED.confidence),
        label = coalesce(contacts.label, EXCLUDED.label),
        person_name = coalesce(contacts.person_name, EXCLUDED.person_name),
        person_title = coalesce(contacts.person_title, EXCLUDED.person_title)
    RETURNING id, kind, value)
INSERT INTO sightings (tenant_id, contact_id, page_id, url, method, snippet, extractor_version)
SELECT :tenant, stored.id, CAST(:page AS bigint), :url, method, given.snippet, :version
FROM stored JOIN given USING (kind, value), jsonb_array_elements_text(given.methods) AS method
ON CONFLICT (contact_id, url, method) DO UPDATE SET
    seen_at = now(), snippet = EXCLUDED.snippet, extractor_version = EXCLUDED.extractor_version,
    page_id = coalesce(EXCLUDED.page_id, sightings.page_id)
""")

SEE_AGAIN = text("""
WITH seen AS (
    UPDATE sightings SET seen_at = now() FROM contacts
    WHERE contacts.owner_key = :owner_key AND contacts.tenant_id = :tenant AND contacts.id = sightings.contact_id
      AND sightings.url = :url
    RETURNING contact_id)
UPDATE contacts SET last_seen_at = now(), gone_at = NULL, updated_at = now()
WHERE id IN (SELECT contact_id FROM seen)
""")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What contacts are seen on: an address of an owner, a domain or a business that has none."""

    tenant_id: UUID
    url: str
    domain_id: int | None = None
    local_business_id: int | None = None
    page_id: int | None = None

    def values(self) -> dict[str, Any]:
        """Give the parameters that say whose and where."""
        return {
            "tenant": self.tenant_id,
            "url": clean(self.url),
            "domain": self.domain_id,
            "business": self.local_business_id,
            "page": self.page_id,
            "owner_key": owner_key(domain_id=self.domain_id, local_business_id=self.local_business_id),
        }


def store(session: Session, sheet: Sheet, found: Iterable[FoundContact]) -> None:
    """Add or update the contacts that were found, each once for its owner, with one sighting for each method."""
    rows = {(row["kind"], row["value"]): row for row in map(_row, found)}
    contacts = [row for row in rows.values() if 0 < len(row["value"].encode()) <= LONGEST_VALUE_BYTES]
    if contacts:
        session.execute(STORE, sheet.values() | {"contacts": json.dumps(contacts), "version": extractor_version()})


def see_again(session: Session, sheet: Sheet) -> None:
    """Note that everything which was seen at an address is still there: the page has not changed."""
    session.execute(SEE_AGAIN, {name: sheet.values()[name] for name in ("tenant", "url", "owner_key")})


def _row(found: FoundContact) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "value": clean(found.value),
        "label": clean(found.label) or None,
        "person_name": clean(found.name),
        "person_title": clean(found.title),
        "confidence": found.confidence,
        "snippet": clean(found.snippet),
        "methods": list(found.methods or (found.method,)),
    }


@cache
def extractor_version() -> str:
    """Name the program that found a contact, so that what an older one missed can be told."""
    return version("scrapersky")

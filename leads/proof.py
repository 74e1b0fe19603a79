"""Proof: where and how contacts were seen, each snippet parted so that the contact in it can be marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from leads import journey_site
from leads.journey_facts import Seen, meaning_of
from leads.journey_rows import rows
from services import snippet
from services.contact_reasons import REASONS

BY_HAND = "manual"
MOST_OF_ONE = 200
METHODS: Mapping[str, str] = {
    "mailto": "a link to write to", "text": "in the text", "hidden": "in text that is not shown",
    "cloudflare": "behind a shield against programs", "json-ld": "in facts for search engines", "link": "a link",
    "tel": "a link to call", "phone-text": "a number in the text", "hcard": "on a card of a person",
    "card": "on a card of a person", "website": "given as its website", BY_HAND: "added by a person",
}  # fmt: skip

# Each owner by its own index.
OF_BUSINESS = """
SELECT id FROM (
    SELECT contacts.id, kind, gone_at, confidence FROM local_business_domains link
    JOIN contacts ON contacts.domain_id = link.domain_id
    WHERE link.local_business_id = %(business)s AND contacts.tenant_id = %(tenant)s
    UNION ALL
    SELECT id, kind, gone_at, confidence FROM contacts
    WHERE local_business_id = %(business)s AND tenant_id = %(tenant)s) AS own
ORDER BY gone_at IS NOT NULL, array_position(ARRAY['email', 'phone', 'social', 'person'], kind), confidence DESC, id
LIMIT %(most)s"""


@dataclass(frozen=True, slots=True)
class Proof:
    """One sighting; `shown` is the contact as the page writes it, empty where the snippet does not show it."""

    url: str | None
    method: str
    how: str
    page_id: int | None
    seen_at: datetime
    gone_at: datetime | None
    before: str = ""
    shown: str = ""
    after: str = ""


def contacts_of(tenant_id: UUID, business_id: int, most: int) -> list[int]:
    """Give the ids of the contacts of a business and of its sites, the most useful first."""
    return [row["id"] for row in rows(OF_BUSINESS, {"tenant": tenant_id, "business": business_id, "most": most})]


def of_contacts(contacts: Sequence[Mapping[str, Any]]) -> dict[int, list[Proof]]:
    """Give the first proofs of contacts that were read for their tenant, by id."""
    seen = journey_site.sightings([contact["id"] for contact in contacts])
    return {contact["id"]: [_proof(contact, each) for each in seen.get(contact["id"], ())] for contact in contacts}


def of_contact(contact: Mapping[str, Any]) -> list[Proof]:
    """Give the proofs of one contact, as many as a person reads."""
    seen = journey_site.sightings([contact["id"]], MOST_OF_ONE)
    return [_proof(contact, each) for each in seen.get(contact["id"], ())]


def verdict_meaning(reason: str) -> str:
    """Say what a reason of a verdict tells a person."""
    known = REASONS.get(reason)
    return known.meaning if known else meaning_of(reason) or ""


def _proof(contact: Mapping[str, Any], seen: Seen) -> Proof:
    parts = snippet.part(seen.snippet or "", contact["kind"], contact["value"])
    url = None if seen.url == BY_HAND else seen.url
    how = METHODS.get(seen.method, seen.method)
    return Proof(url, seen.method, how, seen.page_id, seen.seen_at, seen.gone_at, *parts)

"""Contact facts: all that is known about an email, phone, domain, person or business, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from leads import suppression_list
from pipeline.database import statement
from pipeline.suppressions import Suppressed
from services.suppression import DEFAULT_REGION, Subject, subject_of

Row = dict[str, Any]
MOST = 200
MOST_SIGHTINGS = 1000

# Each is a branch of its own, so that each uses its own index.
CONTACT_IDS: dict[str, str] = {
    "email": "SELECT id FROM contacts WHERE tenant_id = %(tenant)s AND kind = 'email' AND value = %(value)s",
    "phone": "SELECT id FROM contacts WHERE tenant_id = %(tenant)s AND kind = 'phone' AND value = %(value)s",
    "domain": """SELECT contacts.id FROM domains JOIN contacts ON contacts.domain_id = domains.id
                 WHERE domains.tenant_id = %(tenant)s AND domains.name = %(value)s""",
    "name": """SELECT id FROM contacts WHERE tenant_id = %(tenant)s
                 AND (person_name ILIKE %(like)s OR kind = 'person' AND value ILIKE %(like)s)""",
}

CONTACTS = """
SELECT contact.id, contact.kind, contact.value, contact.label, contact.person_name, contact.person_title,
       contact.confidence, contact.verdict, contact.verdict_reasons, contact.curation_status, contact.note,
       contact.first_seen_at, contact.last_seen_at, contact.gone_at, domain.name AS domain,
       (SELECT coalesce(jsonb_agg(DISTINCT business.name), '[]') FROM local_businesses business
        WHERE business.name IS NOT NULL AND (business.id = contact.local_business_id OR business.id IN (
            SELECT local_business_id FROM local_business_domains WHERE domain_id = contact.domain_id))) AS businesses
FROM contacts contact LEFT JOIN domains domain ON domain.id = contact.domain_id
WHERE contact.id IN (SELECT id FROM ({ids}) AS found ORDER BY id LIMIT %(most)s) ORDER BY contact.id"""

SIGHTINGS = b"""
SELECT contact_id, url, method, snippet, seen_at, gone_at FROM sightings
WHERE contact_id = ANY(%(ids)s) ORDER BY contact_id, seen_at DESC LIMIT %(most)s"""

BUSINESSES = """
SELECT business.id, business.name, business.formatted_address AS address, business.phone, business.website,
       place.provider, place.attribution, business.curation_status,
       (SELECT coalesce(jsonb_agg(domains.name ORDER BY domains.name), '[]') FROM local_business_domains link
        JOIN domains ON domains.id = link.domain_id WHERE link.local_business_id = business.id) AS domains
FROM local_businesses business JOIN places place ON place.id = business.place_id
WHERE business.tenant_id = %(tenant)s AND {test} ORDER BY business.id LIMIT %(most)s"""

BUSINESS_TESTS: dict[str, str] = {
    "phone": "business.phone = %(value)s",
    "domain": """business.id IN (SELECT link.local_business_id FROM local_business_domains link
                 JOIN domains ON domains.id = link.domain_id
                 WHERE domains.tenant_id = %(tenant)s AND domains.name = %(value)s)""",
    "name": "business.name ILIKE %(like)s",
}

DOMAINS = b"""
SELECT id, name, final_url, title, curation_status, blank_reason, fetched_at,
       (SELECT count(*) FROM pages WHERE domain_id = domains.id) AS pages
FROM domains WHERE tenant_id = %(tenant)s AND name = %(value)s"""


@dataclass
class Facts:
    """What was found: contacts with their sightings, businesses, the domain, and whether it is on the list."""

    value: str
    kind: str
    contacts: list[Row] = field(default_factory=list)
    businesses: list[Row] = field(default_factory=list)
    domains: list[Row] = field(default_factory=list)
    suppression: str | None = None

    @property
    def is_nothing(self) -> bool:
        return not (self.contacts or self.businesses or self.domains or self.suppression)


def find(tenant_id: UUID, text: str, region: str = DEFAULT_REGION) -> Facts:
    """Find everything about what a person typed: read as what it looks like, or else as part of a name."""
    subject = subject_of(text, None, region)
    words = " ".join(text.split())
    facts = Facts(subject.value if subject else words, subject.kind if subject else "name")
    values: Row = {"tenant": tenant_id, "value": facts.value, "like": f"%{_literal(words)}%", "most": MOST}
    facts.contacts = _contacts(facts.kind, values)
    if facts.kind in BUSINESS_TESTS:
        facts.businesses = _rows(BUSINESSES.format(test=BUSINESS_TESTS[facts.kind]).encode(), values)
    if facts.kind == "domain":
        facts.domains = _rows(DOMAINS, values)
    if subject is not None:
        facts.suppression = suppression_of(tenant_id, subject)
    return facts


def suppression_of(tenant_id: UUID, subject: Subject) -> str | None:
    """Say whether a subject is erased, suppressed, or suppressed by its domain."""
    row = suppression_list.known(tenant_id, [subject]).get(subject)
    if row is not None:
        return "erased" if row["is_erased"] else "suppressed"
    listed = Suppressed.load(tenant_id)
    covers = listed.email(subject.value) if subject.kind == "email" else False
    return "suppressed by its domain" if covers else None


def _contacts(kind: str, values: Row) -> list[Row]:
    contacts = _rows(CONTACTS.format(ids=CONTACT_IDS[kind]).encode(), values)
    wanted = {"ids": [row["id"] for row in contacts], "most": MOST_SIGHTINGS}
    seen: dict[int, list[Row]] = {row["id"]: [] for row in contacts}
    for row in _rows(SIGHTINGS, wanted):
        seen[row.pop("contact_id")].append(row)
    return [row | {"sightings": seen[row["id"]]} for row in contacts]


def _literal(words: str) -> str:
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _rows(sql: bytes, values: Row) -> list[Row]:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql, values).fetchall()

"""Journey find: what a person means by an address, a number, a link, a name or an id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

import phonenumbers

from leads.journey_rows import Row, rows
from leads.journey_site import contacts_like
from pipeline.children import clean
from services.email_address import canonical
from services.local_business import DomainName, domain_of
from services.phone import e164
from services.socials import profile_of

LARGEST_ID = 2**63 - 1
LONGEST = 2048
SHORTEST_NUMBER, SHORTEST_NAME = 6, 3
MOST_BUSINESSES = 5
NUMBER = re.compile(r"[+(]?[\d\s()./+-]{1,40}")

WORK = "SELECT id FROM work WHERE id = %(id)s AND tenant_id = %(tenant)s"
DOMAIN = "SELECT id FROM domains WHERE tenant_id = %(tenant)s AND name = %(name)s"
PAGE = """
SELECT pages.id FROM pages JOIN domains ON domains.id = domain_id
WHERE domains.tenant_id = %(tenant)s AND domains.name = %(name)s AND url = ANY(%(urls)s) ORDER BY pages.id LIMIT 1"""

# Names, websites and the provider's numbers have no index: businesses are the few, and this is asked last.
NAMED = """
SELECT id FROM local_businesses WHERE tenant_id = %(tenant)s AND lower(name) = lower(%(name)s)
ORDER BY id LIMIT %(most)s"""
NAMED_LIKE = """
SELECT id FROM local_businesses WHERE tenant_id = %(tenant)s AND strpos(lower(name), lower(%(name)s)) > 0
ORDER BY length(name), id LIMIT %(most)s"""
NUMBERED = """
SELECT id FROM local_businesses WHERE tenant_id = %(tenant)s AND phone = ANY(%(phones)s) ORDER BY id LIMIT %(most)s"""

# What was filtered before it became a business or a domain is known as a place alone.
PLACES = """
SELECT id, website FROM places WHERE tenant_id = %(tenant)s AND {condition}
  AND NOT EXISTS (SELECT 1 FROM local_businesses WHERE place_id = places.id) ORDER BY id LIMIT %(most)s"""
OF_NAME = "lower(name) = lower(%(name)s)"
OF_WEBSITE = "strpos(lower(website), %(name)s) > 0"


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that is stored, by what it is and its id."""

    kind: str  # contact, page, sitemap_file, domain, business, place, work
    id: int


def find(tenant_id: UUID, value: str) -> list[Subject]:
    """Find what a value names: the first reading of it under which something is stored; nothing when none is."""
    text = " ".join(clean(value[:LONGEST]).split())
    for found in _readings(tenant_id, text):
        if found:
            return found
    return []


def _readings(tenant_id: UUID, text: str) -> Iterator[list[Subject]]:
    """Read a text in every way, the likeliest first; a later one is tried only when nothing was found before."""
    if "@" in text:
        yield _contacts(tenant_id, "email", *_emails(text))
    if NUMBER.fullmatch(text):
        yield from _numbers(tenant_id, text)
    yield _contacts(tenant_id, "social", *_profiles(text))
    yield from _addresses(tenant_id, text)
    yield _contacts(tenant_id, "person", text)
    if len(text) >= SHORTEST_NAME:
        yield _businesses(NAMED, tenant_id, name=text)
        yield [Subject("place", row["id"]) for row in _places(OF_NAME, tenant_id, text)]
        yield _businesses(NAMED_LIKE, tenant_id, name=text)


def _contacts(tenant_id: UUID, kind: str, *values: str) -> list[Subject]:
    found = contacts_like(tenant_id, kind, values) if values else ()
    return [Subject("contact", contact.id) for contact in found]


def _emails(text: str) -> list[str]:
    written = text.removeprefix("mailto:")
    known = canonical(written) or written
    return list(dict.fromkeys((known.lower(), known, written)))


def _numbers(tenant_id: UUID, text: str) -> Iterator[list[Subject]]:
    """A long number is a phone's, also without its country; a short one is rather the id of work."""
    phones = spellings(text)
    if phones:
        yield _contacts(tenant_id, "phone", *phones)
    if text.isdecimal() and text.isascii() and 0 < int(text) <= LARGEST_ID:
        yield [Subject("work", row["id"]) for row in rows(WORK, {"id": int(text), "tenant": tenant_id})]
    if phones:
        yield _businesses(NUMBERED, tenant_id, phones=phones)


def spellings(text: str) -> list[str]:
    """Give every number that a text may mean: its own, or one of each country when it names none."""
    if sum(map(str.isdecimal, text)) < SHORTEST_NUMBER:
        return []
    plain = f"+{text[2:]}" if text.startswith("00") else text
    if plain.startswith("+"):
        known = e164(plain)
        return [known] if known else []
    found = (e164(plain, region) for region in sorted(phonenumbers.SUPPORTED_REGIONS))
    return list(dict.fromkeys(number for number in found if number))


def _profiles(text: str) -> list[str]:
    """Write a link to a profile in the ways that the stages write it."""
    if "." not in text or " " in text:
        return []
    found, rejected = profile_of(text), domain_of(text)
    listed = None if isinstance(rejected, DomainName) else rejected.profile
    return list(dict.fromkeys(url for url in (found[1] if found else None, listed, text) if url))


def _addresses(tenant_id: UUID, text: str) -> Iterator[list[Subject]]:
    if "." not in text:
        return
    domain = domain_of(text)
    if not isinstance(domain, DomainName):
        return
    own = {"tenant": tenant_id, "name": domain.name}
    path = _path_of(text)
    if path:
        urls = [f"{scheme}://{host}{path}" for scheme in ("https", "http") for host in _hosts(domain)]
        yield [Subject("page", row["id"]) for row in rows(PAGE, own | {"urls": [text, *urls]})]
    yield [Subject("domain", row["id"]) for row in rows(DOMAIN, own)]
    given = [(row["id"], domain_of(row["website"])) for row in _places(OF_WEBSITE, tenant_id, domain.name)]
    yield [Subject("place", each) for each, site in given if getattr(site, "name", None) == domain.name]


def _hosts(domain: DomainName) -> list[str]:
    return list(dict.fromkeys((domain.host, domain.name, f"www.{domain.name}")))


def _path_of(text: str) -> str:
    """Cut path and query out of an address; nothing for a homepage."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
    except ValueError:  # brackets that hold no address
        return ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.path}{query}" if parts.path.strip("/") or query else ""


def _businesses(sql: str, tenant_id: UUID, **values: object) -> list[Subject]:
    found = rows(sql, values | {"tenant": tenant_id, "most": MOST_BUSINESSES})
    return [Subject("business", row["id"]) for row in found]


def _places(condition: str, tenant_id: UUID, name: str) -> list[Row]:
    return rows(PLACES.format(condition=condition), {"tenant": tenant_id, "name": name, "most": MOST_BUSINESSES})

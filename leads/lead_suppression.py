"""Lead suppression: holds back what is on a tenant's list, in values and in the text around them, and counts it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar
from urllib.parse import unquote
from uuid import UUID

from psycopg.rows import dict_row

from pipeline.database import statement
from pipeline.suppressions import Suppressed
from services.lead import Seen
from services.lead_row import Business, ContactRow, Lead
from services.local_business import DomainName, domain_of
from services.phone import E164, e164

Row = dict[str, Any]
Facts = TypeVar("Facts", bound=Lead | ContactRow | Business | Seen)
DEFAULT_REGION = "US"
DIGITS_THAT_TELL = 7
MOST_AN_OWNER = 1000

_EMAIL = re.compile(r"([^\s@<>()\[\],;:\"']{1,64})@([^\s@<>()\[\],;:\"'/?&#=]{1,253})")
_PARTS_OF_URL = re.compile(r"[/?&#=]")
_NUMBER = re.compile(r"[+(]?\d[\d\s().\-/]{5,24}\d")
_IN_CHAT_LINK = re.compile(r"\d{7,15}")

OWNED = b"""
SELECT contact.owner_key, contact.kind, contact.value, contact.person_name, domain.name AS domain
FROM unnest(%(domains)s::bigint[]) AS owner(id) JOIN domains domain ON domain.id = owner.id
CROSS JOIN LATERAL (
    SELECT owner_key, kind, value, person_name FROM contacts
    WHERE domain_id = owner.id AND kind IN ('email', 'phone') LIMIT %(most)s) AS contact"""


class Withheld:
    """A tenant's suppression list, and how much it has held back so far."""

    def __init__(self, tenant_id: UUID) -> None:
        self._listed = Suppressed.load(tenant_id)
        self.many = 0

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is listed, so that nothing need be looked at."""
        return not self._listed.digests

    def contact(self, kind: str, value: str, domain: str | None = None) -> bool:
        """Tell whether a contact must not leave the house, and count it."""
        is_held = self._listed.covers(kind, value, domain) or (not self.is_empty and self._is_shown_by(kind, value))
        self.many += is_held
        return is_held

    def _is_shown_by(self, kind: str, value: str) -> bool:
        """Tell whether a profile or a name shows a listed value: a link that opens a chat names the number."""
        if kind not in ("social", "person"):
            return False
        numbers = _IN_CHAT_LINK.findall(value) if kind == "social" else ()
        return self._shows(value, None) or any(self._listed.phone(f"+{number}") for number in numbers)

    def phone(self, value: str | None) -> bool:
        """Tell whether a number must not leave, and count it."""
        return value is not None and self.contact("phone", value)

    def site(self, domains: Iterable[str], website: str | None) -> bool:
        """Tell whether a business must not leave because of its domain, and count it."""
        if self.is_empty:
            return False
        own = domain_of(website) if website else None
        names = [*domains, *([own.name] if isinstance(own, DomainName) else [])]
        is_held = any(self._listed.domain(name) for name in names)
        self.many += is_held
        return is_held

    def person(self, row: Row, known: Collection[str]) -> bool:
        """Tell whether a name or profile is that of somebody of whom a value was held back, and count it."""
        whose = row["value"] if row["kind"] == "person" else row["person_name"] if row["kind"] == "social" else None
        is_held = whose is not None and any(shows(whose, value) for value in known)
        self.many += is_held
        return is_held

    def text(self, text: str | None, known: Collection[str] = (), country: str | None = None) -> str | None:
        """Give a text, or None when it shows a listed value or one of the `known` that were held back."""
        if text is None or self.is_empty:
            return text
        return None if self._shows(text, country) or any(shows(text, value) for value in known) else text

    def cleared(self, facts: Facts, country: str | None) -> Facts:
        """Give what is known without any text, link or title that shows a listed value; `contact` asks for values."""
        if self.is_empty:
            return facts
        given = {each.name: getattr(facts, each.name) for each in fields(facts) if each.name not in ("kind", "value")}
        return replace(facts, **{name: self._left(value, country) for name, value in given.items()})

    def _left(self, value: Any, country: str | None) -> Any:
        if isinstance(value, str):
            return None if self._shows(value, country) else value
        if isinstance(value, tuple):
            return tuple(each for each in value if not self._shows(each, country))
        return self.cleared(value, country) if isinstance(value, Business | Seen) else value

    def _shows(self, text: str, country: str | None) -> bool:
        if E164.fullmatch(text):
            return self._listed.phone(text)
        plain = unquote(text) if "%" in text else text
        if "@" in plain and any(map(self._listed.email, emails_in(plain))):
            return True
        numbers = (e164(found, country or DEFAULT_REGION) for found in _NUMBER.findall(text))
        return any(self._listed.phone(number) for number in numbers if number)

    def of_owners(self, domain_ids: Collection[int]) -> Mapping[str, set[str]]:
        """Give, by owner, the values that are held back and the names of those whose they are."""
        held: dict[str, set[str]] = {}
        if self.is_empty or not domain_ids:
            return held
        with statement() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            for row in cursor.execute(OWNED, {"domains": list(domain_ids), "most": MOST_AN_OWNER}):
                if self._listed.covers(row["kind"], row["value"], row["domain"]):
                    held.setdefault(row["owner_key"], set()).update(filter(None, (row["value"], row["person_name"])))
        return held


def emails_in(text: str) -> Iterator[str]:
    """Give what may be an address in a text, also as a part of a link."""
    for local, domain in _EMAIL.findall(text):
        for start in {local, _PARTS_OF_URL.split(local)[-1]}:
            yield f"{start}@{domain.rstrip('.')}"


def unnamed(contact: Seen, known: Collection[str]) -> Seen:
    """Give a contact without the name of somebody of whom a value was held back."""
    if contact.person_name is None or not any(shows(contact.person_name, value) for value in known):
        return contact
    return replace(contact, person_name=None, person_title=None)


def shows(text: str, value: str) -> bool:
    """Tell whether a text shows an address, however disguised, a number, however spaced, or a name."""
    local, at, _ = value.rpartition("@")
    if at:
        return re.search(rf"(?<!\w){re.escape(local)}(?!\w)", text, re.IGNORECASE) is not None
    if value.startswith("+"):
        return value[-DIGITS_THAT_TELL:] in re.sub(r"\D", "", text)
    return value.casefold() in text.casefold()

"""Suppression: whom never to write to, from what a person types to the hash that is all we keep."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal
from uuid import UUID

import idna

from services.host import registrable_domain
from services.local_business import DomainName, domain_of
from services.phone import E164, e164
from services.website import candidates

Kind = Literal["email", "phone", "domain", "person"]
# What people put on the list themselves; a person gets there by being erased.
KINDS: tuple[Kind, ...] = ("email", "phone", "domain")
DEFAULT_REGION = "US"
LONGEST = 1024

_PHONE = re.compile(r"(?:tel:)?[+(]?[\d\s().\-/+]*\d[\d\s().\-/+]*(?:\s*(?:x|ext\.?|#)\s*\d{1,6})?", re.IGNORECASE)
_FEWEST_DIGITS = 6
_EMAIL_WRITTEN_WITH_A_NAME = re.compile(r".*<([^<>]+)>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Subject:
    """An email, phone, domain or person of an owner in the one spelling that is hashed."""

    kind: Kind
    value: str

    def digest(self, salt: UUID) -> bytes:
        """Hash it; the same bytes as `pipeline.suppressions.hash_sql` gives in hex."""
        return digest_of(salt, self.kind, self.value)


def digest_of(salt: UUID, kind: str, value: str) -> bytes:
    """Hash a normalised value of a kind with a tenant's salt."""
    return sha256(f"{salt}:{kind}:{value.lower()}".encode()).digest()


def person_of(owner: str, name: str) -> Subject:
    """Name a person of an owner, which is a domain's name: the same name elsewhere may be another's."""
    return Subject("person", f"{owner}:{name_key(name)}")


def name_key(name: str) -> str:
    """Write a person's name in small letters, the last name last, with single spaces."""
    last, comma, first = unicodedata.normalize("NFC", name).partition(",")
    return " ".join((f"{first} {last}" if comma else last).lower().split())


def subject_of(text: str, kind: str | None = None, region: str = DEFAULT_REGION) -> Subject | None:
    """Read what a person typed, of a kind or of the kind it looks like; None when it is nothing of the kind."""
    text = unicodedata.normalize("NFC", text[: LONGEST + 1]).strip()
    if not text or len(text) > LONGEST or not text.isprintable():
        return None
    wanted = kind or kind_of(text)
    if wanted == "email":
        found = email_key(text)
        return Subject("email", found) if found else None
    if wanted == "phone":
        found = phone_key(text, region)
        return Subject("phone", found) if found else None
    if wanted == "person":
        return _person_typed(text)
    found = domain_key(text)
    return Subject("domain", found) if found else None


def _person_typed(text: str) -> Subject | None:
    """Read a person as `Ann Low at acme.example`."""
    name, at, domain = text.rpartition(" at ")
    owner = domain_key(domain) if at and name_key(name) else None
    return person_of(owner, name) if owner else None


def kind_of(text: str) -> Kind:
    """Tell by its looks whether a text is an email, a phone or a domain."""
    if "@" in text and "://" not in text:
        return "email"
    is_number = _PHONE.fullmatch(text) is not None and sum(map(str.isdigit, text)) >= _FEWEST_DIGITS
    return "phone" if is_number and not _is_address(text) else "domain"


def _is_address(text: str) -> bool:
    return re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", text) is not None


def email_key(text: str) -> str | None:
    """Write an address in small letters, its domain in ASCII; None when it is none.

    Laxer than what is taken for a contact: what somebody wants to be left alone at need not be under a known suffix.
    """
    written = _EMAIL_WRITTEN_WITH_A_NAME.fullmatch(text)
    bare = (written[1] if written else text).strip()
    if bare[:7].lower() == "mailto:":
        bare = bare[7:].partition("?")[0]
    local, _, domain = unicodedata.normalize("NFC", bare.lower()).rpartition("@")
    found = ascii_domain(domain)
    if not local or "@" in local or re.search(r"\s", local) or found is None:
        return None
    return f"{local}@{found}"


def ascii_domain(domain: str) -> str | None:
    """Write the domain of an address in small ASCII letters; None when it cannot be one."""
    domain = domain.lower().rstrip(".")
    if not domain.isascii():
        try:
            domain = idna.encode(domain, uts46=True).decode()
        except (idna.IDNAError, UnicodeError, ValueError, IndexError):
            return None
    is_domain = re.fullmatch(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+", domain) is not None
    return domain if is_domain and len(domain) <= 253 else None


def phone_key(text: str, region: str = DEFAULT_REGION) -> str | None:
    """Write a number as E.164, read as dialled in a region unless it names its country, by + or 00."""
    if E164.fullmatch(text):
        return text
    bare = (text[4:] if text[:4].lower() == "tel:" else text).strip()
    abroad = f"+{bare[2:]}" if bare.startswith("00") else None
    return e164(bare, region) or (e164(abroad) if abroad else None)


def domain_key(text: str) -> str | None:
    """Give the registrable domain of a site's name or address; a host that many share only by its bare name."""
    found = domain_of(text)
    if isinstance(found, DomainName):
        return found.name
    shared = next(iter(candidates(text).addresses), None) if found.reason == "shared-host" else None
    return registrable_domain(shared.host) if shared and not shared.path.strip("/") else None


def domains_above(host: str) -> Iterator[str]:
    """Give a host's name and every name above it that can be registered: a suppressed domain covers what is below."""
    labels = host.split(".")
    for nth in range(len(labels) - 1):
        yield ".".join(labels[nth:])

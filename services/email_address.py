"""Email address: one address in its canonical form, whose it is, and whether it is anybody's at all."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import idna
from tldextract import TLDExtract

from services.email_words import (
    EXAMPLE_DOMAINS,
    EXAMPLE_LOCALS,
    EXAMPLE_LOCALS_OF_FREE_MAIL,
    FILE_ENDINGS,
    FREE_MAIL,
    ROLES,
    VENDORS,
)

LONGEST_LOCAL = 64
LONGEST_DOMAIN = 253
LONGEST = 254
# Made-up worlds live under .example; nobody can register it, so nothing real is mistaken for it.
MADE_UP = "example"
NEVER = frozenset(("local", "localhost", "invalid", "test", "onion"))

_LOCAL = re.compile(r"[a-z0-9_](?:[a-z0-9!#$%&'*+/=?^_`{|}~.-]{0,62}[a-z0-9_+-])?", re.IGNORECASE | re.ASCII)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_KEY = re.compile(r"[0-9a-f]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-.{0,32}", re.ASCII)
_SHARP = re.compile(r"\d(?:[.,-]\d{1,2})?x(?:\.|$)", re.ASCII)
_FIRST_WORD = re.compile(r"[a-z]+(?:-reply)?", re.ASCII)


@cache
def _endings() -> frozenset[str]:
    """Give the last labels of all public suffixes, from the list that came with the program."""
    listed = TLDExtract(suffix_list_urls=(), cache_dir=None).tlds
    last = {suffix.rpartition(".")[2] for suffix in listed}
    return frozenset(last | {_to_ascii(label) or label for label in last if not label.isascii()} | {MADE_UP})


def _to_ascii(domain: str) -> str | None:
    try:
        return idna.encode(domain, uts46=True).decode()
    except (idna.IDNAError, UnicodeError, ValueError, IndexError):
        return None


@lru_cache(maxsize=4096)
def canonical_domain(domain: str) -> str | None:
    """Write a mail domain in small ASCII letters; None when no such domain can exist."""
    domain = domain.lower().rstrip(".")
    if len(domain) > LONGEST_DOMAIN or "." not in domain:
        return None
    ascii_domain = domain if domain.isascii() else _to_ascii(domain)
    if ascii_domain is None or len(ascii_domain) > LONGEST_DOMAIN:
        return None
    labels = ascii_domain.split(".")
    if labels[-1] in NEVER or labels[-1] not in _endings() or not all(map(_LABEL.fullmatch, labels)):
        return None
    return ascii_domain


def canonical(address: str) -> str | None:
    """Write an address with its domain in small ASCII letters, the first part as it came; None when it is none."""
    local, at, domain = address.strip().rpartition("@")
    if not at or not _LOCAL.fullmatch(local) or ".." in local:
        return None
    found = canonical_domain(domain)
    return f"{local}@{found}" if found and len(local) + len(found) < LONGEST else None


def is_somebodys(address: str, own_domain: str = "") -> bool:
    """Tell whether a canonical address is a business's or a person's: no example, file, key, or tool's maker."""
    local, _, domain = address.lower().rpartition("@")
    if local in EXAMPLE_LOCALS or domain in EXAMPLE_DOMAINS or _KEY.fullmatch(local):
        return False
    registered = ".".join(domain.split(".")[-2:])
    if registered in EXAMPLE_DOMAINS or _is_file(domain):
        return False
    if domain in FREE_MAIL and local in EXAMPLE_LOCALS_OF_FREE_MAIL:
        return False
    return registered not in VENDORS or registered == own_domain


def _is_file(domain: str) -> bool:
    return _SHARP.match(domain) is not None or domain.rpartition(".")[2] in FILE_ENDINGS


def label_of(address: str) -> str:
    """Say whose an address is: free-mail, role or personal."""
    local, _, domain = address.lower().rpartition("@")
    if domain in FREE_MAIL:
        return "free-mail"
    return "role" if is_role(local) else "personal"


def is_role(local: str) -> bool:
    """Tell whether the first part of an address names a desk, by itself or by its first word."""
    found = _FIRST_WORD.match(local.lower())
    return local.lower() in ROLES or (found is not None and found[0] in ROLES)

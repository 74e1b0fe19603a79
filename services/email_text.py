"""Email text: the addresses in a text, with the sign or with its name spelled out in eight languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.contacts_words import words
from services.email_address import LONGEST_LOCAL, canonical, canonical_domain, is_role

# A page with more signs than this is a dump of data, and whoever reads it has long stopped.
MOST_SIGNS = 20_000

# Every sign costs a bounded look to the left and to the right, so the whole is linear in the text.
_SIGN = re.compile(r"@([^\W_][\w.-]{1,252})")
# Mailboxes with other signs may be; where one stands in a text it ends something else: "mail=info@smith.com".
_LOCAL_BACKWARDS = re.compile(r"[a-z0-9&'+_.-]+", re.IGNORECASE | re.ASCII)
_NOT_FIRST = "&'+.-"
_PERCENT_BEFORE = re.compile(r"%[0-7][0-9a-f]", re.IGNORECASE | re.ASCII)
_PHONE_BEFORE = re.compile(r"\+?\d[\d().-]{2,12}[().-]\d{3,4}(?=[a-z])", re.IGNORECASE | re.ASCII)
_GLUED = re.compile(r"([a-z]{2,})(?=[A-Z0-9]|[^\x00-\x7f])")
_ASCII_DOMAIN = re.compile(r"[a-z0-9.-]+", re.IGNORECASE | re.ASCII)
# In front of an address: a URL with a user in it, a handle, or the letters that an address cannot have.
_SCHEME = re.compile(r"\w://\S{0,120}$|[/@a-zA-Z\u00c0-\u024f\u0370-\u04ff]\Z")

AT_WORDS = (
    "at",  # English, and everywhere
    "ät",  # German
    "klammeraffe",
    "arroba",  # Spanish, Portuguese
    "arobase",  # French
    "arrobase",
    "arobas",
    "chiocciola",  # Italian
    "apenstaartje",  # Dutch
    "małpa",  # Polish
    "malpa",
)
DOT_WORDS = (
    "dot",  # English, and everywhere
    "punkt",  # German
    "point",  # French
    "punto",  # Spanish, Italian
    "ponto",  # Portuguese
    "punt",  # Dutch
    "kropka",  # Polish
)
# Without brackets only words that belong together count: "at this point in time" is no address.
BARE_PAIRS = (
    ("at", "dot"),
    ("at", "punkt"),
    ("at", "punt"),
    ("ät", "punkt"),
    ("klammeraffe", "punkt"),
    ("arroba", "punto"),
    ("arroba", "ponto"),
    ("arroba", "dot"),
    ("arobase", "point"),
    ("arrobase", "point"),
    ("arobas", "point"),
    ("chiocciola", "punto"),
    ("apenstaartje", "punt"),
    ("małpa", "kropka"),
    ("malpa", "kropka"),
)
BARE_DOTS = tuple(f" {dot} " for dot in DOT_WORDS)
NO_NAMES = words("a an any each every my our that the these this those your")

_OPEN, _CLOSE = r"[(\[{<«|]", r"[)\]}>»|]"
# The first letter is looked at before any word is, or a page of brackets takes seconds.
_BRACKETED_AT = re.compile(
    rf"(?:{_OPEN} ?(?=[@aäckmAÄCKM])(?:{'|'.join(AT_WORDS)}|@|a) ?{_CLOSE}|[_*~](?=[aA])at[_*~]|"
    r"-at-(?=[\w-]{1,80}-dot-)) ?",
    re.IGNORECASE,
)
_DOT = rf"(?: ?{_OPEN} ?(?:{'|'.join(DOT_WORDS)}|\.) ?{_CLOSE} ?| (?:{'|'.join(DOT_WORDS)}) |[_*~-]dot[_*~-]|\.)"
_SPELLED_DOMAIN = re.compile(rf"([^\W_][\w-]{{0,62}})((?:{_DOT}[^\W_][\w-]{{0,62}}){{1,5}})", re.IGNORECASE)
_DOTS = re.compile(_DOT, re.IGNORECASE)
_BARE_AT = re.compile(rf" ({'|'.join(AT_WORDS)}) (?=[^\W_])", re.IGNORECASE)
_BARE_DOMAIN = re.compile(r"[\w-]{2,63}(?:\.[\w-]{1,63})*+(?: (?:\w{3,6}) [\w-]{2,63}){0,3}")
_SPACED_SIGN = re.compile(r"(?: @ ?|@ )(?=[^\W_])")
_EMAIL_WORD = re.compile(r"(?:e-?mail|courriel|correo|poczta|mail)[^\n@]{0,24}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """An address, and where it stands in its text."""

    address: str
    start: int
    end: int


def addresses(text: str) -> Iterator[Seen]:
    """Find addresses that are written as such."""
    for count, sign in enumerate(_SIGN.finditer(text)):
        if count >= MOST_SIGNS:
            return
        at = sign.start()
        local = _local_before(text, at)
        if local is None or _SCHEME.search(text[max(0, at - len(local) - 125) : at - len(local)]):
            continue
        found = _with_domain(local, sign[1])
        if found is not None:
            yield Seen(found, at - len(local), at + 1 + len(sign[1]))


def _local_before(text: str, at: int) -> str | None:
    """Read the first part of an address backwards from a place."""
    backwards = _LOCAL_BACKWARDS.match(text[max(0, at - LONGEST_LOCAL - 16) : at][::-1])
    if backwards is None:
        return None
    local = backwards[0][::-1].lstrip(_NOT_FIRST)
    phone = _PHONE_BEFORE.match(local)
    if phone:
        local = local[phone.end() :]
    elif _PERCENT_BEFORE.match(text, max(0, at - len(local) - 1)):
        local = local[2:]
    return local if 0 < len(local) <= LONGEST_LOCAL else None


def _with_domain(local: str, written: str) -> str | None:
    """Join an address whose domain may run into the words behind it."""
    domain = _cut(written.rstrip(".-_"))
    found = canonical(f"{local}@{domain}")
    if found is not None:
        return found
    head, _, last = domain.rpartition(".")
    glued = _GLUED.match(last)
    if glued:
        return canonical(f"{local}@{head}.{glued[1]}")
    if not domain.isascii():
        plain = _ASCII_DOMAIN.match(domain)
        return canonical(f"{local}@{plain[0].rstrip('.-')}") if plain else None
    return canonical(f"{local}@{domain.partition('_')[0]}") if "_" in domain else None


def _cut(domain: str) -> str:
    """Drop a sentence that begins right behind the address: "info@smith.com.Call us"."""
    labels = domain.split(".")
    for place, label in enumerate(labels):
        if place >= 2 and label[:1].isupper() and labels[place - 1].islower():
            return ".".join(labels[:place])
    return domain


def spelled_addresses(text: str, own_domain: str = "") -> Iterator[Seen]:
    """Find addresses whose signs are spelled out, or stand apart."""
    yield from _bracketed(text)
    yield from _bare(text, own_domain)
    yield from _spaced(text, own_domain)


def _bracketed(text: str) -> Iterator[Seen]:
    for count, at in enumerate(_BRACKETED_AT.finditer(text)):
        if count >= MOST_SIGNS:
            return
        start = at.start() - (text[at.start() - 1 : at.start()] == " ")
        local = _spelled_local(text, start)
        domain = _SPELLED_DOMAIN.match(text, at.end())
        if local is None or domain is None:
            continue
        found = _spelled(local, domain[0])
        if found is not None:
            yield Seen(found, start - len(local), domain.end())


def _spelled_local(text: str, at: int) -> str | None:
    """Read the first part, whose own dots may be spelled out too: john [dot] smith."""
    window = text[max(0, at - 2 * LONGEST_LOCAL) : at]
    dots = list(_DOTS.finditer(window))
    if dots and any(mark in dots[-1][0] for mark in "([{"):
        last, first = window[dots[-1].end() :], _local_before(window, dots[-1].start())
        if first is not None and re.fullmatch(r"[\w-]+", last):
            return f"{first}.{last}"
    return _local_before(text, at)


def _spelled(local: str, domain: str) -> str | None:
    """Read a domain with its dots spelled out, dropping words behind it until it is one."""
    labels = _DOTS.sub(".", domain).split(".")
    while len(labels) >= 2:
        found = _with_domain(local, ".".join(labels))
        if found is not None:
            return found
        labels.pop()
    return None


def _bare(text: str, own_domain: str) -> Iterator[Seen]:
    if not _may_be_bare(text, own_domain):
        return
    for count, at in enumerate(_BARE_AT.finditer(text)):
        if count >= MOST_SIGNS:
            return
        domain = _BARE_DOMAIN.match(text, at.end())
        local = _local_before(text, at.start()) if domain else None
        if domain is None or local is None or domain[0].split(" ", 1)[0].lower() in NO_NAMES:
            continue
        found = _bare_address(local, at[1].lower(), domain[0], own_domain)
        if found is not None:
            yield Seen(found, at.start() - len(local), domain.end())


def _may_be_bare(text: str, own_domain: str) -> bool:
    """Tell by a quick look whether a text names a dot, or the site itself as no letters but ASCII can write it."""
    lowered = text.lower()
    return any(dot in lowered for dot in BARE_DOTS) or (
        bool(own_domain) and (own_domain in lowered or "xn--" in own_domain)
    )


def _bare_address(local: str, at: str, domain: str, own_domain: str) -> str | None:
    """Read "info at smith dot com"; with plain dots only a desk of the site itself is believed."""
    words = domain.split(" ")
    labels = [words[0]]
    for dot, label in zip(words[1::2], words[2::2], strict=False):
        if (at, dot.lower()) not in BARE_PAIRS:
            break
        labels.append(label)
    if len(labels) > 1:
        return _spelled(local, ".".join(labels))
    is_own = own_domain and canonical_domain(words[0].rstrip(".")) == own_domain
    return canonical(f"{local}@{own_domain}") if is_own and is_role(local) else None


def _spaced(text: str, own_domain: str) -> Iterator[Seen]:
    """Find "info @ smith.com": only where it says email, for a desk, or under the site's own domain."""
    for count, at in enumerate(_SPACED_SIGN.finditer(text)):
        if count >= MOST_SIGNS:
            return
        domain = _SIGN.match("@" + text[at.end() : at.end() + 253])
        local = _local_before(text, at.start())
        found = _with_domain(local, domain[1]) if local and domain else None
        if found is None or local is None or domain is None:
            continue
        said = _EMAIL_WORD.search(text[max(0, at.start() - len(local) - 30) : at.start() - len(local)])
        if said or is_role(local) or found.endswith(f"@{own_domain}"):
            yield Seen(found, at.start() - len(local), at.end() + len(domain[1]))

"""Snippet: the text around a contact, parted so that the contact itself can be shown."""

from __future__ import annotations

import re
from functools import lru_cache

FEWEST_DIGITS = 6
LONGEST_PREFIX = 3  # digits of a country code
_BETWEEN_DIGITS = r"[\s().\-/\u00a0]{0,4}"
_AT = r"\s{0,3}(?:@|&#64;|[\[({<]\s{0,2}at\s{0,2}[\])}>]|\sat\s)\s{0,3}"
_DOT = r"\s{0,3}(?:\.|[\[({<]\s{0,2}dot\s{0,2}[\])}>]|\sdot\s)\s{0,3}"


def part(snippet: str, kind: str, value: str) -> tuple[str, str, str]:
    """Give what comes before a contact, the contact as it is written there, and what follows; all before if nowhere."""
    for pattern in _patterns(kind, value):
        found = re.search(pattern, snippet, re.IGNORECASE)
        if found and found[0]:
            return snippet[: found.start()], found[0], snippet[found.end() :]
    return snippet, "", ""


@lru_cache(maxsize=1024)
def _patterns(kind: str, value: str) -> tuple[str, ...]:
    """Write in which ways a value may be spelt, the surest first."""
    exact = re.escape(value)
    if kind == "email":
        return exact, _email(value)
    if kind == "phone":
        return exact, *_phones("".join(filter(str.isdecimal, value)))
    if kind == "person":
        return exact, r"\W{1,3}".join(map(re.escape, value.split()))
    return exact, re.escape(value.partition("://")[2].rstrip("/").removeprefix("www."))


def _email(value: str) -> str:
    local, _, domain = value.partition("@")
    spelt = (_DOT.join(map(re.escape, each.split("."))) for each in (local, domain))
    return _AT.join(spelt)


def _phones(digits: str) -> list[str]:
    """Spell a number with and without its country, with anything that people put between digits."""
    cuts = range(min(LONGEST_PREFIX, len(digits) - FEWEST_DIGITS) + 1)
    return [rf"(?<!\d)[+(]{{0,2}}(?:0{_BETWEEN_DIGITS})?{_BETWEEN_DIGITS.join(digits[cut:])}(?!\d)" for cut in cuts]

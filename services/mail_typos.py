"""Mail typos: the domains that large mail providers' become under hasty fingers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from services.contacts_words import words
from services.email_words import EXAMPLE_DOMAINS, FREE_MAIL

# Left out are short names (aol, gmx, web) and names that are a letter away from a word (orange, libero): what is beside
# them is other people's.
PROVIDERS = words(
    """
    bellsouth.net btinternet.com comcast.net gmail.com googlemail.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr
    icloud.com laposte.net outlook.com outlook.de outlook.fr protonmail.com sbcglobal.net t-online.de verizon.net
    wanadoo.fr yahoo.co.uk yahoo.com yahoo.de yahoo.fr
    """
)
# Some of these endings exist (cm, co, om, ne); what is under them with a provider's name is not the provider's.
WRONG_ENDINGS = {
    "com": words("ccom cm cmo co com.com comm como con coom cpm ocm om vom xom"),
    "net": words("ent met ne ner nett"),
}
ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


@cache
def _neighbours() -> dict[str, set[str]]:
    """Give the keys beside each key."""
    found: dict[str, set[str]] = {}
    for row in ROWS:
        for left, right in pairwise(row):
            found.setdefault(left, set()).add(right)
            found.setdefault(right, set()).add(left)
    return found


def _slips(name: str) -> Iterator[str]:
    """Leave out, double, swap or miss one letter; the first is left alone, people see it, and ymail is no gmail."""
    for at in range(1, len(name)):
        before, letter, after = name[:at], name[at], name[at + 1 :]
        yield before + after
        yield before + letter + letter + after
        yield before[:-1] + letter + before[-1] + after
        yield from (before + wrong + after for wrong in _neighbours().get(letter, ()))


def _misspelt(provider: str) -> Iterator[str]:
    name, _, ending = provider.partition(".")
    yield from (f"{slip}.{ending}" for slip in _slips(name))
    yield from (f"{name}.{wrong}" for wrong in WRONG_ENDINGS.get(ending, ()))


@cache
def typos() -> frozenset[str]:
    """Give every domain that is a slip away from a provider's and nobody's that we know."""
    slips = {slip for provider in PROVIDERS for slip in _misspelt(provider)}
    return frozenset(slips - FREE_MAIL - EXAMPLE_DOMAINS)


def is_typo(domain: str) -> bool:
    """Tell whether a domain looks like a mistyped provider's."""
    return domain in typos()

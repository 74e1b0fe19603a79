"""Phone region: where a page is from, by what it says itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from services.phone_number import is_region, region_of_code
from services.phone_words import COMMON_WORDS, COUNTRY_NAMES, EVERYBODYS, LANGUAGE_REGIONS

MOST_REGIONS = 5
SEARCHED = 300_000

MOST_WORDS = 3_000
LEAST_COMMON_WORDS = 4

_CODE = re.compile(r"(?:\+|(?<![\d.,-])00)[ (]{0,2}([1-9]\d{0,2})")
# The shape of British postcodes is nobody else's.
_BRITISH = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)")
_LONG_NAMES = {name: region for name, region in COUNTRY_NAMES.items() if " " in name}
_COMMON: dict[str, list[str]] = {}
for _language, _words in COMMON_WORDS.items():
    for _each in _words:
        _COMMON.setdefault(_each, []).append(_language)
_WORD = re.compile(r"[^\W\d_]+")


def region_of_host(host: str) -> str | None:
    """Give the region of a host's ending, when that ending is a country's own."""
    ending = host.rpartition(".")[2].lower()
    if ending in EVERYBODYS:
        return None
    region = "GB" if ending == "uk" else ending.upper()
    return region if len(ending) == 2 and is_region(region) else None


def region_of_language(language: str) -> str | None:
    """Give the region that a language tag names, or the first one where the language is at home."""
    main, _, rest = language.strip().replace("_", "-").partition("-")
    region = rest[-2:].upper()
    if len(region) == 2 and is_region(region):
        return region
    return LANGUAGE_REGIONS.get(main.lower())


def language_of(text: str) -> str | None:
    """Guess the language of a text by its commonest words; None for English and for too few words."""
    words = Counter(_WORD.findall(text[: 8 * MOST_WORDS].lower()))
    counts = dict.fromkeys(COMMON_WORDS, 0)
    for word in words.keys() & _COMMON.keys():
        for language in _COMMON[word]:
            counts[language] += words[word]
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= LEAST_COMMON_WORDS and best != "en" else None


def _codes(text: str) -> Iterator[str | None]:
    for found in _CODE.finditer(text):
        yield next((region for end in (3, 2, 1) if (region := region_of_code(found[1][:end]))), None)


def likely_regions(
    *, given: str, hosts: Iterable[str], languages: Iterable[str], countries: Iterable[str], text: str
) -> list[str]:
    """Rank the regions that a page speaks of: its hosts, its international numbers, its addresses, its language."""
    text = text[:SEARCHED]
    votes: Counter[str] = Counter()
    for weight, regions in (
        (4, {region_of_host(host) for host in hosts}),
        (4, set(_codes(text))),
        (3, {_country(country) for country in countries}),
        (2, {region_of_language(language) for language in (*languages, language_of(text) or "")}),
        (2, _named(text)),
        (2, {"GB" if _BRITISH.search(text) else None}),
    ):
        votes.update({region: weight for region in regions if region and region != given})
    # Sets have no order of their own, and the same page must give the same numbers every time.
    return sorted(votes, key=lambda region: (-votes[region], region))[:MOST_REGIONS]


def _named(text: str) -> set[str]:
    """Give the countries whose names stand in a text."""
    lowered = text.lower()
    words = set(_WORD.findall(lowered))
    return {COUNTRY_NAMES[name] for name in COUNTRY_NAMES.keys() & words} | {
        region for name, region in _LONG_NAMES.items() if name in lowered
    }


def _country(name: str) -> str | None:
    short = name.strip().upper()
    return short if is_region(short) else COUNTRY_NAMES.get(name.strip().lower())

"""Phone region: where a page is from, by what it says itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from services.phone_number import is_region, region_of
from services.phone_words import COUNTRY_NAME, COUNTRY_NAMES, EVERYBODYS, LANGUAGE_REGIONS

MOST_REGIONS = 5
SEARCHED = 300_000

_HOST = re.compile(r"https?://([\w.-]{4,100})", re.IGNORECASE)


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


def likely_regions(
    *, given: str, hosts: Iterable[str], languages: Iterable[str], countries: Iterable[str], numbers: Iterable[str], text: str
) -> list[str]:
    """Rank the regions that a page speaks of: its hosts, its international numbers, its addresses, its language."""
    votes: Counter[str] = Counter()
    for weight, regions in (
        (4, {region_of_host(host) for host in hosts}),
        (4, {region_of(number) for number in numbers}),
        (3, {_country(country) for country in countries}),
        (2, {region_of_language(language) for language in languages}),
        (2, {COUNTRY_NAMES[name[0].lower()] for name in COUNTRY_NAME.finditer(text[:SEARCHED])}),
    ):
        votes.update({region: weight for region in regions if region and region != given})
    return [region for region, _ in votes.most_common(MOST_REGIONS)]


def _country(name: str) -> str | None:
    short = name.strip().upper()
    return short if is_region(short) else COUNTRY_NAMES.get(name.strip().lower())

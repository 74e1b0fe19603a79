"""Technology: what a page is made and run with, by the signs that it leaves in its markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.homepage_elements import Elements
from services.technology_booking import BOOKING_SIGNS
from services.technology_evidence import SIGNS, Group, Sign
from services.technology_services import SERVICE_SIGNS

ALL_SIGNS: tuple[Sign, ...] = (*SIGNS, *SERVICE_SIGNS, *BOOKING_SIGNS)
LONGEST_ADDRESS = 300  # as much of one as is looked at: signs stand in front

_WORDPRESS_VERSION = re.compile(r"(?i)wordpress[ /]v?(\d{1,3}(?:\.\d{1,3}){0,3})")
# Core files carry the version unless the site hides it; those of a library carry the library's.
_CORE_FILE = re.compile(
    r"/wp-includes/(?:js/wp-e|css/|blocks/)[^?\s]{1,100}\?ver=(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)(?![\d.])"
)


@dataclass(frozen=True, slots=True)
class Technology:
    """The names of what was recognised, by group, in the order of the table."""

    technologies: tuple[str, ...]
    analytics: tuple[str, ...]
    widgets: tuple[str, ...]
    booking_tools: tuple[str, ...]
    wordpress_version: str | None


def recognise(page: Elements) -> Technology:
    """Name what a page is made and run with."""
    generators = [each.get("content").lower() for each in page.metas if each.get("name").lower() == "generator"]
    sources = "\n".join(source[:LONGEST_ADDRESS] for source in page.sources).lower()
    # What stands in a link's query is where somebody else's button leads.
    links = "/\n".join(anchor.get("href")[:LONGEST_ADDRESS].partition("?")[0] for anchor in page.anchors).lower()
    places = {
        "source": sources,
        "address": f"{sources}\n{links}/".replace("//", "//."),
        "script": "\n".join(page.scripts).lower(),
        "page": page.html.lower(),
    }
    found: dict[Group, dict[str, None]] = {"technology": {}, "analytics": {}, "widget": {}, "booking": {}}
    for sign in ALL_SIGNS:
        if sign.name not in found[sign.group] and _is_there(sign, generators, places):
            found[sign.group][sign.name] = None
    return Technology(
        technologies=tuple(found["technology"]),
        analytics=tuple(found["analytics"]),
        widgets=tuple(found["widget"]),
        booking_tools=tuple(found["booking"]),
        wordpress_version=_wordpress_version(generators, places["source"]),
    )


def _is_there(sign: Sign, generators: list[str], places: dict[str, str]) -> bool:
    if sign.where == "generator":
        return any(text.startswith(sign.text) for text in generators)
    return sign.text in places[sign.where]


def _wordpress_version(generators: list[str], sources: str) -> str | None:
    for text in generators:
        if said := _WORDPRESS_VERSION.match(text):
            return said[1]
    core = _CORE_FILE.search(sources)
    return core[1] if core else None

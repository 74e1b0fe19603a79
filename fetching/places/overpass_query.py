"""Overpass query: what a person typed, as a question in Overpass QL."""

from __future__ import annotations

import re

from services.osm_place import TRADE_KEYS
from services.osm_trade import tags_of, value_of, words_of
from services.place import Area

SERVER_SECONDS = 25
SERVER_BYTES = 256 * 1024 * 1024
MOST_ELEMENTS = 5_000
MOST_WORDS = 6
HEAD = f"[out:json][timeout:{SERVER_SECONDS}][maxsize:{SERVER_BYTES}];"
ANY_TRADE = f"^({'|'.join(TRADE_KEYS)})$"


def places_query(what: str, area: Area) -> str | None:
    """Ask for a trade by its tags or, when the table does not have it, by name; None when nothing was typed."""
    filters = _filters(what)
    # Not every server reads a box across the 180th meridian, so it is asked in two parts.
    wanted = [f"nwr{filter_}({_box(part)});" for part in area.parts() for filter_ in filters]
    return f"{HEAD}({''.join(wanted)});out center tags {MOST_ELEMENTS};" if wanted else None


def element_query(kind: str, number: int) -> str:
    """Ask for one element."""
    return f"{HEAD}{kind}({number});out center tags;"


def _filters(what: str) -> list[str]:
    tags = tags_of(what)
    if tags:
        return [f"[{_quoted(key)}={_quoted(value)}]" for key, value in tags]
    words = words_of(what)[:MOST_WORDS]
    if not words:
        return []
    # Every word must begin a word of the name, in any order: `art` is no `Stuart`.
    named = "".join(f'["name"~{_quoted(f"(^|[^a-z]){_escaped(word)}")},i]' for word in words)
    return [
        f'{named}[~{_quoted(ANY_TRADE)}~"."]',  # a business, not the street that is called so too
        f"[~{_quoted(ANY_TRADE)}~{_quoted(f'^{_escaped(value_of(what))}$')}]",
    ]


def _escaped(word: str) -> str:
    return re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", word)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _box(area: Area) -> str:
    return ",".join(f"{edge:.7f}" for edge in (area.south, area.west, area.north, area.east))

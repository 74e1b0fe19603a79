"""Contacts parse: one parse of a page, whole where that is affordable, and made flat where strangers nest for ever."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from services import markup
from services.contacts_words import words

# A parser looks at the open elements for every tag. So many looks take about half a second; a flat page has no
# cards, but its words and links are all there.
MOST_LOOKS = 100_000_000
VOID = words("area base br col embed hr img input link meta param source track wbr")

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,30})")


def parse_page(html: str) -> LexborHTMLParser | None:
    """Parse a page; None when it cannot be parsed at all."""
    try:
        return LexborHTMLParser(_encodable(_affordable(html)))
    except (SelectolaxError, ValueError):
        return None


def _affordable(html: str) -> str:
    """Give a page as it is, without what only looks like tags, or flat."""
    if markup.is_modest(html) or is_affordable(html):
        return html
    disarmed = markup.disarm(html)
    return disarmed if is_affordable(disarmed) else markup.flatten(html)


def is_affordable(html: str) -> bool:
    """Tell whether a large page is built as people and builders build, however long it is."""
    if markup.is_overloaded(html):
        return False
    depth = looks = 0
    for tag in _TAG.finditer(html):
        if tag[1]:
            depth = max(0, depth - 1)
        elif tag[2].lower() not in VOID:
            depth += 1
        looks += depth
        if looks > MOST_LOOKS:
            return False
    return True


def _encodable(html: str) -> str:
    """Give what UTF-8 can hold: halves of characters come from broken escapes."""
    try:
        html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-8", "replace").decode()
    return html

"""Markup: one parse of a page, in a time that grows with its length, whatever strangers have written.

An HTML parser looks at every open element again and again, so its time grows with the square of how deeply a page is
nested, of the attributes in one tag and of the formatting left open: a hostile megabyte takes minutes. Such a page is
made flat before it is parsed; its words, links, images, scripts and facts about itself are kept.
"""

from __future__ import annotations

import re
from functools import cache

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

MOST_CHARACTERS = 300_000
MOST_TAGS = 6_000
MOST_REOPENED = 500_000  # tags times formatting elements: how many elements can come of them at the worst
MOST_ATTRIBUTES = 60  # in one tag


def _tag(longest: str) -> str:
    """Spell a tag after its "<" as parsers read it; no repetition gives back what it took, so it fits in one way."""
    value = rf"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s"'>][^\s>]{longest}+)?+"""
    attribute = rf"[\s/]{longest}+[^\s/>][^\s/>=]{longest}+(?:\s{longest}+=\s{longest}+{value})?+"
    return rf"([a-zA-Z][^\s/>]{longest}+)((?:{attribute}){{0,{MOST_ATTRIBUTES}}}+)"


# Looked for after every "<", wherever it stands: a parser that takes it for a tag finds no more in it than this does.
_OVERLOADED = re.compile(rf"<{_tag('{0,250}')}(?![\s/]*+(?:>|\Z))", re.ASCII)
_SCRIPT = re.compile(r"(<script)((?:[^<]++|<(?!/script))*+)", re.IGNORECASE)
_TAG_START = re.compile(r"<(?=[a-zA-Z])")
_FORMATTING = re.compile(r"<(?i:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])")
# A comment, what a parser takes for one, or a tag; attributes beyond the most are skipped.
_PIECE = re.compile(
    r"<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>)?+)"
    r"|<(?:[!?]|/(?![a-zA-Z]))[^>]*+>?+"
    rf"|<(/?){_tag('*')}[^>]*+>?+"
)

# What a flat page is made of. None of them holds others, but for the images and words of a link.
KEPT = frozenset(
    ("html", "base", "title", "meta", "link", "script", "style", "a", "area", "img", "iframe", "source", "br")
)
INSIDE_A_LINE = frozenset(
    (
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "em",
        "font",
        "i",
        "mark",
        "nobr",
        "q",
        "s",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "tt",
        "u",
        "wbr",
    )
)
RAW = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"))


def parse(html: str) -> LexborHTMLParser | None:
    """Parse a page, made flat first where it is hostile; None when it cannot be parsed at all."""
    try:
        # Halves of characters come from broken escapes, and UTF-8 cannot hold them.
        return LexborHTMLParser(tame(html).encode("utf-8", "replace").decode("utf-8"))
    except (SelectolaxError, ValueError):
        return None


def tame(html: str) -> str:
    """Give a page as it is where it can be parsed in a reasonable time, and made flat where it can not."""
    if is_modest(html):
        return html
    disarmed = disarm(html)
    return disarmed if is_modest(disarmed) else flatten(html)


def is_modest(html: str) -> bool:
    """Tell whether a page has few enough tags, attributes and formatting elements to be parsed as it is."""
    tags = html.count("<")
    if len(html) > MOST_CHARACTERS or tags > MOST_TAGS:
        return False
    most_formatting = tags - html.count("</")
    if tags * most_formatting > MOST_REOPENED and tags * len(_FORMATTING.findall(html)) > MOST_REOPENED:
        return False
    return not is_overloaded(html)


def is_overloaded(html: str) -> bool:
    """Tell whether anything that may be a tag has more attributes than people write."""
    return _OVERLOADED.search(html) is not None


def disarm(html: str) -> str:
    """Take apart, inside scripts, what would be a tag anywhere else: "i<items.length" seems to have many attributes."""
    return _SCRIPT.sub(lambda script: script[1] + _TAG_START.sub("< ", script[2]), html)


def flatten(html: str) -> str:
    """Keep the words, the elements that hold no others, and the links; a block's beginning and end become line ends."""
    parts: list[str] = []
    place = 0
    seen: set[str] = set()
    while (found := _PIECE.search(html, place)) is not None:
        parts.append(html[place : found.start()])
        place = found.end()
        name = (found[2] or "").lower()
        if name in KEPT:
            if name != "html" or name not in seen:  # a second one would add its attributes to the first
                parts.append(f"<{found[1]}{name}{found[3]}>")
            seen.add(name)
        elif name and name not in INSIDE_A_LINE and name not in ("head", "body"):
            parts.append("<br>")
        if name in RAW and not found[1]:
            place = _take_raw(html, place, name, parts)
    parts.append(html[place:])
    return "".join(parts)


def _take_raw(html: str, place: int, name: str, parts: list[str]) -> int:
    """Take what stands in an element that has no elements inside, up to its end tag; give where that begins."""
    ending = _end_of(name).search(html, place)
    end = ending.start() if ending else len(html)
    if name in KEPT:
        # A comment inside a script can hide the script's own end.
        parts.append(html[place:end].replace("<!--", ""))
    return end


@cache
def _end_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)

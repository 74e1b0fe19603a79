"""The filters of Overpass QL, read from tokens."""

from __future__ import annotations

import re

from sandbox.places.geometry import Box, Circle
from sandbox.places.ql_tokens import Tokens
from sandbox.places.ql_tree import DEFAULT_SET, AreaFilter, Filter, IdFilter, TagFilter

LONGEST_PATTERN = 300
MOST_REPEATS = 2
_NOT_FOR_US = re.compile(r"\)[*+?{]|\(\?|\\\d")
_REPEAT = re.compile(r"(?<!\\)[*+?{]")


def read_tag_filter(tokens: Tokens) -> TagFilter:
    """Read what follows a `[`, its `]` included."""
    negated = tokens.accept("!")
    if tokens.accept("~"):
        key_pattern = _pattern(tokens, tokens.text(), 0)
        tokens.expect("~")
        filter_ = TagFilter("", _pattern_with_flag(tokens), negated, key_pattern)
    else:
        key = tokens.text()
        filter_ = TagFilter(key, None, negated) if negated else _compared(tokens, key)
    tokens.expect("]")
    return filter_


def _compared(tokens: Tokens, key: str) -> TagFilter:
    for sign in ("=", "!="):
        if tokens.accept(sign):
            return TagFilter(key, tokens.text(), negated=sign == "!=")
    for sign in ("~", "!~"):
        if tokens.accept(sign):
            return TagFilter(key, _pattern_with_flag(tokens), negated=sign == "!~")
    return TagFilter(key)


def _pattern_with_flag(tokens: Tokens) -> re.Pattern[str]:
    text = tokens.text()
    if not tokens.accept(","):
        return _pattern(tokens, text, 0)
    tokens.expect("i")
    return _pattern(tokens, text, re.IGNORECASE)


def _pattern(tokens: Tokens, text: str, flags: int) -> re.Pattern[str]:
    # Repeated groups and long chains of repeats can take for ever on a hostile value.
    if len(text) > LONGEST_PATTERN or _NOT_FOR_US.search(text) or len(_REPEAT.findall(text)) > MOST_REPEATS:
        raise tokens.bad(f"the sandbox does not run the regular expression {text[:60]!r}")
    try:
        return re.compile(text, flags)
    except (re.error, OverflowError):
        raise tokens.bad(f"invalid regular expression {text[:60]!r}") from None


def read_place_filter(tokens: Tokens) -> Filter:
    """Read what follows a `(`, its `)` included."""
    if tokens.accept("area"):
        filter_ = _area(tokens)
    elif tokens.accept("around"):
        tokens.expect(":")
        filter_ = _around(tokens)
    elif tokens.accept("id"):
        tokens.expect(":")
        filter_ = IdFilter(frozenset(map(int, tokens.numbers())))
    else:
        filter_ = _numbers(tokens)
    tokens.expect(")")
    return filter_


def _area(tokens: Tokens) -> Filter:
    if tokens.accept("."):
        return AreaFilter(tokens.text())
    if tokens.accept(":"):
        return AreaFilter(int(tokens.number()))
    return AreaFilter(DEFAULT_SET)


def _around(tokens: Tokens) -> Filter:
    numbers = tokens.numbers()
    if len(numbers) != 3 or not (0 <= numbers[0] <= 1e7 and abs(numbers[1]) <= 90 and abs(numbers[2]) <= 180):
        raise tokens.bad("around needs a radius in metres, a latitude and a longitude")
    radius, latitude, longitude = numbers
    return Circle(latitude, longitude, radius)


def _numbers(tokens: Tokens) -> Filter:
    numbers = tokens.numbers()
    if len(numbers) == 1 and numbers[0] == int(numbers[0]):
        return IdFilter(frozenset((int(numbers[0]),)))
    return box_from(tokens, numbers)


def box_from(tokens: Tokens, numbers: list[float]) -> Box:
    """Make a box of south, west, north and east."""
    if len(numbers) != 4:
        raise tokens.bad("a box needs south, west, north and east")
    south, west, north, east = numbers
    if not (-90 <= south <= north <= 90 and -180 <= west <= 180 and -180 <= east <= 180):
        raise tokens.bad("the box must lie on the globe, with south below north")
    return Box(south, west, north, east)

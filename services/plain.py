"""Plain: values out of a stranger's JSON, tidied so that the database takes them, or None."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

LONGEST_TEXT = 1000
LONGEST_URL_BYTES = 2048
MOST_RAW_BYTES = 64 * 1024
DEEPEST_RAW = 12
LARGEST_INTEGER = 2**63
# Controls, halves of characters, and marks that turn or hide the text around them.
INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\u200b\u202a-\u202e\u2060-\u2069\ufeff]")


def mapping_of(value: object) -> Mapping[str, Any]:
    """Give a JSON object, or an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: object, most: int = 1000) -> list[Any]:
    """Give the first items of a JSON list, or none for anything else."""
    return value[:most] if isinstance(value, list) else []


def text_of(value: object, most: int = LONGEST_TEXT) -> str | None:
    """Give a text on one line without what nobody sees; cut when too long, None when nothing is left."""
    if not isinstance(value, str):
        return None
    tidy = " ".join(INVISIBLE.sub("", value[: 4 * most]).split())
    return tidy[:most].rstrip() or None


def url_of(value: object) -> str | None:
    """Give a URL as it was written, odd spelling and all; too long a one would be a wrong one when cut."""
    if not isinstance(value, str) or len(value) > 2 * LONGEST_URL_BYTES:
        return None
    tidy = INVISIBLE.sub("", re.sub(r"[\t\r\n\v\f\x1c-\x1f\x85\u2028\u2029]", "", value)).strip()
    return tidy if tidy and len(tidy.encode()) <= LONGEST_URL_BYTES else None


def number_of(value: object, least: float, most: float) -> float | None:
    """Give a number between two bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        return None
    return float(value)


def whole_number_of(value: object, least: int, most: int) -> int | None:
    """Give a whole number between two bounds."""
    number = number_of(value, least, most)
    return None if number is None or number != int(number) else int(number)


def country_of(value: object) -> str | None:
    """Give a country as two capitals."""
    text = (text_of(value) or "").upper()
    return text if re.fullmatch("[A-Z]{2}", text) else None


def raw_of(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give a whole JSON object in a form that the database takes, or None when it is too large or too deep."""
    room = [MOST_RAW_BYTES]
    raw = _raw(value, room, 0)
    return raw if room[0] >= 0 and isinstance(raw, dict) else None


def _raw(value: object, room: list[int], depth: int) -> Any:
    room[0] -= 8 + (4 * len(value) if isinstance(value, str) else 0)
    if room[0] < 0 or depth > DEEPEST_RAW:
        room[0] = -1
        return None
    if isinstance(value, str):
        return INVISIBLE.sub("", value)
    if isinstance(value, Mapping):
        room[0] -= sum(4 * len(name) for name in value)
        return {INVISIBLE.sub("", name): _raw(inner, room, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_raw(inner, room, depth + 1) for inner in value]
    return _raw_number(value)


def _raw_number(value: object) -> object:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, int):
        return value if abs(value) < LARGEST_INTEGER else None
    return None

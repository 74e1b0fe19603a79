"""Cursor: where a page of a list ended, as a word that a caller hands back for the next."""

from __future__ import annotations

import json
import re
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

# How a value is read again: by this function, as this type, or, as an `object`, as it is, be it text or nothing.
Kind = Callable[..., Any]

LARGEST_ID = 2**63 - 1
MARK_LENGTH = 12
UNSTORED = re.compile("[\x00\ud800-\udfff]")
UNREADABLE = "This cursor cannot be read: give the next_cursor of the page before as it is, or none for the first page."
OF_ANOTHER = (
    "This cursor belongs to a list with another filter or order: keep these as they were, or leave the cursor out to"
    " begin anew."
)


class BadCursor(ValueError):
    """What a caller handed back is no cursor of this list; the message says what to do."""


def mark_of(*parts: object) -> str:
    """Give a short mark of what a list was asked for."""
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()[:MARK_LENGTH]


def write(mark: str, values: Iterable[object]) -> str:
    """Write the values by which the last row of a page was sorted."""
    text = json.dumps([mark, *map(_written, values)], ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read(cursor: str, mark: str, *kinds: Kind) -> tuple[Any, ...]:
    """Read the values again, each by its kind; refuse what is no cursor, or one of another list."""
    found, *values = _told(cursor)
    if found != mark or len(values) != len(kinds):
        raise BadCursor(OF_ANOTHER)
    try:
        return tuple(_read(each, kind) for each, kind in zip(values, kinds, strict=True))
    except (ValueError, OverflowError):
        raise BadCursor(UNREADABLE) from None


def moment(text: str) -> datetime:
    """Read a time, in UTC: no database takes every offset that can be written."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found.astimezone(UTC)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= LARGEST_ID):
        raise ValueError(text)
    return int(text)


KINDS: Mapping[Kind, Kind] = {int: _number, datetime: moment}


def _read(value: str | None, kind: Kind) -> Any:
    if kind is object:
        return value
    if value is None:
        raise ValueError(value)
    return KINDS.get(kind, kind)(value)


def _written(value: object) -> str | None:
    return None if value is None else value.isoformat() if isinstance(value, datetime) else str(value)


def _told(cursor: str) -> list[str | None]:
    try:
        text = b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise BadCursor(UNREADABLE) from None
    if not isinstance(told, list) or len(told) < 2 or not all(map(_is_value, told)):
        raise BadCursor(UNREADABLE)
    return told


def _is_value(value: object) -> bool:
    return value is None or (isinstance(value, str) and UNSTORED.search(value) is None)

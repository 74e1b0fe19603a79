"""Cursor: where the next page of a list goes on, as one word that callers hand back."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.moments import utc
from errors import BadInput

UNKNOWN = "This cursor cannot be used: give the `next_cursor` of the page before, or none for the first page."
LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of rows, how many there are, and from where the next page goes on."""

    rows: list[dict[str, Any]]
    total: int | None
    next: str | None


def listed(rows: list[dict[str, Any]], limit: int, total: int | None, *columns: str) -> Listed:
    """Cut rows that were read with one more than asked for, and say where the next page begins."""
    kept, more = rows[:limit], len(rows) > limit
    return Listed(kept, total, write(*(kept[-1][column] for column in columns)) if more else None)


def write(*parts: object) -> str:
    """Write the place after a row."""
    words = [part.isoformat() if isinstance(part, datetime) else str(part) for part in parts]
    return urlsafe_b64encode(" ".join(words).encode()).decode().rstrip("=")


def read(cursor: str | None, *kinds: Callable[[str], Any]) -> tuple[Any, ...]:
    """Read a place, each part by its kind; nothing but None when there is no cursor."""
    if cursor is None:
        return (None,) * len(kinds)
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        words = b64decode(padded, altchars=b"-_", validate=True).decode("ascii").split(" ")
        return tuple(kind(word) for kind, word in zip(kinds, words, strict=True))
    except ValueError:
        raise BadInput(UNKNOWN) from None


def number(word: str) -> int:
    """Read an id."""
    if not word.isdigit() or not 0 < int(word) <= LARGEST_ID:
        raise ValueError(word)
    return int(word)


def moment(word: str) -> datetime:
    """Read a time."""
    read_ = datetime.fromisoformat(word)
    if read_.tzinfo is None:
        raise ValueError(word)
    return utc(read_)


def text(word: str) -> str:
    """Read a word; NUL cannot be compared with."""
    if not word or not word.isprintable():
        raise ValueError(word)
    return word

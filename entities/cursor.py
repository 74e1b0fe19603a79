"""Cursor: where a page of a list ended, as a word that a caller hands back for the next."""

from __future__ import annotations

import binascii
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256

from errors import BadInput

Keys = Sequence[str | None]

MARK_LENGTH = 12
UNSTORED = re.compile("[\x00\ud800-\udfff]")
UNREADABLE = "This cursor cannot be read: give the next_cursor of the page before as it is, or none for the first page."
OF_ANOTHER = (
    "This cursor belongs to a list with another filter or order: keep where and sort as they were, or leave the"
    " cursor out to begin anew."
)


def mark_of(*parts: object) -> str:
    """Give a short mark of what a list was asked for."""
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()[:MARK_LENGTH]


def write(mark: str, keys: Keys) -> str:
    """Write the values by which the last row of a page was sorted."""
    text = json.dumps([mark, *keys], ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read(cursor: str, mark: str, many: int) -> Keys:
    """Read the values again; refuse what is no cursor, or one of another list."""
    try:
        told = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode())
    except (binascii.Error, ValueError, RecursionError):
        raise BadInput(UNREADABLE) from None
    if not isinstance(told, list) or len(told) < 2 or not all(_is_key(each) for each in told):
        raise BadInput(UNREADABLE)
    if told[0] != mark or len(told) != many + 1:
        raise BadInput(OF_ANOTHER)
    return told[1:]


def _is_key(value: object) -> bool:
    return value is None or (isinstance(value, str) and UNSTORED.search(value) is None)

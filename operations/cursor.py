"""Cursor: where a page of rows ended, as text that a caller hands back for the next page."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from errors import BadInput

LARGEST_ID = 2**63 - 1
NOT_OURS = "This cursor cannot be read: use `next_cursor` of the page before, or leave it out to begin."
OF_ANOTHER_LIST = "This cursor belongs to a list with another order or filter: leave it out to begin anew."


def list_mark(sort: str, condition: str, values: Mapping[str, Any]) -> str:
    """Give a short mark of a list's order and filter, by which a cursor of another list is told."""
    told = json.dumps([sort, condition, sorted((name, str(value)) for name, value in values.items())])
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:12]


def write(mark: str, key: str, row_id: int) -> str:
    """Write where a page ended."""
    return base64.urlsafe_b64encode(json.dumps([mark, key, row_id]).encode()).decode().rstrip("=")


def read(cursor: str, mark: str) -> tuple[str, int]:
    """Read where the page before ended; refuse what is no cursor of this list."""
    try:
        told = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)))
    except (binascii.Error, UnicodeError, ValueError, RecursionError):
        raise BadInput(NOT_OURS) from None
    match told:
        case [str(found), str(key), int(row_id)] if 0 < row_id <= LARGEST_ID and "\x00" not in key:
            if found != mark:
                raise BadInput(OF_ANOTHER_LIST)
            return key, row_id
    raise BadInput(NOT_OURS)

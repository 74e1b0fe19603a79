"""Pages: all rows of a list that is given page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pipeline.paging import Listed

Row = TypeVar("Row")
AT_A_TIME = 500


def all_rows(page: Callable[[str | None, int], Listed[Row]]) -> Iterator[Row]:
    """Ask for one page after another, each by the cursor of the one before and so many at a time."""
    cursor = None
    while True:
        found = page(cursor, AT_A_TIME)
        yield from found.rows
        cursor = found.next_cursor
        if cursor is None:
            return

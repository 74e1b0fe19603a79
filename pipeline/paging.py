"""Paging: one page of a list, and from where the next one goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from errors import BadInput
from services import cursor as cursors
from services.cursor import BadCursor, Kind

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Listed(Generic[Row]):
    """One page of rows, how many there are in all where that was asked, and the cursor of the next page."""

    rows: list[Row]
    total: int | None
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one list, which is told by its mark from one with another filter or order."""

    mark: str

    def place(self, cursor: str | None, *kinds: Kind) -> tuple[Any, ...]:
        """Read where the page before ended, each value by its kind; nothing but None when there was none."""
        if cursor is None:
            return (None,) * len(kinds)
        try:
            return cursors.read(cursor, self.mark, *kinds)
        except BadCursor as fault:
            raise BadInput(str(fault)) from None

    def listed(
        self, found: Sequence[Row], limit: int, total: int | None, place_of: Callable[[Row], Iterable[object]]
    ) -> Listed[Row]:
        """Cut rows that were read with one more than asked for, and say where the next page begins."""
        rows = list(found[:limit])
        return Listed(rows, total, cursors.write(self.mark, place_of(rows[-1])) if len(found) > limit else None)


def pages_of(*asked: object) -> Pages:
    """Name a list by what it is asked for."""
    return Pages(cursors.mark_of(*asked))

"""All rows of a list are asked for page by page, by the cursor of the page before."""

from __future__ import annotations

import pytest

from cli import pages
from pipeline.paging import Listed, pages_of

NUMBERS = pages_of("numbers")


@pytest.mark.parametrize("many", [0, 1, 2, 3, 4, 7])
def test_every_row_comes_once(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "AT_A_TIME", 2)

    def page(cursor: str | None, most: int) -> Listed[int]:
        (after,) = NUMBERS.place(cursor, int)
        found = range(1, many + 1)[after or 0 :]
        return NUMBERS.listed(found, most, None, lambda number: (number,))

    assert list(pages.all_rows(page)) == list(range(1, many + 1))

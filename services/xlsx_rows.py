"""Rows of an XLSX sheet that a person brings: bytes in, rows out, one at a time."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice
from typing import BinaryIO

from services.csv_lines import LONGEST_LINE
from services.list_layout import MOST_COLUMNS, Layout, Row, Spellings, Table, layout_of, tidy
from services.sitemap_markup import Token
from services.xlsx_book import (
    LONGEST_CELL,
    TOO_MUCH,
    Book,
    Unreadable,
    attributes_of,
    local,
    number_of,
    open_book,
    text_of,
)

__all__ = ["Unreadable", "read_sheet", "sheet_rows"]

SAMPLE_ROWS = 50
LAST_ROW = 1_048_576
# Excel takes 1900 for a leap year, so that its first of March is day 61.
FIRST_DAY, LAST_DAY, DAYS_TO_1904 = datetime(1899, 12, 30), 2_958_465, 1_462  # noqa: DTZ001
WHOLE_NUMBERS_UP_TO = 1e15
ERRORS = frozenset(("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"))
_PLACE = re.compile(r"([A-Za-z]{1,3})[0-9]{0,7}")

Numbered = tuple[int, list[str]]


def read_sheet(
    stream: BinaryIO,
    spellings: Spellings,
    chosen: Mapping[str, str] | None = None,
    *,
    sheet: str | None = None,
    has_header: bool | None = None,
) -> Table:
    """Look at the first rows to find the layout, then read rows one by one."""
    rows = sheet_rows(stream, sheet)
    sample = list(islice(rows, SAMPLE_ROWS))
    layout = layout_of([cells for _, cells in sample], spellings, chosen or {}, has_header=has_header)
    following = chain(sample[1:] if layout.header is not None else sample, rows)
    return Table(layout, (_row(layout, number, cells) for number, cells in following))


def _row(layout: Layout, number: int, cells: list[str]) -> Row:
    raw = _as_line(cells)
    return layout.row(number, cells, raw, is_cut=len(raw) > LONGEST_LINE)


def _as_line(cells: Sequence[str]) -> str:
    """Write a row as CSV would have it, for those who look for it in their file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def sheet_rows(stream: BinaryIO, sheet: str | None = None) -> Iterator[Numbered]:
    """Give the rows of a sheet that hold anything, each with its number, as text.

    The sheet is read to its end first, so that one that is damaged further down is refused before a row is given.
    """
    book = open_book(stream)
    for _ in book.tokens(sheet):
        pass
    reading = _Reading(book)
    for tag in book.tokens(sheet):
        row = reading.take(tag)
        if row is not None and any(row[1]):
            yield row[0], tidy(row[1])


class _Reading:
    """One walk through a sheet: the row and the cell that are being read."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._number, self._cells = 0, list[str]()
        self._column, self._kind, self._style = 0, "", ""
        self._heard: list[str] = []
        self._length, self._is_value, self._is_cell = 0, False, False

    def take(self, tag: Token) -> Numbered | None:
        """Take a tag with the text before it, and give the row that it ends."""
        if self._is_value and tag.text and self._length <= LONGEST_CELL:
            self._heard.append(tag.text)
            self._length += len(tag.text)
        name = local(tag)
        if not name:
            return None
        if name in ("v", "t"):
            self._is_value = self._is_cell and not tag.is_end and not tag.is_empty
        elif name == "c":
            self._cell(tag)
        elif name == "row":
            return self._row(tag)
        return None

    def _row(self, tag: Token) -> Numbered | None:
        if tag.is_end:
            return self._number, self._cells
        told = number_of(attributes_of(tag).get("r", ""))
        self._number = told if told is not None and self._number < told <= LAST_ROW else self._number + 1
        if self._number > LAST_ROW:
            raise Unreadable(TOO_MUCH)
        self._cells, self._column = [], 0
        return None

    def _cell(self, tag: Token) -> None:
        if tag.is_end:
            self._close()
            return
        own = attributes_of(tag)
        self._kind, self._style = own.get("t", "n"), own.get("s", "")
        self._column = _column_of(own.get("r", "")) or self._column + 1
        self._heard, self._length = [], 0
        self._is_cell = not tag.is_empty

    def _close(self) -> None:
        self._is_value = self._is_cell = False
        if not 1 <= self._column <= MOST_COLUMNS:
            return
        missing = self._column - len(self._cells)
        self._cells += [""] * max(missing, 0)
        self._cells[self._column - 1] = self._text(text_of(self._heard))

    def _text(self, value: str) -> str:
        if self._kind == "s":
            nth = number_of(value.strip())
            return self._book.texts[nth] if nth is not None and nth < len(self._book.texts) else ""
        if self._kind == "b":
            return {"1": "yes", "0": "no"}.get(value.strip(), "")
        if self._kind == "e":
            return "" if value.strip() in ERRORS else value
        if self._kind in ("inlineStr", "str", "d"):
            return value
        return self._number_as_text(value.strip())

    def _number_as_text(self, value: str) -> str:
        try:
            number = float(value) if len(value) <= 64 else float("nan")
        except ValueError:
            return value
        if number != number or abs(number) == float("inf"):
            return value
        if number_of(self._style) in self._book.date_styles:
            return _date_as_text(number, is_1904=self._book.is_1904) or value
        return str(int(number)) if number.is_integer() and abs(number) < WHOLE_NUMBERS_UP_TO else repr(number)


def _column_of(place: str) -> int | None:
    """Read the letters of a place such as `AB12` as the number of its column."""
    found = _PLACE.fullmatch(place)
    if found is None:
        return None
    number = 0
    for letter in found[1].upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _date_as_text(number: float, *, is_1904: bool) -> str | None:
    days = number + DAYS_TO_1904 if is_1904 else number
    if not 0 <= number <= days <= LAST_DAY:
        return None
    at = FIRST_DAY + timedelta(seconds=round(days * 86_400))
    if number < 1:
        return at.strftime("%H:%M:%S")
    return at.strftime("%Y-%m-%d") if number.is_integer() else at.strftime("%Y-%m-%d %H:%M:%S")

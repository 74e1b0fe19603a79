"""Export XLSX: text stays text, never a formula or a link; a sheet that is full is followed by another."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import xlsxwriter
from xlsxwriter.exceptions import FileCreateError, FileSizeError

from services.export_cell import Cell, flat

# What a sheet of Excel's can hold, its header included.
ROWS_A_SHEET = 1_048_576
# Excel counts 32,767 halves of characters a cell, and leaves out a cell that has more.
LONGEST_CELL = 16_383
NEVER = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "nan_inf_to_errors": True}


def sheets_for(rows: int) -> int:
    """Count the sheets that so many rows take, each with its header."""
    return max(1, -(-rows // (ROWS_A_SHEET - 1)))


@contextmanager
def xlsx_rows(
    stream: BinaryIO, headers: Sequence[str], *, title: str = "Leads", rows_a_sheet: int = ROWS_A_SHEET
) -> Iterator[Callable[[Sequence[Cell]], None]]:
    """Give the function that writes a row; a row is on disk before the next one comes, and the stream gets it all."""
    with TemporaryDirectory(prefix="scrapersky-export-") as room:
        made = Path(room, "book.xlsx")
        book = xlsxwriter.Workbook(str(made), {"constant_memory": True, "tmpdir": room, **NEVER})
        try:
            yield Sheets(book, headers, title, rows_a_sheet).write
            _close(book)
        finally:
            _let_go(book)
        with made.open("rb") as whole:
            copyfileobj(whole, stream)


def _close(book: Any) -> None:
    try:
        book.close()
    except FileCreateError as fault:
        raise OSError(errno.EIO, str(fault)) from fault
    except FileSizeError as fault:
        raise OSError(errno.EFBIG, "a sheet would be larger than 4 GB, so export CSV or less at a time") from fault


def _let_go(book: Any) -> None:
    """Let go of what is half written: nobody else closes it, and its end would write a whole file."""
    for sheet in book.worksheets():
        sheet.row_data_fh.close()
    book.fileclosed = True


class Sheets:
    """The sheets of a workbook, each with the header."""

    def __init__(self, book: Any, headers: Sequence[str], title: str, rows_a_sheet: int) -> None:
        self._book, self._headers, self._title, self._most = book, headers, title, rows_a_sheet
        self._bold = book.add_format({"bold": True})
        self._count = 0
        self._begin()

    def _begin(self) -> None:
        self._count += 1
        self._sheet = self._book.add_worksheet(self._title if self._count == 1 else f"{self._title} {self._count}")
        self._sheet.freeze_panes(1, 0)
        for column, header in enumerate(self._headers):
            self._sheet.write_string(0, column, header, self._bold)
        self._row = 1

    def write(self, row: Sequence[Cell]) -> None:
        """Write one row, on another sheet when this one is full."""
        if self._row >= self._most:
            self._begin()
        for column, cell in enumerate(row):
            if cell or cell == 0:
                self._write_cell(column, flat(cell))
        self._row += 1

    def _write_cell(self, column: int, value: str | int | float) -> None:
        if isinstance(value, str):
            self._sheet.write_string(self._row, column, value[:LONGEST_CELL])
        else:
            self._sheet.write_number(self._row, column, value)

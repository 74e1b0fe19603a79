"""Export CSV: rows as spreadsheets and CRMs read them, UTF-8 with its mark, commas, and lines that end in CRLF."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from services.export_cell import Cell, flat, harmless

BYTE_ORDER_MARK = "\ufeff"


@contextmanager
def csv_rows(stream: BinaryIO, headers: Sequence[str]) -> Iterator[Callable[[Sequence[Cell]], None]]:
    """Write the header, and give the function that writes a row."""
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=False)
    written = csv.writer(text, lineterminator="\r\n")
    try:
        text.write(BYTE_ORDER_MARK)
        written.writerow(headers)
        yield lambda row: written.writerow([_cell(cell) for cell in row])
        text.flush()
    finally:
        text.detach()  # or it would close what is not its own


def _cell(cell: Cell) -> str | int | float:
    if not cell and cell != 0:
        return ""
    value = flat(cell)
    return harmless(value) if isinstance(value, str) else value

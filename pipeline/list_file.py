"""A list as a file: text or a spreadsheet, told by how it begins, as a table; or one sentence that says why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO

from errors import BadInput
from services.csv_lines import is_text
from services.csv_rows import read_table
from services.list_layout import NoSuchColumn, Spellings, Table
from services.xlsx_book import open_book
from services.xlsx_rows import Unreadable, read_sheet

BEGIN_BYTES = 4096
ZIP = b"PK\x03\x04"
NOT_TEXT = {b"\xd0\xcf\x11\xe0": "a spreadsheet of the old kind", b"%PDF": "a PDF"}


def open_list(
    stream: BinaryIO,
    *,
    name: str,
    spellings: Spellings,
    chosen: Mapping[str, str],
    sheet: str | None = None,
    has_header: bool | None = None,
) -> Table:
    """Find out how a list is laid out; its rows are read as they are asked for."""
    begin = _begin(stream)
    try:
        if begin.startswith(ZIP):
            return read_sheet(_seekable(stream, name), spellings, chosen, sheet=sheet, has_header=has_header)
        check_text(name, begin)
        return read_table(stream, spellings, chosen, has_header=has_header)
    except NoSuchColumn as fault:
        raise BadInput(f"{fault}.") from None
    except Unreadable as fault:
        raise _no_spreadsheet(name, fault) from None


def sheets_of(stream: BinaryIO, *, name: str) -> list[str]:
    """Give the names of a spreadsheet's sheets; a text has none."""
    if not _begin(stream).startswith(ZIP):
        return []
    try:
        return list(open_book(stream).sheets)
    except Unreadable as fault:
        raise _no_spreadsheet(name, fault) from None
    finally:
        stream.seek(0)


def _no_spreadsheet(name: str, fault: Unreadable) -> BadInput:
    return BadInput(f"{name!r} cannot be read as a spreadsheet: {fault}. Save it as CSV and import that.")


def read_choices(columns: Iterable[str]) -> dict[str, str]:
    """Read which column holds a field: `name=Trading as` and the like."""
    chosen = {}
    for text in columns:
        field, separator, header = text.partition("=")
        if not (separator and field.strip() and header.strip()):
            raise BadInput(f"{text[:60]!r} names no column: write it like name=Trading as.")
        chosen[field.strip().lower()] = header.strip()
    return chosen


def check_text(name: str, begin: bytes) -> None:
    """Refuse by its first bytes what is no text."""
    for magic, kind in NOT_TEXT.items():
        if begin.startswith(magic):
            raise BadInput(f"{name!r} is {kind}, not text: save it as CSV or XLSX and import that.")
    if not is_text(begin):
        raise BadInput(f"{name!r} is not text: save it as CSV or XLSX and import that.")


def _begin(stream: BinaryIO) -> bytes:
    """Look at the first bytes; a pipe cannot be wound back, but it can be peeked at."""
    if hasattr(stream, "peek"):
        peeked: bytes = stream.peek(1)
        return peeked[:BEGIN_BYTES]
    begin = stream.read(BEGIN_BYTES)
    stream.seek(0)
    return begin


def _seekable(stream: BinaryIO, name: str) -> BinaryIO:
    if hasattr(stream, "seekable") and not stream.seekable():
        raise BadInput(f"{name!r} is a spreadsheet, which cannot be read from a pipe: name its file.")
    return stream

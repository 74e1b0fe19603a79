"""Export cell: a value as text that no spreadsheet takes for a formula and no reader for the end of a row."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from services.phone import E164

Cell = str | int | float | bool | datetime | date | None | tuple[str, ...]
BETWEEN = "; "

# Controls and ends of lines part a cell; halves of characters cannot be written; marks that turn the text around them
# show another value than the one that is there.
_SPACE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029]+")
_GONE = re.compile("[\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff]")
# The fullwidth forms too: some programs take them for the same signs.
_STARTS = "=+-@\uff1d\uff0b\uff0d\uff20"
_SIGNS = frozenset(_STARTS)
# Where a spreadsheet parts columns at semicolons, what follows one begins a cell; quotes there are the cell's own.
_AFTER_SEMICOLON = re.compile(f'(;[\\s"]*)(?=([{re.escape(_STARTS)}][^;]*))')


def one_line(text: str) -> str:
    """Put a text on one line without controls, halves of characters and marks that deceive."""
    return _SPACE.sub(" ", _GONE.sub("", text)).strip(" ")


def flat(cell: Cell) -> str | int | float:
    """Give a value as a number or as one line of text; a list is joined, a time is in UTC."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return cell
    if isinstance(cell, tuple):
        return BETWEEN.join(one_line(part) for part in cell)
    return one_line(cell) if isinstance(cell, str) else moment(cell)


def moment(at: datetime | date) -> str:
    """Write a time as people and programs read it, in UTC."""
    if isinstance(at, datetime):
        return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return at.isoformat()


def harmless(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula; a phone such as +15125550100 stays."""
    guarded = _AFTER_SEMICOLON.sub(_guarded, text) if ";" in text else text
    starts = text.lstrip()[:1] in _SIGNS and not _is_phone(text.partition(";")[0])
    return f"'{guarded}" if starts else guarded


def _guarded(found: re.Match[str]) -> str:
    return found[1] if _is_phone(found[2]) else f"{found[1]}'"


def _is_phone(text: str) -> bool:
    return E164.fullmatch(text.strip()) is not None

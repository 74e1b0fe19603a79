"""Rows of a list that a person brings: bytes in, rows out, whatever the encoding, separator and header."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from services.csv_lines import Line, read_lines

SEPARATORS = (",", ";", "\t", "|")
SAMPLE_LINES = 50
# A quote that is never closed would swallow the rest of the file; an address on several lines needs a handful.
MOST_LINES_OF_A_ROW = 50
MOST_COLUMNS = 200
MOST_NAMED, LONGEST_NAME = 30, 40

Spellings = Mapping[str, Sequence[str]]


class NoSuchColumn(ValueError):
    """A column was chosen that the file does not have."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row with the line it starts on, its cells by field, and its text as written."""

    line: int
    cells: Mapping[str, str]
    raw: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is laid out: its separator, its header if it has one, and which column holds which field."""

    separator: str
    header: tuple[str, ...] | None
    columns: Mapping[str, int]
    rows_from: int = 0  # lines before the first row or header: Excel's `sep=;`

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns of the header that no field takes."""
        taken = set(self.columns.values())
        return tuple(name for nth, name in enumerate(self.header or ()) if nth not in taken and name)


@dataclass(frozen=True, slots=True)
class Table:
    """A file's layout and its rows, read as they are asked for."""

    layout: Layout
    rows: Iterator[Row]


def read_table(stream: BinaryIO, spellings: Spellings, chosen: Mapping[str, str] | None = None) -> Table:
    """Look at the first lines to find the layout, then read rows one by one in constant memory.

    `spellings` gives for each field the headers it may stand under; `chosen` maps a field to a header or a column's
    number, counted from 1.
    """
    lines = read_lines(stream)
    sample = list(islice(lines, SAMPLE_LINES))
    layout = find_layout([line.text for line in sample], spellings, chosen or {})
    rows = _records(_Source(deque(sample[layout.rows_from :]), lines), layout.separator)
    if layout.header is not None:
        next(rows, None)
    return Table(layout, (_row(line, cells, raw, layout, is_cut=cut) for line, cells, raw, cut in rows if any(cells)))


def _row(line: int, cells: Sequence[str], raw: str, layout: Layout, *, is_cut: bool) -> Row:
    found = {field: cells[nth] for field, nth in layout.columns.items() if nth < len(cells) and cells[nth]}
    return Row(line, found, raw, is_cut)


def find_layout(lines: Sequence[str], spellings: Spellings, chosen: Mapping[str, str]) -> Layout:
    """Choose separator, header and columns from the first lines."""
    told = re.fullmatch(r"\s*sep=(.)\s*", lines[0], re.IGNORECASE) if lines else None
    rest = lines[1:] if told else lines
    separator = told.group(1) if told else _separator(rest, spellings)
    table = [cells for cells in (_cells(line, separator) for line in rest) if any(cells)]
    first = table[0] if table else []
    header = tuple(first) if _is_header(first, spellings, chosen) else None
    columns = _named_columns(header, spellings) if header else guess_columns(table, spellings)
    return Layout(separator, header, columns | _chosen_columns(header, chosen, first), rows_from=1 if told else 0)


def _cells(line: str, separator: str) -> list[str]:
    try:
        row = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        row = line.split(separator)
    return [" ".join(cell.split()) for cell in row[:MOST_COLUMNS]]


def _separator(lines: Sequence[str], spellings: Spellings) -> str:
    """Take the separator under which the first line names the most fields, or else the lines agree best."""

    def worth(separator: str) -> tuple[int, float]:
        table = [_cells(line, separator) for line in lines if line.strip()]
        widths = [len(cells) for cells in table]
        named = len(_named_columns(table[0], spellings)) if table else 0
        width = max(set(widths), key=widths.count) if widths else 1
        return named, 0.0 if width == 1 else widths.count(width) / len(widths)

    return max(SEPARATORS, key=worth)  # the first of equals, so a comma where nothing speaks for another


def listed(names: Sequence[str]) -> str:
    """Write columns one after the other; what is no table may have very many, and very long ones."""
    shown = ", ".join(name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…" for name in names[:MOST_NAMED])
    return f"{shown}, …" if len(names) > MOST_NAMED else shown


def squash(name: str) -> str:
    """Write a header without case, spaces and punctuation, so that `Postal Code` and `postal_code` are the same."""
    return re.sub(r"[\W_]+", "", name.casefold())


def _named_columns(header: Sequence[str], spellings: Spellings) -> dict[str, int]:
    """Match headers with fields; an earlier spelling of a field wins over a later one, an earlier column over both."""
    known = [squash(name) for name in header]
    found: dict[str, int] = {}
    for field, names in spellings.items():
        places = [known.index(squash(name)) for name in (field, *names) if squash(name) in known]
        free = [nth for nth in places if nth not in found.values()]
        if free:
            found[field] = free[0]
    return found


def _is_header(first: Sequence[str], spellings: Spellings, chosen: Mapping[str, str]) -> bool:
    named = {squash(name) for name in chosen.values() if not name.isdecimal()}
    return bool(_named_columns(first, spellings)) or bool(named & {squash(cell) for cell in first})


def _chosen_columns(header: Sequence[str] | None, chosen: Mapping[str, str], first: Sequence[str]) -> dict[str, int]:
    known = [squash(name) for name in header or ()]
    found = {}
    for field, name in chosen.items():
        if squash(name) in known:
            found[field] = known.index(squash(name))
        elif name.isdecimal() and 1 <= int(name[:6]) <= len(first):
            found[field] = int(name) - 1
        else:
            has = f"its columns are {listed(header)}" if header else f"it has {len(first)} and no header"
            raise NoSuchColumn(f"The file has no column {name[:LONGEST_NAME]!r}: {has}")
    return found


WEBSITE = re.compile(r"(https?://\S+|[^\s@/]+\.[^\W\d_][^\s@]*)", re.IGNORECASE)
PHONE = re.compile(r"[+(\d][\d\s()./-]{6,}")


def guess_columns(table: Sequence[Sequence[str]], spellings: Spellings) -> dict[str, int]:
    """Tell columns without a header by what stands in them: addresses of sites, phone numbers, else the name."""
    width = max((len(cells) for cells in table), default=0)
    kinds = [_kind_of([cells[nth] for cells in table if nth < len(cells)]) for nth in range(width)]
    by_kind = {"website": ("website", "domain", "url"), "phone": ("phone",), "words": ("name",)}
    found: dict[str, int] = {}
    for nth, kind in enumerate(kinds):
        for field in by_kind.get(kind, ()):
            if field in spellings and field not in found:
                found[field] = nth
                break
    if not found and width:  # nothing speaks for any column, so that each row's fault can be told
        found[next(iter(spellings))] = 0
    return found


def _kind_of(cells: Sequence[str]) -> str:
    filled = [cell for cell in cells if cell]
    for kind, pattern in (("phone", PHONE), ("website", WEBSITE)):
        if filled and sum(bool(pattern.fullmatch(cell)) for cell in filled) * 2 > len(filled):
            return kind
    return "words" if any(any(letter.isalpha() for letter in cell) for cell in filled) else "none"


class _Source:
    """Lines for the csv reader, with the ones of the current record at hand and a way to put them back."""

    def __init__(self, waiting: deque[Line], more: Iterator[Line]) -> None:
        self._waiting, self._more = waiting, more
        self.taken: list[Line] = []
        self.ran_out = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.taken) >= MOST_LINES_OF_A_ROW:
            raise csv.Error("a quote is not closed")
        line = self._waiting.popleft() if self._waiting else next(self._more, None)
        if line is None:
            self.ran_out = True
            raise StopIteration
        self.taken.append(line)
        return line.text + "\n"

    def keep_only_first(self) -> Line:
        """Put all but the first line of this record back."""
        first, *rest = self.taken
        self._waiting.extendleft(reversed(rest))
        return first


def _is_well_quoted(lines: Sequence[Line], separator: str) -> bool:
    """Tell whether quotes around several lines close where a cell ends; if not, they belong to different rows."""
    try:
        return len(lines) == 1 or any(csv.reader([f"{one.text}\n" for one in lines], delimiter=separator, strict=True))
    except csv.Error:
        return False


def _records(source: _Source, separator: str) -> Iterator[tuple[int, list[str], str, bool]]:
    """Give each record's first line, cells and text; a quote that is never closed costs its own line's quoting only."""
    reader = csv.reader(source, delimiter=separator)
    while True:
        source.taken, source.ran_out = [], False
        try:
            cells = next(reader, None)
            broken = bool(source.taken) and (source.ran_out or not _is_well_quoted(source.taken, separator))
        except csv.Error:
            cells, broken = None, True
        if not source.taken:
            return
        if broken or cells is None:
            cells = source.keep_only_first().text.replace('"', "").split(separator)
            del source.taken[1:]
            reader = csv.reader(source, delimiter=separator)
        tidy = [" ".join(cell.split()) for cell in cells[:MOST_COLUMNS]]
        raw = "\n".join(line.text for line in source.taken)
        yield source.taken[0].number, tidy, raw, any(line.is_cut for line in source.taken)

"""Rows of a list that a person brings as text: bytes in, rows out, whatever the encoding, separator and header."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import BinaryIO

from services.csv_lines import Line, read_lines
from services.list_layout import Layout, Spellings, Table, layout_of, named_columns, tidy

SEPARATORS = (",", ";", "\t", "|")
SAMPLE_LINES = 50
# A quote that is never closed would swallow the rest of the file; an address on several lines needs a handful.
MOST_LINES_OF_A_ROW = 50


def read_table(
    stream: BinaryIO,
    spellings: Spellings,
    chosen: Mapping[str, str] | None = None,
    *,
    has_header: bool | None = None,
) -> Table:
    """Look at the first lines to find the layout, then read rows one by one in constant memory."""
    lines = read_lines(stream)
    sample = list(islice(lines, SAMPLE_LINES))
    layout = find_layout([line.text for line in sample], spellings, chosen or {}, has_header=has_header)
    rows = _records(_Source(deque(sample[layout.rows_from :]), lines), layout.separator)
    if layout.header is not None:
        next(rows, None)
    return Table(layout, (layout.row(line, cells, raw, is_cut=cut) for line, cells, raw, cut in rows if any(cells)))


def find_layout(
    lines: Sequence[str], spellings: Spellings, chosen: Mapping[str, str], *, has_header: bool | None = None
) -> Layout:
    """Choose separator, header and columns from the first lines."""
    told = re.fullmatch(r"\s*sep=([^\w\s\"]|\t)\s*", lines[0], re.IGNORECASE) if lines else None
    rest = lines[1:] if told else lines
    separator = told.group(1) if told else _separator(rest, spellings)
    table = [_cells(line, separator) for line in rest]
    return layout_of(table, spellings, chosen, separator=separator, rows_from=1 if told else 0, has_header=has_header)


def _cells(line: str, separator: str) -> list[str]:
    try:
        row = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        row = line.split(separator)
    return tidy(row)


def _separator(lines: Sequence[str], spellings: Spellings) -> str:
    """Take the separator under which the first line names the most fields, or else the lines agree best."""

    def worth(separator: str) -> tuple[int, float]:
        table = [_cells(line, separator) for line in lines if line.strip()]
        widths = [len(cells) for cells in table]
        named = len(named_columns(table[0], spellings)) if table else 0
        width = max(set(widths), key=widths.count) if widths else 1
        return named, 0.0 if width == 1 else widths.count(width) / len(widths)

    return max(SEPARATORS, key=worth)  # the first of equals, so a comma where nothing speaks for another


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
        raw = "\n".join(line.text for line in source.taken)
        yield source.taken[0].number, tidy(cells), raw, any(line.is_cut for line in source.taken)

"""The layout of a list that a person brings: whether it has a header, and which column holds which field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

MOST_COLUMNS = 200
EXAMPLE_ROWS = 5
# Chosen for a field that is not to be read at all.
NO_COLUMN = "-"
MOST_NAMED, LONGEST_NAME, LONGEST_NUMBER = 30, 40, 6

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
    """How a file is laid out: its separator, its header if it has one, and which column holds which field.

    `examples` are the cells of its first rows, below the header.
    """

    separator: str
    header: tuple[str, ...] | None
    columns: Mapping[str, int]
    rows_from: int = 0  # lines before the first row or header: Excel's `sep=;`
    examples: Sequence[Sequence[str]] = ()

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns of the header that no field takes."""
        taken = set(self.columns.values())
        return tuple(name for nth, name in enumerate(self.header or ()) if nth not in taken and name)

    def row(self, line: int, cells: Sequence[str], raw: str, *, is_cut: bool) -> Row:
        """Read a row's cells by field; what is empty is left out."""
        found = {field: cells[nth] for field, nth in self.columns.items() if nth < len(cells) and cells[nth]}
        return Row(line, found, raw, is_cut)


@dataclass(frozen=True, slots=True)
class Table:
    """A file's layout and its rows, read as they are asked for."""

    layout: Layout
    rows: Iterator[Row]


def layout_of(
    table: Sequence[Sequence[str]],
    spellings: Spellings,
    chosen: Mapping[str, str],
    *,
    separator: str = ",",
    rows_from: int = 0,
    has_header: bool | None = None,
) -> Layout:
    """Choose header and columns from the first rows.

    `spellings` gives for each field the headers it may stand under; `chosen` maps a field to a header or a column's
    number, counted from 1, or to NO_COLUMN. Whether there is a header is found out where nobody says it.
    """
    filled = [cells for cells in table if any(cells)]
    first = filled[0] if filled else []
    is_header = _is_header(first, spellings, chosen) if has_header is None else has_header
    header = tuple(first) if first and is_header else None
    columns = named_columns(header, spellings) if header else guess_columns(filled, spellings)
    columns |= _chosen_columns(header, chosen, first)
    read = {field: nth for field, nth in columns.items() if chosen.get(field) != NO_COLUMN}
    examples = filled[1 if header else 0 :][:EXAMPLE_ROWS]
    return Layout(separator, header, read, rows_from=rows_from, examples=examples)


def tidy(cells: Sequence[str]) -> list[str]:
    """Write cells without line ends and double spaces; what has too many is no table."""
    return [" ".join(cell.split()) for cell in cells[:MOST_COLUMNS]]


def listed(names: Sequence[str]) -> str:
    """Write columns one after the other; what is no table may have very many, and very long ones."""
    shown = ", ".join(name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…" for name in names[:MOST_NAMED])
    return f"{shown}, …" if len(names) > MOST_NAMED else shown


def squash(name: str) -> str:
    """Write a header without case, spaces and punctuation, so that `Postal Code` and `postal_code` are the same."""
    return re.sub(r"[\W_]+", "", name.casefold())


def named_columns(header: Sequence[str], spellings: Spellings) -> dict[str, int]:
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
    return bool(named_columns(first, spellings)) or bool(named & {squash(cell) for cell in first})


def _chosen_columns(header: Sequence[str] | None, chosen: Mapping[str, str], first: Sequence[str]) -> dict[str, int]:
    known = [squash(name) for name in header or ()]
    found = {}
    for field, name in chosen.items():
        if name == NO_COLUMN:
            continue
        if squash(name) in known:
            found[field] = known.index(squash(name))
        elif name.isdecimal() and len(name) <= LONGEST_NUMBER and 1 <= int(name) <= len(first):
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

"""Preview: how a list would be read, and what would become of its first rows; nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from pipeline.import_kinds import Kind
from pipeline.imports import Imported, check_fields, import_table, lacks_columns
from pipeline.list_file import open_list, sheets_of
from pipeline.owner import Owner
from services.list_layout import LONGEST_NAME, NO_COLUMN, Layout, Table

# Enough to see whether it is read well, and no long wait.
MOST_ROWS = 10_000
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Field:
    """A field that such a list may have, how its column is chosen, and the columns that there are: (choice, label)."""

    name: str
    column: str
    columns: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a dry run shows; `imported` is None while a column is missing without which no row can be read."""

    layout: Layout
    sheets: list[str]
    fields: list[Field]
    needed: tuple[str, ...]
    imported: Imported | None
    is_whole: bool

    @property
    def counts(self) -> list[tuple[str, str | None, int]]:
        """How many rows would end how, the most frequent first."""
        found = self.imported.counts if self.imported else {}
        return sorted(((*how, many) for how, many in found.items()), key=lambda each: -each[2])


def look(
    kind: Kind,
    stream: BinaryIO,
    *,
    name: str,
    chosen: Mapping[str, str],
    sheet: str | None = None,
    has_header: bool | None = None,
    owner: Owner | None = None,
) -> Preview:
    """Read a list's first rows as they would be brought, and compare them with what is there."""
    check_fields(kind, chosen)
    sheets = sheets_of(stream, name=name)
    table = open_list(stream, name=name, spellings=kind.columns, chosen=chosen, sheet=sheet, has_header=has_header)
    layout, imported = table.layout, None
    if not lacks_columns(kind, layout):
        first = Table(layout, islice(table.rows, MOST_ROWS))
        imported = import_table(kind, first, name=name, auto=False, dry_run=True, owner=owner)
    is_whole = next(table.rows, None) is None
    return Preview(layout, sheets, _fields(kind, layout), kind.needed, imported, is_whole)


def _fields(kind: Kind, layout: Layout) -> list[Field]:
    columns = _columns(layout)
    return [
        Field(
            name,
            f"{name}={layout.columns[name] + 1}" if name in layout.columns else f"{name}={NO_COLUMN}",
            [(f"{name}={NO_COLUMN}", "not read"), *((f"{name}={number}", label) for number, label in columns)],
        )
        for name in kind.columns
    ]


def _columns(layout: Layout) -> list[tuple[int, str]]:
    """Give the columns by number, each with its header or what stands in it first."""
    width = max((len(cells) for cells in (layout.header or (), *layout.examples)), default=0)
    return [(nth + 1, _label(layout, nth)) for nth in range(min(width, MOST_SHOWN))]


def _label(layout: Layout, nth: int) -> str:
    header = layout.header[nth] if layout.header and nth < len(layout.header) else ""
    example = next((cells[nth] for cells in layout.examples if nth < len(cells) and cells[nth]), "")
    shown = header or (f"such as {example}" if example else "empty")
    return f"{nth + 1}: {shown if len(shown) <= LONGEST_NAME else f'{shown[:LONGEST_NAME]}…'}"

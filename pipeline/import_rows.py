"""Rows that a program sends instead of a file: one text each, or its fields by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from errors import BadInput, NotFound
from pipeline.import_kinds import BUSINESSES, DOMAINS, Kind
from pipeline.import_pages import PAGES
from pipeline.import_sitemaps import SITEMAPS
from pipeline.imports import Imported, check_fields, import_table
from pipeline.owner import Owner
from services.csv_lines import LONGEST_LINE
from services.list_layout import Layout, Row, Table, tidy

KINDS: Mapping[str, Kind] = {kind.noun: kind for kind in (BUSINESSES, DOMAINS, SITEMAPS, PAGES)}

Given = str | Mapping[str, str | int | float | None]


def kind_named(noun: str) -> Kind:
    """Find a kind of list, or say which there are."""
    if noun not in KINDS:
        raise NotFound(f"There is no kind of list {noun[:40]!r}: use one of {', '.join(KINDS)}.")
    return KINDS[noun]


def noun_of(name: str) -> str:
    """Give the word for what a batch holds."""
    return next(noun for noun, kind in KINDS.items() if kind.name == name)


def import_rows(
    kind: Kind, rows: Sequence[Given], *, name: str, auto: bool, dry_run: bool = False, owner: Owner | None = None
) -> Imported:
    """Store rows that came without a file, numbered from 1."""
    fields = {field for row in rows if not isinstance(row, str) for field in row}
    check_fields(kind, fields)
    made = [_row(kind, number, row) for number, row in enumerate(rows, start=1)]
    columns = {field: nth for nth, field in enumerate(kind.columns) if field in fields or field == kind.needed[0]}
    table = Table(Layout("", None, columns), iter(made))
    return import_table(kind, table, name=name, auto=auto, dry_run=dry_run, owner=owner)


def _row(kind: Kind, number: int, given: Given) -> Row:
    if isinstance(given, str):
        if len(kind.needed) > 1:
            raise BadInput(f"Row {number} is only a text: a row of {kind.noun} names its fields, such as name.")
        return Row(number, _cells({kind.needed[0]: given}), given, len(given) > LONGEST_LINE)
    raw = json.dumps(dict(given), ensure_ascii=False)
    return Row(number, _cells(given), raw, len(raw) > LONGEST_LINE)


def _cells(given: Mapping[str, str | int | float | None]) -> dict[str, str]:
    texts = {field: tidy(["" if value is None else str(value)])[0] for field, value in given.items()}
    return {field: text for field, text in texts.items() if text}

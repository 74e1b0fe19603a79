"""Imports: put the rows of a list into the database in batches, keep what became of each, queue their work and ring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from psycopg.types.json import Jsonb

import reasons
from errors import BadInput
from pipeline import doorbell, queue, window
from pipeline.children import clean
from pipeline.database import Connection, statement, transaction
from pipeline.erased import clear_rows
from pipeline.import_kinds import Entry, Kind, Known
from pipeline.list_file import open_list
from pipeline.owner import Owner, owner_here
from pipeline.stage import Stage, all_stages
from services.list_layout import Layout, Row, Table, listed

ROWS_AT_A_TIME = 500
LONGEST_RAW = 2000
EXAMPLES = 10

ADD_BATCH = b"""
INSERT INTO batches (tenant_id, created_by_id, kind, name, auto)
VALUES (%(tenant)s, %(user)s, %(kind)s, %(name)s, %(auto)s)
RETURNING id, created_at"""

ADD_ITEMS = b"""
INSERT INTO batch_items (tenant_id, batch_id, row_number, raw, result, reason, stage, entity_id)
SELECT %(tenant)s, %(batch)s, row_number, raw, result, reason, stage, entity_id
FROM jsonb_populate_recordset(NULL::batch_items, %(items)s)"""


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one row."""

    row: Row
    result: str
    reason: str | None = None
    entity_id: int | None = None


@dataclass
class Imported:
    """What became of a list: its batch, how many rows ended how, the first rows, and the first that were rejected."""

    layout: Layout
    batch_id: int | None = None
    counts: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    rejected: list[Item] = field(default_factory=list)
    first: list[Item] = field(default_factory=list)
    queued: int = 0

    @property
    def unused(self) -> str:
        """Name the columns that were not read; nothing when all were."""
        return listed(self.layout.unused)

    def of(self, result: str) -> int:
        return sum(many for (name, _), many in self.counts.items() if name == result)

    def note(self, items: list[Item]) -> None:
        self.counts.update((item.result, item.reason) for item in items)
        self.first += items[: EXAMPLES - len(self.first)]
        room = EXAMPLES - len(self.rejected)
        self.rejected += [item for item in items if item.result == "rejected"][:room]


def import_list(
    kind: Kind,
    stream: BinaryIO,
    *,
    name: str,
    chosen: Mapping[str, str],
    auto: bool,
    dry_run: bool = False,
    owner: Owner | None = None,
    sheet: str | None = None,
    has_header: bool | None = None,
) -> Imported:
    """Read a list to its end, some hundred rows to a transaction; a list that broke off is simply imported again."""
    check_fields(kind, chosen)
    table = open_list(stream, name=name, spellings=kind.columns, chosen=chosen, sheet=sheet, has_header=has_header)
    if lacks_columns(kind, table.layout):
        raise BadInput(
            f"The list has no column for {' or '.join(kind.needed)}: say which it is, as in"
            f" {kind.needed[0]}=HEADER; its columns are {listed(table.layout.header or ())}."
        )
    return import_table(kind, table, name=name, auto=auto, dry_run=dry_run, owner=owner)


def lacks_columns(kind: Kind, layout: Layout) -> bool:
    """Tell whether a list with a header has no column for what its rows need."""
    return layout.header is not None and not set(kind.needed) & set(layout.columns)


def import_table(
    kind: Kind, table: Table, *, name: str, auto: bool, dry_run: bool = False, owner: Owner | None = None
) -> Imported:
    """Store the rows of a table, or only judge them."""
    imported, owner = Imported(table.layout), owner or owner_here()
    store = _DryRun(kind, owner) if dry_run else _Store(kind, name, auto=auto, owner=owner)
    while chunk := list(islice(table.rows, ROWS_AT_A_TIME)):
        imported.note(store.take([_entry(kind, row) for row in chunk]))
    if not imported.counts:
        raise BadInput(f"{name!r} holds no rows.")
    imported.batch_id, imported.queued = store.batch_id, store.queued
    return imported


def check_fields(kind: Kind, named: Iterable[str]) -> None:
    """Refuse a field that such a list does not have."""
    unknown = sorted(set(named) - kind.columns.keys())
    if unknown:
        raise BadInput(f"A list of {kind.noun} has no {unknown[0][:40]!r}: it may have {', '.join(kind.columns)}.")


def _entry(kind: Kind, row: Row) -> Entry:
    return Entry(row, rejected=reasons.ROW_TOO_LONG) if row.is_cut else kind.read(row)


class _DryRun:
    """Tells what would become of each row; remembers every key, since nothing is stored to compare with."""

    batch_id = None
    queued = 0

    def __init__(self, kind: Kind, owner: Owner) -> None:
        self.kind, self.owner = kind, owner
        self.seen: set[str] = set()

    def take(self, entries: list[Entry]) -> list[Item]:
        """Judge some rows."""
        with statement() as connection:
            keys = [entry.key for entry in entries if entry.key]
            known = self.kind.find(connection, self.owner.tenant_id, keys)
        return [self._judge(entry, known) for entry in entries]

    def _judge(self, entry: Entry, known: Mapping[str, Known]) -> Item:
        if entry.rejected:
            return Item(entry.row, "rejected", entry.rejected)
        repeated, there = entry.key in self.seen, known.get(entry.key)
        self.seen.add(entry.key)
        if there:
            return Item(entry.row, "duplicate", reasons.KNOWN_ALREADY, there.entity_id)
        return Item(entry.row, "duplicate", reasons.REPEATED) if repeated else Item(entry.row, "added")


class _Store:
    """Stores rows, and the batch with the first of them."""

    def __init__(self, kind: Kind, name: str, *, auto: bool, owner: Owner) -> None:
        self.kind, self.name, self.auto, self.owner = kind, name, auto, owner
        self.batch_id: int | None = None
        self.queued = 0
        self._began: datetime | None = None

    def take(self, entries: list[Entry]) -> list[Item]:
        """Store some rows, what became of each and their work in one transaction, and ring."""
        stage = _declared(self.kind.stage) if self.auto else None
        with transaction() as (_, connection):
            self._begin(connection)
            items = self._store(connection, entries)
            added = [item.entity_id for item in items if item.result == "added" and item.entity_id is not None]
            queued = queue.add(connection, stage, added, auto=True) if stage and added else []
        self.queued += len(queued)
        if stage and queued:
            doorbell.ring(window.fill(stage))
        return items

    def _begin(self, connection: Connection) -> None:
        if self.batch_id is not None:
            return
        own = {"tenant": self.owner.tenant_id, "user": self.owner.user_id}
        values = own | {"kind": self.kind.name, "name": clean(self.name), "auto": self.auto}
        self.batch_id, self._began = connection.execute(ADD_BATCH, values).fetchone() or (None, None)
        if self.owner.note and self.batch_id is not None:
            self.owner.note(connection, self.batch_id)

    def _store(self, connection: Connection, entries: list[Entry]) -> list[Item]:
        tenant_id = self.owner.tenant_id
        firsts = {entry.key: entry for entry in reversed(entries) if not entry.rejected}
        added = self.kind.store(connection, tenant_id, [firsts[key] for key in sorted(firsts)])
        known = self.kind.find(connection, tenant_id, list(firsts))
        items = [self._item(entry, entry is firsts.get(entry.key) and entry.key in added, known) for entry in entries]
        rows = [_item_row(item, self.kind.stage) for item in items]
        rows = clear_rows(connection, tenant_id, "batch_items", rows)
        connection.execute(ADD_ITEMS, {"tenant": tenant_id, "batch": self.batch_id, "items": Jsonb(rows)})
        return items

    def _item(self, entry: Entry, is_new: bool, known: Mapping[str, Known]) -> Item:
        if entry.rejected:
            return Item(entry.row, "rejected", entry.rejected)
        there = known[entry.key]
        if is_new:
            return Item(entry.row, "added", None, there.entity_id)
        # Whatever is as young as this batch came with it: what was there before is older.
        repeated = self._began is not None and there.created_at >= self._began
        return Item(entry.row, "duplicate", reasons.REPEATED if repeated else reasons.KNOWN_ALREADY, there.entity_id)


def _item_row(item: Item, stage: str) -> dict[str, Any]:
    return {
        "row_number": item.row.line,
        "raw": clean(item.row.raw[:LONGEST_RAW]),
        "result": item.result,
        "reason": item.reason,
        "stage": stage if item.entity_id is not None else None,
        "entity_id": item.entity_id,
    }


def _declared(name: str) -> Stage | None:
    return next((stage for stage in all_stages() if stage.name == name), None)

"""Exports: leads or contacts as a file for a spreadsheet, a CRM, an address book or a program, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, BinaryIO, get_args
from uuid import UUID

from errors import BadInput, NotFound
from leads import lead_contacts, leads
from leads.lead_suppression import Withheld
from leads.lead_where import CONTACT_FIELDS, LEAD_FIELDS, read
from leads.leads import Wanted
from pipeline.database import statement
from services.export_cell import Cell
from services.export_columns import CONTACT, LEAD, Column
from services.export_crm import CRMS, Crm
from services.export_csv import csv_rows
from services.export_jsonl import json_lines
from services.export_vcard import vcards
from services.export_xlsx import sheets_for, xlsx_rows
from services.lead import Prefer
from services.lead_row import ContactRow, Lead, reach_of
from services.pieces import PIECE_BYTES, Pieces
from services.where import Condition

Row = Lead | ContactRow
Write = Callable[[Row], None]

ROWS_BETWEEN_LOOKS = 500
SUBJECTS = ("leads", "contacts")
FORMATS = ("csv", "xlsx", "jsonl", "vcard")
PLAIN = "plain"
TARGETS = (PLAIN, *CRMS)
SEARCH = b"SELECT 1 FROM searches WHERE tenant_id = %s AND id = %s"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be exported, for whom and how."""

    tenant_id: UUID
    subject: str = "leads"
    format: str = "csv"
    target: str = PLAIN
    where: Collection[str] = ()
    search_id: int | None = None
    prefer: str = "role"
    with_gone: bool = False
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """How many rows were written, held back by the suppression list, and left out for lack of something required."""

    rows: int
    suppressed: int
    skipped: int = 0
    lacks: str | None = None
    sheets: int = 1


class _Tally:
    """What has been written, left out and held back so far."""

    def __init__(self, tenant_id: UUID) -> None:
        self.withheld = Withheld(tenant_id)
        self.rows = self.skipped = 0


@dataclass(frozen=True, slots=True)
class Export:
    """An order that has been checked."""

    order: Order
    wanted: Wanted
    crm: Crm | None

    def write(self, stream: BinaryIO) -> Exported:
        """Write the file to a stream, a row at a time."""
        tally = _Tally(self.order.tenant_id)
        with self._writer(stream) as write:
            for row in self._taken(tally):
                write(row)
        return self._exported(tally)

    def pieces(self, done: Callable[[Exported], None]) -> Generator[bytes]:
        """Give the file piece by piece, and tell how it went before the last one.

        Between two pieces neither a connection nor a thread is held. A spreadsheet is whole only at its end, so it is
        put together on disk, with empty pieces meanwhile for whoever wants to stop.
        """
        tally = _Tally(self.order.tenant_id)
        if self.order.format == "xlsx":
            return self._on_disk(tally, done)
        return self._in_memory(tally, done)

    def _in_memory(self, tally: _Tally, done: Callable[[Exported], None]) -> Generator[bytes]:
        stream = Pieces()
        with self._writer(stream) as write:
            for row in self._taken(tally):
                write(row)
                yield from stream.taken()
        done(self._exported(tally))
        yield from stream.taken(all_of_it=True)

    def _on_disk(self, tally: _Tally, done: Callable[[Exported], None]) -> Generator[bytes]:
        with TemporaryFile(prefix="scrapersky-export-") as whole:
            with self._writer(whole) as write:
                for row in self._taken(tally):
                    write(row)
                    if tally.rows % ROWS_BETWEEN_LOOKS == 0:
                        yield b""
            done(self._exported(tally))
            whole.seek(0)
            while piece := whole.read(PIECE_BYTES):
                yield piece

    def _taken(self, tally: _Tally) -> Iterator[Row]:
        for row in self._rows(tally.withheld):
            if self.crm is not None and not self.crm.takes(reach_of(row)):
                tally.skipped += 1
                continue
            tally.rows += 1
            yield row
            if tally.rows == self.order.limit:
                break

    def _exported(self, tally: _Tally) -> Exported:
        sheets = sheets_for(tally.rows) if self.order.format == "xlsx" else 1
        lacks = self.crm.lacks if self.crm else None
        return Exported(tally.rows, tally.withheld.many, tally.skipped, lacks, sheets)

    def _rows(self, withheld: Withheld) -> Iterator[Row]:
        if self.order.subject == "leads":
            return leads.leads(self.wanted, withheld)
        return lead_contacts.contacts(self.wanted, withheld)

    @contextmanager
    def _writer(self, stream: BinaryIO) -> Iterator[Write]:
        if self.order.format == "vcard":
            with vcards(stream) as write_card:
                yield lambda row: write_card(reach_of(row))
            return
        columns, shaped = self._columns()
        with _table(self.order, stream, [column.name for column in columns]) as write:
            yield lambda row: write([column.of(shaped(row)) for column in columns])

    def _columns(self) -> tuple[Sequence[Column[Any]], Callable[[Row], Any]]:
        if self.crm is not None:
            return self.crm.columns, reach_of
        return LEAD if self.order.subject == "leads" else CONTACT, lambda row: row


def _table(
    order: Order, stream: BinaryIO, headers: Sequence[str]
) -> AbstractContextManager[Callable[[Sequence[Cell]], None]]:
    if order.format == "xlsx":
        return xlsx_rows(stream, headers, title=order.subject.capitalize())
    return csv_rows(stream, headers) if order.format == "csv" else json_lines(stream, headers)


def prepare(order: Order) -> Export:
    """Check an order, or say what is wrong with it; nothing is written yet."""
    _one_of(order.subject, SUBJECTS, "thing to export")
    _one_of(order.format, FORMATS, "format")
    _one_of(order.target, TARGETS, "CRM")
    _one_of(order.prefer, get_args(Prefer), "preference")
    if order.format == "vcard" and order.target != PLAIN:
        raise BadInput("A vCard has fields of its own: choose plain columns for it, or csv as the format for a CRM.")
    fields = LEAD_FIELDS if order.subject == "leads" else CONTACT_FIELDS
    conditions = read(order.where, fields)
    if order.search_id is not None:
        _check_search(order)
        conditions.append(Condition("search", "=", order.search_id))
    prefer: Prefer = "personal" if order.prefer == "personal" else "role"
    wanted = Wanted(order.tenant_id, conditions, prefer=prefer, with_gone=order.with_gone)
    return Export(order, wanted, CRMS.get(order.target))


def _check_search(order: Order) -> None:
    with statement() as connection:
        found = connection.execute(SEARCH, (order.tenant_id, order.search_id)).fetchone()
    if found is None:
        raise NotFound(f"There is no search {order.search_id}.")


def _one_of(value: str, known: Collection[str], noun: str) -> None:
    if value not in known:
        raise BadInput(f"There is no {noun} {value[:40]!r}: use one of {', '.join(known)}.")

"""Suppression import: bring a whole list of those who are never exported, and keep what became of its rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO
from uuid import UUID

import reasons
from accounts.audit import By
from errors import BadInput
from leads.suppression_list import add
from pipeline.list_file import open_list
from services.list_layout import Layout, Row
from services.suppression import DEFAULT_REGION, Subject, subject_of

ROWS_AT_A_TIME = 2000
EXAMPLES = 10
# The first that a header has is the column to read.
SPELLINGS = {
    "value": (
        "email", "e-mail", "email address", "mail", "phone", "phone number", "telephone", "mobile", "domain", "website",
        "url", "site", "contact", "address", "unsubscribed", "suppressed",
    )
}  # fmt: skip


@dataclass
class Imported:
    """What became of a list: how many rows ended how, and the first that were rejected."""

    layout: Layout
    counts: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    rejected: list[tuple[Row, str]] = field(default_factory=list)

    def of(self, result: str) -> int:
        return sum(many for (name, _), many in self.counts.items() if name == result)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a list is read: which column, as which kind, in which region; why it is brought, and by whom."""

    column: str | None = None
    kind: str | None = None
    region: str = DEFAULT_REGION
    reason: str | None = None
    by: By = field(default_factory=By)


def import_list(tenant_id: UUID, stream: BinaryIO, name: str, reading: Reading) -> Imported:
    """Bring a list, some thousand rows to a transaction; one that broke off is simply brought again."""
    chosen = {"value": reading.column} if reading.column else {}
    table = open_list(stream, name=name, spellings=SPELLINGS, chosen=chosen)
    imported, seen = Imported(table.layout), set[Subject]()
    while chunk := list(islice(table.rows, ROWS_AT_A_TIME)):
        _take(tenant_id, chunk, imported, seen, reading)
    if not imported.counts:
        raise BadInput(f"{name!r} holds no rows.")
    return imported


def _take(tenant_id: UUID, chunk: list[Row], imported: Imported, seen: set[Subject], reading: Reading) -> None:
    read = [(row, _subject(row, reading)) for row in chunk]
    fresh = {subject for _, subject in read if subject is not None} - seen
    ordered = sorted(fresh, key=lambda one: (one.kind, one.value))
    added = add(tenant_id, ordered, reason=reading.reason, **reading.by)
    for row, subject in read:
        result, why = _judge(row, subject, added, seen)
        imported.counts[result, why] += 1
        if result == "rejected" and len(imported.rejected) < EXAMPLES:
            imported.rejected.append((row, why or ""))
        if subject is not None:
            seen.add(subject)


def _subject(row: Row, reading: Reading) -> Subject | None:
    return None if row.is_cut else subject_of(row.cells.get("value", ""), reading.kind, reading.region)


def _judge(row: Row, subject: Subject | None, added: set[Subject], seen: set[Subject]) -> tuple[str, str | None]:
    if row.is_cut:
        return "rejected", reasons.ROW_TOO_LONG
    if subject is None:
        return "rejected", reasons.NO_ADDRESS
    if subject in seen:
        return "duplicate", reasons.REPEATED
    return ("added", None) if subject in added else ("duplicate", reasons.KNOWN_ALREADY)

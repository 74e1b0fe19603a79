"""Suppression list: add to it, look into it, take from it; only hashes are stored, so nobody can read it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO
from uuid import UUID

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

import reasons
from errors import BadInput
from pipeline.children import clean
from pipeline.database import Connection, statement, transaction
from pipeline.list_file import open_list
from pipeline.suppressions import salt_of
from services.list_layout import Layout, Row
from services.suppression import DEFAULT_REGION, Subject, subject_of

ROWS_AT_A_TIME = 2000
EXAMPLES = 10
LONGEST_REASON = 500
# The first that a header has is the column to read.
SPELLINGS = {
    "value": (
        "email", "e-mail", "email address", "mail", "phone", "phone number", "telephone", "mobile", "domain", "website",
        "url", "site", "contact", "address", "unsubscribed", "suppressed",
    )
}  # fmt: skip

ADD = b"""
INSERT INTO suppressions (tenant_id, kind, value_hash, reason, created_by_id)
SELECT %(tenant)s, kind, value_hash, %(reason)s, %(user)s
FROM unnest(%(kinds)s::text[], %(hashes)s::text[]) AS given(kind, value_hash) ORDER BY kind, value_hash
ON CONFLICT (tenant_id, kind, value_hash) DO NOTHING RETURNING value_hash"""

KNOWN = b"""
SELECT listed.* FROM unnest(%(kinds)s::text[], %(hashes)s::text[]) AS given(kind, value_hash)
JOIN suppressions AS listed ON listed.tenant_id = %(tenant)s AND listed.kind = given.kind
                           AND listed.value_hash = given.value_hash"""

REMOVE = b"""
DELETE FROM suppressions WHERE tenant_id = %(tenant)s AND id = ANY(%(ids)s)"""

NEWEST = b"""
SELECT id, kind, value_hash, reason, is_erased, created_at FROM suppressions
WHERE tenant_id = %(tenant)s AND (%(kind)s::text IS NULL OR kind = %(kind)s)
ORDER BY id DESC LIMIT %(most)s"""

AUDIT = b"""
INSERT INTO audit_entries (tenant_id, user_id, action, entity, entity_id, detail)
VALUES (%(tenant)s, %(user)s, %(action)s, %(entity)s, %(id)s, %(detail)s)"""


def audit(
    connection: Connection,
    tenant_id: UUID,
    action: str,
    entity: str,
    detail: Mapping[str, Any],
    *,
    entity_id: int | None = None,
    user_id: UUID | None = None,
) -> None:
    """Leave an entry that says who did what, in the transaction that does it."""
    values = {"tenant": tenant_id, "user": user_id, "action": action, "entity": entity, "id": entity_id}
    connection.execute(AUDIT, values | {"detail": Jsonb(dict(detail))})


def add(
    tenant_id: UUID, subjects: Sequence[Subject], *, reason: str | None = None, user_id: UUID | None = None
) -> set[Subject]:
    """Put subjects on the list, and give those that were not there before."""
    by_hash = _hashed(tenant_id, subjects)
    said = clean(reason)[:LONGEST_REASON] if reason else None
    with transaction() as (_, connection):
        values = _values(tenant_id, by_hash) | {"reason": said, "user": user_id}
        added = {by_hash[row[0]] for row in connection.execute(ADD, values).fetchall()}
        if added:
            audit(connection, tenant_id, "suppress", "suppressions", {"added": len(added)}, user_id=user_id)
    return added


def known(tenant_id: UUID, subjects: Sequence[Subject]) -> dict[Subject, dict[str, Any]]:
    """Give the list's rows of those subjects that are on it."""
    by_hash = _hashed(tenant_id, subjects)
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(KNOWN, _values(tenant_id, by_hash)).fetchall()
    return {by_hash[row["value_hash"]]: row for row in rows}


def remove(
    tenant_id: UUID, subjects: Sequence[Subject], *, erased: bool = False, user_id: UUID | None = None
) -> set[Subject]:
    """Take subjects from the list, and give those that were on it; what was erased only when that is said."""
    found = known(tenant_id, subjects)
    if not erased and any(row["is_erased"] for row in found.values()):
        raise BadInput(
            "That was erased on somebody's request, and off the list it would be stored again when it is found:"
            " add --erased if you mean it."
        )
    with transaction() as (_, connection):
        connection.execute(REMOVE, {"tenant": tenant_id, "ids": [row["id"] for row in found.values()]})
        if found:
            detail = {"removed": len(found), "erased": sum(row["is_erased"] for row in found.values())}
            audit(connection, tenant_id, "unsuppress", "suppressions", detail, user_id=user_id)
    return set(found)


def newest(tenant_id: UUID, most: int, kind: str | None = None) -> list[dict[str, Any]]:
    """Give the newest rows of the list."""
    with statement() as connection:
        values = {"tenant": tenant_id, "kind": kind, "most": most}
        return connection.cursor(row_factory=dict_row).execute(NEWEST, values).fetchall()


def _hashed(tenant_id: UUID, subjects: Collection[Subject]) -> dict[str, Subject]:
    salt = salt_of(tenant_id)
    return {subject.digest(salt).hex(): subject for subject in subjects}


def _values(tenant_id: UUID, by_hash: Mapping[str, Subject]) -> dict[str, Any]:
    kinds = [subject.kind for subject in by_hash.values()]
    return {"tenant": tenant_id, "hashes": list(by_hash), "kinds": kinds}


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
    """How a list is read: which column, as which kind, in which region; and why it is brought."""

    column: str | None = None
    kind: str | None = None
    region: str = DEFAULT_REGION
    reason: str | None = None


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
    added = add(tenant_id, sorted(fresh, key=lambda one: (one.kind, one.value)), reason=reading.reason)
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

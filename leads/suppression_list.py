"""Suppression list: add to it, look into it, take from it; only hashes are stored, so nobody can read it back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Unpack
from uuid import UUID

from psycopg.rows import dict_row

from accounts.audit import By, enter
from errors import Conflict, NotFound
from pipeline.children import clean
from pipeline.database import statement, transaction
from pipeline.paging import Listed, pages_of
from pipeline.suppressions import salt_of
from services.suppression import Subject

LONGEST_REASON = 500

WAS_ERASED = (
    "That was erased on somebody's request, and off the list it would be stored again when it is found:"
    " say `erased` if you mean it."
)

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

ONE = b"SELECT is_erased FROM suppressions WHERE tenant_id = %(tenant)s AND id = %(id)s FOR UPDATE"

NEWEST = b"""
SELECT id, kind, value_hash, reason, is_erased, created_at FROM suppressions
WHERE tenant_id = %(tenant)s AND (%(kind)s::text IS NULL OR kind = %(kind)s)
  AND (%(before)s::bigint IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(most)s"""

COUNT = b"""
SELECT count(*) FROM suppressions WHERE tenant_id = %(tenant)s AND (%(kind)s::text IS NULL OR kind = %(kind)s)"""


def add(tenant_id: UUID, subjects: Sequence[Subject], *, reason: str | None = None, **by: Unpack[By]) -> set[Subject]:
    """Put subjects on the list, and give those that were not there before."""
    by_hash = _hashed(tenant_id, subjects)
    said = clean(reason)[:LONGEST_REASON] if reason else None
    with transaction() as (_, connection):
        values = _values(tenant_id, by_hash) | {"reason": said, "user": by.get("user_id")}
        added = {by_hash[row[0]] for row in connection.execute(ADD, values).fetchall()}
        if added:
            enter(connection, tenant_id, "suppress", "suppressions", {"added": len(added)}, **by)
    return added


def known(tenant_id: UUID, subjects: Sequence[Subject]) -> dict[Subject, dict[str, Any]]:
    """Give the list's rows of those subjects that are on it."""
    by_hash = _hashed(tenant_id, subjects)
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(KNOWN, _values(tenant_id, by_hash)).fetchall()
    return {by_hash[row["value_hash"]]: row for row in rows}


def remove(tenant_id: UUID, subjects: Sequence[Subject], *, erased: bool = False, **by: Unpack[By]) -> set[Subject]:
    """Take subjects from the list, and give those that were on it; what was erased only when that is said."""
    found = known(tenant_id, subjects)
    if not erased and any(row["is_erased"] for row in found.values()):
        raise Conflict(WAS_ERASED)
    with transaction() as (_, connection):
        connection.execute(REMOVE, {"tenant": tenant_id, "ids": [row["id"] for row in found.values()]})
        if found:
            detail = {"removed": len(found), "erased": sum(row["is_erased"] for row in found.values())}
            enter(connection, tenant_id, "unsuppress", "suppressions", detail, **by)
    return set(found)


def remove_id(tenant_id: UUID, suppression_id: int, *, erased: bool = False, **by: Unpack[By]) -> None:
    """Take one row from the list by its id."""
    values = {"tenant": tenant_id, "id": suppression_id}
    with transaction() as (_, connection):
        row = connection.execute(ONE, values).fetchone()
        if row is None:
            raise NotFound(f"There is no suppression {suppression_id}.")
        if row[0] and not erased:
            raise Conflict(WAS_ERASED)
        connection.execute(REMOVE, {"tenant": tenant_id, "ids": [suppression_id]})
        told = {"removed": 1, "erased": int(row[0])}
        enter(connection, tenant_id, "unsuppress", "suppressions", told, **by)


def newest(tenant_id: UUID, most: int, kind: str | None = None, *, before: int | None = None) -> list[dict[str, Any]]:
    """Give the newest rows of the list; those before one when its id is given."""
    with statement() as connection:
        values = {"tenant": tenant_id, "kind": kind, "most": most, "before": before}
        return connection.cursor(row_factory=dict_row).execute(NEWEST, values).fetchall()


def page(
    tenant_id: UUID, kind: str | None = None, *, limit: int, cursor: str | None = None, with_total: bool = True
) -> Listed[dict[str, Any]]:
    """Give a page of the list, the newest first."""
    pages = pages_of("suppressions", kind)
    (before,) = pages.place(cursor, int)
    found = newest(tenant_id, limit + 1, kind, before=before)
    return pages.listed(found, limit, _many(tenant_id, kind) if with_total else None, lambda row: (row["id"],))


def _many(tenant_id: UUID, kind: str | None) -> int:
    with statement() as connection:
        row = connection.execute(COUNT, {"tenant": tenant_id, "kind": kind}).fetchone()
    return int(row[0]) if row else 0


def _hashed(tenant_id: UUID, subjects: Collection[Subject]) -> dict[str, Subject]:
    salt = salt_of(tenant_id)
    return {subject.digest(salt).hex(): subject for subject in subjects}


def _values(tenant_id: UUID, by_hash: Mapping[str, Subject]) -> dict[str, Any]:
    kinds = [subject.kind for subject in by_hash.values()]
    return {"tenant": tenant_id, "hashes": list(by_hash), "kinds": kinds}

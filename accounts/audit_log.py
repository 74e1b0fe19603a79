"""Audit log: what was changed, by whom, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from accounts.moments import utc
from pipeline.database import statement
from pipeline.paging import Listed, pages_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries; all conditions that are given must hold."""

    user_id: UUID | None = None
    entity: str | None = None
    entity_id: int | None = None
    action: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def sql(self) -> tuple[str, dict[str, Any]]:
        """Give the condition and its parameters."""
        tests = {
            "entry.user_id = %(user_id)s": ("user_id", self.user_id),
            "entry.entity = %(entity)s": ("entity", self.entity),
            "entry.entity_id = %(entity_id)s": ("entity_id", self.entity_id),
            "entry.action = %(action)s": ("action", self.action),
            "entry.at >= %(since)s": ("since", self.since and utc(self.since)),
            "entry.at < %(until)s": ("until", self.until and utc(self.until)),
        }
        used = {test: pair for test, pair in tests.items() if pair[1] is not None}
        return " AND ".join(["entry.tenant_id = %(tenant)s", *used]), dict(used.values())


LIST = """
SELECT entry.id, entry.at, entry.user_id, users.email AS user_email, entry.api_key_id, key.name AS api_key_name,
       entry.action, entry.entity, entry.entity_id, entry.detail
FROM audit_entries AS entry
LEFT JOIN users ON users.id = entry.user_id AND users.tenant_id = entry.tenant_id
LEFT JOIN api_keys AS key ON key.id = entry.api_key_id AND key.tenant_id = entry.tenant_id
WHERE {condition} AND (%(at)s::timestamptz IS NULL OR (entry.at, entry.id) < (%(at)s, %(id)s::bigint))
ORDER BY entry.at DESC, entry.id DESC LIMIT %(most)s"""

COUNT = "SELECT count(*) FROM audit_entries AS entry WHERE {condition}"

# Of the newest only: all of them may be many.
WORDS = b"""
SELECT DISTINCT action, entity FROM (
    SELECT action, entity FROM audit_entries WHERE tenant_id = %(tenant)s ORDER BY at DESC LIMIT 2000) newest"""


def list_entries(
    tenant_id: UUID, wanted: Wanted, *, after: str | None = None, limit: int = 50, total: bool = True
) -> Listed[dict[str, Any]]:
    """Give a page of a tenant's entries."""
    condition, values = wanted.sql()
    pages = pages_of("audit", condition, values)
    at, entry_id = pages.place(after, datetime, int)
    values |= {"tenant": tenant_id, "at": at, "id": entry_id, "most": limit + 1}
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(LIST.format(condition=condition).encode(), values)
        found = rows.fetchall()
        count = connection.execute(COUNT.format(condition=condition).encode(), values) if total else None
        many = count.fetchone() if count else None
    return pages.listed(found, limit, many[0] if many else None, lambda row: (row["at"], row["id"]))


def words(tenant_id: UUID) -> tuple[list[str], list[str]]:
    """Give the actions and the entities that the newest entries speak of, to choose from."""
    with statement() as connection:
        rows = connection.execute(WORDS, {"tenant": tenant_id}).fetchall()
    return sorted({action for action, _ in rows}), sorted({entity for _, entity in rows})

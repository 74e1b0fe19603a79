"""History of decisions: what was decided on many rows, by whom, and whether it was taken back; newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row

from errors import NotFound
from pipeline.database import statement
from pipeline.paging import Listed, pages_of

COLUMNS = """id, at, user_id, entity, status, detail, updated_count, queued_count, undone_at,
    (SELECT email FROM users WHERE users.id = operations.user_id) AS user_email"""
NEWEST = f"""
SELECT {COLUMNS} FROM operations
WHERE tenant_id = %(tenant)s AND (%(before)s::bigint IS NULL OR id < %(before)s)
ORDER BY id DESC LIMIT %(most)s""".encode()
ONE = f"SELECT {COLUMNS} FROM operations WHERE tenant_id = %(tenant)s AND id = %(id)s".encode()
TOTAL = b"SELECT count(*) FROM operations WHERE tenant_id = %(tenant)s"
PAGES = pages_of("operations")


@dataclass(frozen=True, slots=True)
class Operation:
    """One decision; `detail` says how its rows were chosen and which stage it let them into."""

    id: int
    at: datetime
    user_id: UUID | None
    entity: str
    status: str
    detail: dict[str, Any]
    updated_count: int
    queued_count: int
    undone_at: datetime | None
    user_email: str | None


def newest(tenant_id: UUID, most: int, cursor: str | None = None) -> Listed[Operation]:
    """Give the tenant's newest decisions, or those that follow a page."""
    (before,) = PAGES.place(cursor, int)
    values = {"tenant": tenant_id, "before": before, "most": most + 1}
    with statement() as connection:
        found = connection.cursor(row_factory=class_row(Operation)).execute(NEWEST, values).fetchall()
        row = connection.execute(TOTAL, values).fetchone()
    return PAGES.listed(found, most, row[0] if row else 0, lambda one: (one.id,))


def one(tenant_id: UUID, operation_id: int) -> Operation:
    """Give one decision of the tenant, or say that there is none."""
    with statement() as connection:
        cursor = connection.cursor(row_factory=class_row(Operation))
        found = cursor.execute(ONE, {"tenant": tenant_id, "id": operation_id}).fetchone()
    if found is None:
        raise NotFound(f"There is no operation {operation_id}: the list of operations shows what there is.")
    return found

"""Labour: work of any tenant in any status, put into the database as the machine would have left it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from pipeline.database import statement

DOMAIN = b"""
INSERT INTO domains (tenant_id, name) VALUES (%s, %s)
ON CONFLICT (tenant_id, name) DO UPDATE SET updated_at = now() RETURNING id"""
FAIL = b"INSERT INTO failures (work_id, attempt, kind, reason, error) VALUES (%s, %s, %s, %s, %s)"
ENDED = ("Completed", "Filtered", "Error", "Cancelled")


def rows(sql: str, *values: Any) -> list[dict[str, Any]]:
    """Run a query and give its rows by column name."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()


def execute(sql: str, *values: Any) -> None:
    with statement() as connection:
        connection.execute(sql.encode(), values)


def add_work(tenant_id: UUID, name: str, status: str = "Queued", *, stage: str = "domain_metadata", **own: Any) -> int:
    """Add a domain, if there is none of this name, and a stage's work on it; what has ended has ended now."""
    with statement() as connection:
        row = connection.execute(DOMAIN, (tenant_id, name)).fetchone()
        assert row is not None
        columns: dict[str, Any] = {
            "tenant_id": tenant_id,
            "stage": stage,
            "entity_id": row[0],
            "status": status,
            "reason": "timeout" if status == "Error" else None,
            **own,
        }
        names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
        finished = "clock_timestamp()" if status in ENDED else "NULL"
        sql = f"INSERT INTO work ({names}, finished_at) VALUES ({marks}, {finished}) RETURNING id"
        made = connection.execute(sql.encode(), list(columns.values())).fetchone()
        assert made is not None
        return int(made[0])


def add_failure(work_id: int, attempt: int, kind: str = "passing", reason: str = "timeout", error: str = "") -> None:
    """Note that an attempt went wrong."""
    with statement() as connection:
        connection.execute(FAIL, (work_id, attempt, kind, reason, error or None))


def status_of(work_id: int) -> str:
    return str(rows("SELECT status FROM work WHERE id = %s", work_id)[0]["status"])

"""The plain SQL of what the API is asked for, written by hand: what the database alone takes for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg

from benchmarks.api_pages import STAGE

# The rows of a page first, then what else is shown of them; and how many there are.
PAGE = f"""
SELECT page.*, domains.name, work.status, work.reason, work.error, work.attempts, work.due_at
FROM (SELECT pages.* FROM {{source}} WHERE pages.tenant_id = %(tenant)s AND {{condition}} AND {{after}}
      ORDER BY {{order}} LIMIT {{limit}}) page
LEFT JOIN domains ON domains.id = page.domain_id
LEFT JOIN work ON work.stage = '{STAGE}' AND work.entity_id = page.id ORDER BY {{outer_order}}"""
COUNT = "SELECT count(*) FROM {source} WHERE pages.tenant_id = %(tenant)s AND {condition}"

SELECT_PAGES = """
UPDATE pages SET curation_status = 'Selected', updated_at = now() WHERE tenant_id = %(tenant)s AND depth = %(depth)s"""
SELECT_WORK = f"""
INSERT INTO work (tenant_id, stage, entity_id, auto, lane)
SELECT tenant_id, '{STAGE}', id, false, host FROM pages WHERE tenant_id = %(tenant)s AND depth = %(depth)s
ON CONFLICT (stage, entity_id) DO UPDATE SET
    status = 'Queued', auto = false, due_at = now(), queued_at = now(), sent_at = NULL, sends = 0, attempts = 0,
    crashes = 0, started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
WHERE work.status NOT IN ('Queued', 'Processing')"""


@dataclass(frozen=True)
class Shape:
    """One way to list pages: as the API is asked for it, and as SQL; `after` is the id that a deep page follows."""

    name: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    condition: str = "true"
    order: tuple[str, ...] = ("id DESC",)
    source: str = "pages"
    after: int | None = None

    def order_of(self, table: str) -> str:
        """Write the order of a table's rows."""
        return ", ".join(f"{table}.{key}" for key in self.order)


def list_pages(connection: psycopg.Connection[Any], tenant_id: UUID, shape: Shape, limit: int) -> tuple[int, int]:
    """Read a page and count all, and give how many rows both are."""
    page = PAGE.format(
        source=shape.source,
        condition=shape.condition,
        after="true" if shape.after is None else "pages.id < %(after)s",
        order=shape.order_of("pages"),
        outer_order=shape.order_of("page"),
        limit=limit,
    )
    count = COUNT.format(source=shape.source, condition=shape.condition)
    values = {"tenant": tenant_id, "after": shape.after}
    rows = connection.execute(page.encode(), values).fetchall()
    total = connection.execute(count.encode(), values).fetchone()
    return len(rows), total[0] if total else 0


def select_pages(connection: psycopg.Connection[Any], tenant_id: UUID, depth: int) -> int:
    """Select all pages of a depth and queue their work, in one transaction; give how many pages that was."""
    values = {"tenant": tenant_id, "depth": depth}
    with connection.transaction():
        many = connection.execute(SELECT_PAGES.encode(), values).rowcount
        connection.execute(SELECT_WORK.encode(), values)
    return many

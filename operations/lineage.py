"""Lineage: where a piece of work came from, what came of it, and what went wrong on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from operations.figures import OF_TENANT, Row, rows

MOST_CHILDREN = 20

FAILURES = f"""
SELECT work_id, at, attempt, kind, failures.reason, failures.error,
       extract(epoch FROM clock_timestamp() - at)::float8 AS seconds
FROM failures JOIN work ON work.id = work_id WHERE work_id = ANY(%(ids)s) AND {OF_TENANT} ORDER BY failures.id"""

# UNION, not UNION ALL: a loop in the lineage, which nothing should make, still ends.
ANCESTORS = f"""
WITH RECURSIVE lineage AS (
    SELECT id, parent_id FROM work WHERE id = %(id)s AND {OF_TENANT}
    UNION SELECT work.id, work.parent_id FROM work JOIN lineage ON work.id = lineage.parent_id WHERE {OF_TENANT})
SELECT work.id, stage, status, entity_id, reason FROM lineage JOIN work USING (id)
WHERE work.id <> %(id)s ORDER BY work.id"""

CHILDREN = f"""
SELECT id, stage, status, entity_id, reason, count(*) OVER () AS many
FROM work WHERE parent_id = %(id)s AND {OF_TENANT} ORDER BY id LIMIT %(most)s"""

CHILDREN_BY_STATUS = f"""
SELECT stage, status, count(*) AS count FROM work WHERE parent_id = %(id)s AND {OF_TENANT}
GROUP BY stage, status ORDER BY stage, status"""


def failures(ids: Collection[int], tenant_id: UUID | None = None) -> dict[int, list[Row]]:
    """Give what went wrong with each piece of work, the oldest first."""
    found: dict[int, list[Row]] = {work_id: [] for work_id in ids}
    for row in rows(FAILURES, {"ids": list(ids), "tenant": tenant_id}):
        found[row["work_id"]].append(row)
    return found


def ancestors(work_id: int, tenant_id: UUID | None = None) -> Sequence[Row]:
    """Give the work that led to this one, from the first on."""
    return rows(ANCESTORS, {"id": work_id, "tenant": tenant_id})


def children(work_id: int, tenant_id: UUID | None = None) -> Sequence[Row]:
    """Give the first of what came of it; `many` is how many there are."""
    return rows(CHILDREN, {"id": work_id, "tenant": tenant_id, "most": MOST_CHILDREN})


def children_by_status(work_id: int, tenant_id: UUID | None = None) -> Sequence[Row]:
    """Count what came of it, by stage and status."""
    return rows(CHILDREN_BY_STATUS, {"id": work_id, "tenant": tenant_id})

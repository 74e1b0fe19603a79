"""Dead letters: work that has ended in Error, after all its attempts or at once, grouped by what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from operations import lineage, work_list
from operations.figures import Row, rows
from pipeline.hold import HELD_UNTIL
from pipeline.paging import Listed
from pipeline.selection import Match
from reasons import MEANINGS

MOST_HOSTS = 5

# Counted by host first: one look at the rows serves the counts, the hosts that failed most, and the newest example.
GROUPS = f"""
WITH by_host AS (
    SELECT stage, reason, lane, count(*) AS many, min(finished_at) AS oldest_at, max(finished_at) AS newest_at,
           max(id) AS example_id
    FROM work WHERE status = 'Error' AND tenant_id = %(tenant)s GROUP BY stage, reason, lane),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY stage, reason ORDER BY lane IS NULL, many DESC, lane) AS nth
    FROM by_host),
grouped AS (
    SELECT stage, reason, sum(many)::bigint AS count, count(lane) AS host_count, min(oldest_at) AS oldest_at,
           max(newest_at) AS newest_at, max(example_id) AS example_id,
           coalesce(array_agg(lane ORDER BY nth) FILTER (WHERE lane IS NOT NULL AND nth <= {MOST_HOSTS}),
                    '{{}}') AS hosts,
           coalesce(array_agg(many ORDER BY nth) FILTER (WHERE lane IS NOT NULL AND nth <= {MOST_HOSTS}),
                    '{{}}') AS host_counts
    FROM ranked GROUP BY stage, reason)
SELECT grouped.*, example.entity_id, example.error AS example_error, example.attempts AS example_attempts
FROM grouped JOIN work example ON example.id = example_id
ORDER BY count DESC, grouped.stage, grouped.reason"""

# The reason of what waits is why it ran in vain the last time.
WAITING = f"""
SELECT stage, reason, count(*) AS count, min(nullif(due_at, {HELD_UNTIL})) AS due_at FROM work
WHERE status = 'Queued' AND reason IS NOT NULL AND tenant_id = %(tenant)s
GROUP BY stage, reason ORDER BY count DESC, stage, reason"""

# In what is listed the newest comes first; in what waits, what is due first.
SORTS = {"Error": "-finished_at", "Queued": "due_at"}


def groups(tenant_id: UUID) -> Sequence[Row]:
    """Count a tenant's dead letters by stage and reason, the most frequent first, each with its newest."""
    found = rows(GROUPS, {"tenant": tenant_id})
    return [row | {"meaning": MEANINGS.get(row["reason"])} for row in found]


def waiting(tenant_id: UUID) -> Sequence[Row]:
    """Count what has not gone on and waits for its next try, by stage and reason."""
    return rows(WAITING, {"tenant": tenant_id})


def page(
    tenant_id: UUID,
    *,
    limit: int,
    stage: str | None = None,
    reason: str | None = None,
    host: str | None = None,
    error: str | None = None,
    status: str = "Error",
    cursor: str | None = None,
    with_total: bool = False,
) -> Listed[Row]:
    """Give the next page of dead letters, or of what waits, each with everything that went wrong with it."""
    match = Match(stage=stage, status=status, reason=reason, error=error, lane=host, tenant_id=tenant_id)
    listed = work_list.page(match, limit=limit, sort=SORTS[status], cursor=cursor, with_total=with_total)
    failures = lineage.failures([row["id"] for row in listed.rows], tenant_id)
    named = work_list.name_entities(tenant_id, listed.rows)
    return replace(listed, rows=[row | {"failures": failures[row["id"]]} for row in named])

"""Queue work from outside the pipeline: a person's choice, a batch, a schedule."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from models.work import DEFAULT_PRIORITY
from pipeline.database import Connection
from pipeline.stage import Stage
from settings import settings

# Work that is running or waits already is left alone; what has ended starts a new run with a clean slate.
ADD = """
WITH target AS (
    SELECT id, tenant_id, {lane} AS lane FROM {table} WHERE id = ANY(%(ids)s)),
opened AS (
    INSERT INTO hosts (host, cap, gap) SELECT DISTINCT lane, %(cap)s::smallint, %(gap)s FROM target
    WHERE lane IS NOT NULL ORDER BY lane ON CONFLICT DO NOTHING)
INSERT INTO work (tenant_id, stage, entity_id, auto, priority, lane)
SELECT tenant_id, %(stage)s, id, %(auto)s, %(priority)s, lane FROM target ORDER BY id
ON CONFLICT (stage, entity_id) DO UPDATE SET
    status = 'Queued', auto = EXCLUDED.auto, priority = EXCLUDED.priority, lane = EXCLUDED.lane,
    due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0, attempts = 0, crashes = 0,
    started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
WHERE work.status NOT IN ('Queued', 'Processing')
RETURNING id"""


def add(
    connection: Connection,
    stage: Stage,
    entity_ids: Collection[int],
    *,
    auto: bool = True,
    priority: int = DEFAULT_PRIORITY,
) -> list[int]:
    """Queue a stage's work for entities, in the caller's transaction; ring with `window.fill` after its commit."""
    values = {
        "ids": list(entity_ids),
        "stage": stage.name,
        "auto": auto,
        "priority": priority,
        "cap": settings().lane_cap,
        "gap": timedelta(seconds=settings().lane_gap_seconds),
    }
    sql = ADD.format(lane=stage.lane or "NULL::text", table=stage.table)
    return [work_id for (work_id,) in connection.execute(sql.encode(), values).fetchall()]

"""Queue work from outside the pipeline: a person's choice, a batch, a schedule."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from models.work import DEFAULT_PRIORITY
from pipeline.database import Connection
from pipeline.stage import Stage
from settings import settings

# Both read `target`, which gives id, tenant_id and lane of the entities meant.
OPEN_LANES = """
    INSERT INTO hosts (host, cap, gap) SELECT DISTINCT lane, %(cap)s::smallint, %(gap)s FROM target
    WHERE lane IS NOT NULL ORDER BY lane ON CONFLICT DO NOTHING"""

# Work that is running or waits already is left alone, and not even locked: who finishes it holds it and may be waiting
# for the entity that our caller holds. It is looked up row by row: a join is planned badly while the queue grows. What
# has ended starts a new run with a clean slate.
START = """
INSERT INTO work (tenant_id, stage, entity_id, auto, priority, lane)
SELECT tenant_id, %(stage)s, id, %(auto)s, %(priority)s, lane FROM target
WHERE coalesce((SELECT status FROM work known WHERE known.stage = %(stage)s AND known.entity_id = target.id), 'none')
      NOT IN ('Queued', 'Processing')
ORDER BY id
ON CONFLICT (stage, entity_id) DO UPDATE SET
    status = 'Queued', auto = EXCLUDED.auto, priority = EXCLUDED.priority, lane = EXCLUDED.lane,
    due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0, attempts = 0, crashes = 0,
    started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
WHERE work.status NOT IN ('Queued', 'Processing')
RETURNING id"""

ADD = f"""
WITH target AS (
    SELECT id, tenant_id, {{lane}} AS lane FROM {{table}} WHERE id = ANY(%(ids)s)),
opened AS ({OPEN_LANES})
{START}"""


def add(
    connection: Connection,
    stage: Stage,
    entity_ids: Collection[int],
    *,
    auto: bool = True,
    priority: int = DEFAULT_PRIORITY,
) -> list[int]:
    """Queue a stage's work for entities, in the caller's transaction; ring with `window.fill` after its commit."""
    values = values_of(stage, auto=auto, priority=priority) | {"ids": list(entity_ids)}
    sql = ADD.format(lane=stage.lane or "NULL::text", table=stage.table)
    return [work_id for (work_id,) in connection.execute(sql.encode(), values).fetchall()]


def values_of(stage: Stage, *, auto: bool, priority: int = DEFAULT_PRIORITY) -> dict[str, Any]:
    """Give the parameters of OPEN_LANES and START."""
    return {
        "stage": stage.name,
        "auto": auto,
        "priority": priority,
        "cap": settings().lane_cap,
        "gap": timedelta(seconds=settings().lane_gap_seconds),
    }

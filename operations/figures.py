"""Figures: what the database knows about stages, workers and failures. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from models.work import WORK_STATUSES
from pipeline.database import statement

Row = dict[str, Any]

# Without a tenant, of all tenants.
OF_TENANT = "(%(tenant)s::uuid IS NULL OR tenant_id = %(tenant)s)"

BY_STATUS = f"SELECT stage, status, count(*) AS many FROM work WHERE {OF_TENANT} GROUP BY stage, status"

# Rung and due rows have their own indexes: this costs what is open, not what is finished.
OPEN_WORK = f"""
SELECT stage, count(*) FILTER (WHERE sent_at IS NOT NULL) AS rung,
       count(*) FILTER (WHERE due_at <= clock.now) AS due, count(*) FILTER (WHERE due_at > clock.now) AS later,
       extract(epoch FROM max(clock.now) - min(due_at) FILTER (WHERE due_at <= clock.now))::float8 AS oldest
FROM work, (SELECT clock_timestamp() AS now) clock WHERE status = 'Queued' AND {OF_TENANT} GROUP BY stage"""

CONTROLS = 'SELECT stage, paused, note, "window" FROM stage_controls'

WORKERS = """
SELECT workers.id::text, host, pid, queues, expires_at > clock_timestamp() AS alive,
       extract(epoch FROM clock_timestamp() - beat_at)::float8 AS beat_seconds,
       extract(epoch FROM clock_timestamp() - workers.started_at)::float8 AS up_seconds,
       coalesce((SELECT jsonb_agg(jsonb_build_object(
                     'work', work.id, 'stage', work.stage,
                     'seconds', extract(epoch FROM clock_timestamp() - work.started_at)) ORDER BY work.id)
                 FROM work WHERE work.worker_id = workers.id AND work.status = 'Processing'), '[]') AS running
FROM workers ORDER BY alive DESC, host, pid"""

FAILURES_LAST_HOUR = """
SELECT kind, count(*) AS many FROM failures WHERE at > clock_timestamp() - interval '1 hour' GROUP BY kind"""

INVARIANT_CHECKS = """
SELECT name, violations, detail, checked_at, extract(epoch FROM clock_timestamp() - checked_at)::float8 AS seconds
FROM invariant_checks ORDER BY name"""

ERRORS = "SELECT reason, count(*) AS many FROM work WHERE status = 'Error' GROUP BY reason ORDER BY many DESC, reason"

UNCLAIMED = """
SELECT work.stage, count(*) AS many FROM work LEFT JOIN stage_controls control ON control.stage = work.stage
WHERE status = 'Queued' AND sent_at < clock_timestamp() - %(seconds)s * interval '1 second'
  AND NOT coalesce(control.paused, false)
GROUP BY work.stage ORDER BY work.stage"""

OVERDUE_FACTS = """
SELECT (SELECT count(*) FROM places WHERE expires_at < clock_timestamp() - %(seconds)s * interval '1 second')
     + (SELECT count(*) FROM local_businesses WHERE expires_at < clock_timestamp() - %(seconds)s * interval '1 second')
       AS many"""


@dataclass
class StageFigures:
    """What the database says about one stage."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WORK_STATUSES, 0))
    rung: int = 0
    due: int = 0
    later: int = 0
    oldest_due_seconds: float | None = None
    paused: bool = False
    note: str | None = None
    window: int | None = None


def by_stage(tenant_id: UUID | None = None) -> dict[str, StageFigures]:
    """Count the work, all or a tenant's, of every stage that has any, or that an operator has touched."""
    figures: dict[str, StageFigures] = {}
    for row in rows(BY_STATUS, {"tenant": tenant_id}):
        figures.setdefault(row["stage"], StageFigures()).counts[row["status"]] = row["many"]
    for row in rows(OPEN_WORK, {"tenant": tenant_id}):
        stage = figures.setdefault(row["stage"], StageFigures())
        stage.rung, stage.due, stage.later, stage.oldest_due_seconds = (
            row[name] for name in ("rung", "due", "later", "oldest")
        )
    for row in rows(CONTROLS):
        stage = figures.setdefault(row["stage"], StageFigures())
        stage.paused, stage.note, stage.window = row["paused"], row["note"], row["window"]
    return figures


def workers() -> Sequence[Row]:
    return rows(WORKERS)


def workers_alive() -> int:
    return sum(worker["alive"] for worker in workers())


def failures_last_hour() -> dict[str, int]:
    return {row["kind"]: row["many"] for row in rows(FAILURES_LAST_HOUR)}


def invariant_checks() -> Sequence[Row]:
    return rows(INVARIANT_CHECKS)


def errors_by_reason() -> dict[str, int]:
    return {row["reason"] or "unknown": row["many"] for row in rows(ERRORS)}


def unclaimed_after(seconds: float) -> dict[str, int]:
    """Count per running stage what was rung so long ago and nobody took."""
    return {row["stage"]: row["many"] for row in rows(UNCLAIMED, {"seconds": seconds})}


def kept_too_long(seconds: float) -> int:
    """Count the rows with facts of a provider that expired so long ago and are still there."""
    return int(rows(OVERDUE_FACTS, {"seconds": seconds})[0]["many"])


def rows(sql: str, values: Mapping[str, Any] | None = None) -> Sequence[Row]:
    """Run one query and give its rows by column name."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

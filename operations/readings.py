"""Readings: the small questions behind metrics, alarms and readiness. Reads only."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import reasons
from operations.figures import Row, rows
from pipeline.hold import HELD_UNTIL

# By meter and stage, and there by label.
Counts = dict[tuple[str, str], dict[str, float]]

COUNTED = "SELECT name, stage, label, value FROM meters"

OVERDUE = """
SELECT stage, count(*) AS many FROM work WHERE status = 'Processing'
AND deadline_at < clock_timestamp() - %(stuck)s * interval '1 minute' GROUP BY stage"""

SERVING = """
SELECT stage, count(*) AS many FROM workers, unnest(queues) AS stage
WHERE expires_at > clock_timestamp() AND stage = ANY(%(stages)s) GROUP BY stage"""

# Only what may cost money waits for it, and that has no lane; so what waits in lanes, which is most, is not looked at.
WAITING_FOR_BUDGET = f"""
SELECT stage, count(*) AS many, left(string_agg(DISTINCT error, '; '), 800) AS whose
FROM unnest(%(names)s::text[]) AS known(stage), LATERAL (
    SELECT error FROM work
    WHERE work.stage = known.stage AND lane IS NULL AND status = 'Queued' AND sent_at IS NULL
      AND due_at > clock_timestamp() AND due_at < {HELD_UNTIL} AND reason = '{reasons.BUDGET}') AS waiting
GROUP BY stage"""

SPENT_TODAY = """
SELECT provider, calls, usd FROM provider_days WHERE day = (clock_timestamp() AT TIME ZONE 'UTC')::date"""

HOSTS_BLOCKED = "SELECT count(*) AS many FROM hosts WHERE blocked_until > clock_timestamp()"

ALARMS = "SELECT name, count(*) FILTER (WHERE ended_at IS NULL) AS many FROM alarms GROUP BY name"

JOBS = """
SELECT name, kind, coalesce(last_result = 'error', false) AS failed, last_detail,
       extract(epoch FROM clock_timestamp() - last_run_at)::float8 AS age,
       greatest(extract(epoch FROM clock_timestamp() - next_run_at), 0)::float8 AS late
FROM jobs ORDER BY kind DESC, name"""


def counted() -> Counts:
    """Give what all workers have counted since the beginning."""
    found: Counts = {}
    for row in rows(COUNTED):
        found.setdefault((row["name"], row["stage"]), {})[row["label"]] = row["value"]
    return found


def overdue(minutes: float = 0) -> dict[str, int]:
    """Count per stage what runs and is past its deadline by so long."""
    return {row["stage"]: row["many"] for row in rows(OVERDUE, {"stuck": minutes})}


def serving(stages: Collection[str]) -> dict[str, int]:
    """Count per stage the living workers that answer its rings."""
    return {row["stage"]: row["many"] for row in rows(SERVING, {"stages": list(stages)})}


def waiting_for_budget(stages: Collection[str]) -> dict[str, int]:
    """Count per stage what waits for money."""
    return {row["stage"]: row["many"] for row in rows(WAITING_FOR_BUDGET, {"names": list(stages)})}


def spent_today() -> dict[str, tuple[int, float]]:
    """Give per provider the calls and the money of today."""
    return {row["provider"]: (row["calls"], float(row["usd"])) for row in rows(SPENT_TODAY)}


def hosts_blocked() -> int:
    """Count the hosts that asked for a pause which is not over."""
    return int(rows(HOSTS_BLOCKED)[0]["many"])


def alarms_ringing() -> dict[str, int]:
    """Count the alarms that ring now, by rule; a rule that has rung before and is quiet counts nought."""
    return {row["name"]: row["many"] for row in rows(ALARMS)}


def jobs() -> Sequence[Row]:
    """Give how long ago each job ran, how late it is, and whether it failed."""
    return rows(JOBS)

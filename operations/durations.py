"""Durations: how long the runs took that have ended in the last hour, by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from operations.figures import Row, rows
from operations.kept import Kept

# Of each tenant, and, without one, of all. A run is the last attempt.
DURATIONS = """
SELECT tenant_id, stage, count(*) AS many, max(seconds) AS longest,
       percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY seconds) AS percentiles
FROM (SELECT tenant_id, stage, extract(epoch FROM finished_at - started_at)::float8 AS seconds FROM work
      WHERE finished_at > clock_timestamp() - interval '1 hour' AND started_at IS NOT NULL) AS runs
GROUP BY GROUPING SETS ((tenant_id, stage), (stage))"""

# Sorting costs more than counting, and an hour's durations hardly change from one second to the next.
LEAST_SECONDS = 10.0

_durations: Kept[Sequence[Row]] = Kept(lambda: rows(DURATIONS), least_seconds=LEAST_SECONDS)


@dataclass(frozen=True, slots=True)
class Durations:
    """How long runs took: half of them no longer than `p50`, nineteen of twenty no longer than `p95`."""

    many: int
    p50: float
    p95: float
    longest: float


def of_stage(stage: str, tenant_id: UUID | None) -> Durations | None:
    """Give the durations of a tenant's runs, or of everybody's; None when nothing ran, or it is not counted yet."""
    found = _durations.ask()
    for row in found.value if found else ():
        if (row["stage"], row["tenant_id"]) == (stage, tenant_id):
            p50, p95 = row["percentiles"]
            return Durations(row["many"], p50, p95, row["longest"])
    return None

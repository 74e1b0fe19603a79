"""Minutes: what the stages have ended lately, of all tenants or of one, as the workers have counted it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from operations.figures import OF_TENANT, rows
from pipeline.database import statement

KEPT_HOURS = 24

LAST = f"""
SELECT stage, sum(completed)::int AS completed, sum(filtered)::int AS filtered, sum(error)::int AS error,
       sum(retried)::int AS retried, sum(seconds)::float8 AS seconds
FROM stage_minutes WHERE minute > clock_timestamp() - %(minutes)s * interval '1 minute' AND {OF_TENANT}
GROUP BY stage"""

FORGET = b"DELETE FROM stage_minutes WHERE minute < clock_timestamp() - %s * interval '1 hour'"


@dataclass(frozen=True, slots=True)
class Course:
    """What a stage has ended in some minutes, what it put off after a failure, and how long all of it took."""

    completed: int = 0
    filtered: int = 0
    error: int = 0
    retried: int = 0
    seconds: float = 0.0

    @property
    def ended(self) -> int:
        return self.completed + self.filtered + self.error

    @property
    def error_share(self) -> float:
        """The part of what has ended that ended as Error, 0 to 1."""
        return self.error / self.ended if self.ended else 0.0


def last(minutes: int, tenant_id: UUID | None = None) -> dict[str, Course]:
    """Give the last minutes of every stage that has ended anything in them; without a tenant, of all."""
    found = rows(LAST, {"minutes": minutes, "tenant": tenant_id})
    return {row.pop("stage"): Course(**row) for row in found}


def forget_old() -> int:
    """Forget the minutes that nobody asks for any more."""
    with statement() as connection:
        return connection.execute(FORGET, (KEPT_HOURS,)).rowcount

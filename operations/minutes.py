"""Minutes: what the stages have ended lately is kept for a day."""

from __future__ import annotations

from pipeline.database import statement

KEPT_HOURS = 24

FORGET = b"DELETE FROM stage_minutes WHERE minute < clock_timestamp() - %s * interval '1 hour'"


def forget_old() -> int:
    """Forget the minutes that nobody asks for any more, and give how many."""
    with statement() as connection:
        return connection.execute(FORGET, (KEPT_HOURS,)).rowcount

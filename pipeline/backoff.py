"""How long to wait before the next try: doubling with jitter, not less than the other side asked for, within a day."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from errors import Outcome, Passing, Snooze
from pipeline.stage import Turn
from settings import settings

LONGEST = timedelta(hours=1)
# A stranger's Retry-After may say next century; a person who reads tomorrow's report should find an answer in it.
LONGEST_ASKED_FOR = timedelta(hours=24)
# A snooze spends no attempt, so one that asks for no wait could go round without end as fast as it can be claimed.
SHORTEST_SNOOZE = timedelta(seconds=1)


def delay_after(turn: Turn, outcome: Outcome) -> timedelta:
    """Give the wait that an outcome calls for."""
    if isinstance(outcome, Snooze):
        return max(outcome.until - datetime.now(UTC), SHORTEST_SNOOZE)
    asked = outcome.retry_after if isinstance(outcome, Passing) else None
    first = turn.stage.back_off or timedelta(seconds=settings().back_off_seconds)
    doubled = min(first * 2 ** min(turn.attempt - 1, 20), LONGEST)
    jittered: timedelta = doubled * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, guards nothing
    return max(jittered, min(asked, LONGEST_ASKED_FOR)) if asked else jittered

"""Catch up: which of the ticks that are owed still fire, and which were missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

# Nobody is ever exactly on time. Less than two ticks lie so close together.
ON_TIME = timedelta(minutes=1)
# After a long absence only the newest are fired or told of.
MOST_TICKS = 100


@dataclass(frozen=True, slots=True)
class Policy:
    """How late a tick may be, and whether none, the last or all of those that are late still fire."""

    catch_up: str
    grace: timedelta

    @property
    def patience(self) -> timedelta:
        return ON_TIME if self.catch_up == "skip" else max(self.grace, ON_TIME)


@dataclass(frozen=True, slots=True)
class Step:
    """What to do first with the ticks that are owed: count some as missed, and fire one or none."""

    missed: Sequence[datetime]
    fires: datetime | None

    @property
    def settles_until(self) -> datetime:
        """Give the tick up to which nothing is owed afterwards."""
        return self.missed[-1] if self.fires is None else self.fires


def next_step(owed: Sequence[datetime], now: datetime, policy: Policy) -> Step:
    """Choose the first tick that still fires; those before it are missed. There must be some owed."""
    able = [tick for tick in owed[-MOST_TICKS:] if now - tick <= policy.patience]
    if not able:
        return Step(owed, None)
    first = able[0] if policy.catch_up == "all" else able[-1]
    return Step([tick for tick in owed if tick < first], first)

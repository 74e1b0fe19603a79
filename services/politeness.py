"""Politeness: how a host's answers stretch and relax the gap between two visits, and when it is left alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

# How long whoever asks waits in place; a longer wait is left to the queue.
PATIENCE = timedelta(seconds=3)

TOO_MANY_REQUESTS, UNAVAILABLE = 429, 503
LEAST_GAP_IN_TROUBLE = timedelta(seconds=1)
SHORTEST_REST, LONGEST_REST = timedelta(seconds=1), timedelta(hours=1)
# A 429 says "slow down" whether or not it says for how long; a bare 503 is often a moment's hiccup: the gap doubles.
REST_AFTER_BARE_429 = timedelta(minutes=1)
LEAST_CHANGE = 0.05


@dataclass(frozen=True, slots=True)
class Answered:
    """How a host answered one request."""

    seconds: float
    status: int | None = None
    retry_after: timedelta | None = None
    was_reached: bool = True  # False when no server has seen the request

    @property
    def is_trouble(self) -> bool:
        """Tell whether the host asked for less, or gave no answer to what it was asked."""
        return self.was_reached and self.status in (None, TOO_MANY_REQUESTS, UNAVAILABLE)


def next_gap(gap: timedelta, answered: Answered, *, least: timedelta, most: timedelta) -> timedelta:
    """Double the gap in trouble, else move it half-way to the latency; `least` wins over `most`."""
    if answered.is_trouble:
        wanted = max(min(gap, most) * 2, LEAST_GAP_IN_TROUBLE)
    else:
        wanted = (min(gap, most) + _latency(answered, most)) / 2
    return max(min(wanted, most), least)


def _latency(answered: Answered, most: timedelta) -> timedelta:
    seconds = answered.seconds if math.isfinite(answered.seconds) else 0.0
    return timedelta(seconds=min(max(seconds, 0.0), most.total_seconds()))


def is_worth_noting(gap: timedelta, wanted: timedelta) -> bool:
    """Tell whether a change of the gap is large enough to be written down: a steady host costs no write."""
    return abs(wanted - gap) > gap * LEAST_CHANGE


def rest_after(answered: Answered) -> timedelta | None:
    """Give how long nobody may ask this host; None when it did not ask for a rest."""
    if answered.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
        return None
    if answered.retry_after is not None:
        return min(max(answered.retry_after, SHORTEST_REST), LONGEST_REST)
    return REST_AFTER_BARE_429 if answered.status == TOO_MANY_REQUESTS else None

"""Pace: how fast the counts of a search have grown lately, and how long the rest may take."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from pipeline.search_view import View

WINDOW_SECONDS = 10.0
OPEN = ("Queued", "Processing")


class Pace:
    """Remembers the looks of the last seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, dict[str, int]]] = deque()

    def note(self, view: View) -> None:
        """Take a look into account."""
        self._seen.append((view.at, {stage: _ended(own) for stage, own in view.found.progress.counts.items()}))
        while len(self._seen) > 2 and view.at - self._seen[1][0] >= WINDOW_SECONDS:
            self._seen.popleft()

    def of(self, stage: str) -> float:
        """Give how many pieces of a stage's work end in a second."""
        return self._rate(lambda counts: counts.get(stage, 0))

    def seconds_left(self, view: View) -> float | None:
        """Guess how long what is known may take; more may come of it."""
        rate = self._rate(lambda counts: sum(counts.values()))
        return view.left / rate if rate > 0 and view.left else None

    def stage_seconds_left(self, view: View, stage: str) -> float | None:
        """Guess how long the known work of one stage may take."""
        left = sum(view.found.progress.counts[stage][status] for status in OPEN)
        rate = self.of(stage)
        return left / rate if rate > 0 and left else None

    def _rate(self, total: Callable[[dict[str, int]], int]) -> float:
        if len(self._seen) < 2:
            return 0.0
        (since, before), (until, after) = self._seen[0], self._seen[-1]
        grown = total(after) - total(before)
        return max(grown, 0) / (until - since) if until > since else 0.0


def _ended(counts: Mapping[str, int]) -> int:
    return sum(many for status, many in counts.items() if status not in OPEN)

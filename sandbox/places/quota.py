"""Quota: how many calls a key may make in a minute and in a day."""

from __future__ import annotations

from dataclasses import dataclass, field

MINUTE_SECONDS, DAY_SECONDS = 60, 24 * 60 * 60
MOST_KEYS = 1_000


@dataclass(slots=True)
class Quota:
    """Counts the calls of every key in the running minute and day."""

    per_minute: int | None = None
    per_day: int | None = None
    _used: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)

    def exceeded(self, key: str, at: float) -> str | None:
        """Count one call, or name the limit that forbids it; a refused call is not counted."""
        limits = (("per_minute", MINUTE_SECONDS, self.per_minute), ("per_day", DAY_SECONDS, self.per_day))
        for name, seconds, limit in limits:
            if limit is not None and self.used(key, seconds, at) >= limit:
                return name
        for _, seconds, _ in limits:
            self._count(key, seconds, at)
        return None

    def used(self, key: str, seconds: int, at: float) -> int:
        """Give how many calls a key has made in the running minute or day."""
        window, count = self._used.get((key, seconds), (-1, 0))
        return count if window == int(at // seconds) else 0

    def _count(self, key: str, seconds: int, at: float) -> None:
        if len(self._used) >= 2 * MOST_KEYS and (key, seconds) not in self._used:
            self._used.clear()
        self._used[key, seconds] = (int(at // seconds), self.used(key, seconds, at) + 1)

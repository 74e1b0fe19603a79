"""Hours: spans of a week as opening hours by weekday."""

from __future__ import annotations

from collections.abc import Iterable

from services.place import WEEKDAYS, OpeningHours

MINUTES_PER_DAY = 24 * 60
MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY
MIDNIGHT = "24:00"


def hours_of_week(spans: Iterable[tuple[int, int]]) -> OpeningHours:
    """Sort spans, each a start in minutes since Monday's midnight and a length, under their weekdays.

    A span past midnight stays with the day on which it began, so 22:00 to 02:00 is one; one longer than a day is
    cut at every midnight. A weekday without a span is closed.
    """
    by_day: list[set[tuple[int, int]]] = [set() for _ in WEEKDAYS]
    for start, length in spans:
        for piece, minutes in _days_of(start % MINUTES_PER_WEEK, min(length, MINUTES_PER_WEEK)):
            day, begin = divmod(piece % MINUTES_PER_WEEK, MINUTES_PER_DAY)
            by_day[day].add((begin, begin + minutes))
    return {
        name: [[clock(begin), clock(end)] for begin, end in sorted(day)]
        for name, day in zip(WEEKDAYS, by_day, strict=True)
    }


def clock(minute: int) -> str:
    """Write a minute as 09:30; the end of a day is 24:00, what lies beyond it the next day's clock."""
    if minute == MINUTES_PER_DAY:
        return MIDNIGHT
    hour, rest = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hour:02}:{rest:02}"


def _days_of(start: int, length: int) -> list[tuple[int, int]]:
    if length < MINUTES_PER_DAY:
        return [(start, length)]
    pieces = []
    end = start + length
    while start < end:
        midnight = start - start % MINUTES_PER_DAY + MINUTES_PER_DAY
        pieces.append((start, min(midnight, end) - start))
        start = midnight
    return pieces

"""OSM hours: the common forms of OpenStreetMap's `opening_hours`; anything else is left alone."""

from __future__ import annotations

import re

from services.hours import MINUTES_PER_DAY, hours_of_week
from services.place import OpeningHours

LONGEST = 255  # as OpenStreetMap allows
DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
HOLIDAYS = ("PH", "SH")  # no weekdays: what holds on them is left out
EVERY_DAY = frozenset(range(7))

_DAY = f"(?:{'|'.join((*DAYS, *HOLIDAYS))})"
_SPAN = r"\d{1,2}:\d\d ?- ?\d{1,2}:\d\d"
_RULE = re.compile(
    rf"(?P<days>{_DAY}(?: ?[-,] ?{_DAY})*)?:? ?(?P<what>{_SPAN}(?: ?, ?{_SPAN})*|off|closed|24/7) ?(?P<end>[;,]|$) ?",
    re.ASCII,
)

Span = tuple[int, int]  # minutes since midnight, and how many


def opening_hours(text: str) -> OpeningHours | None:
    """Read `Mo-Fr 09:00-17:00; Sa 10:00-14:00`, `24/7`, `Su off` and the like; None when any of it is unclear."""
    tidy = " ".join(text.split()).removesuffix(";")
    if not tidy or len(tidy) > LONGEST:
        return None
    week: dict[int, list[Span]] = {}
    at, adds = 0, False
    while at < len(tidy):
        rule = _RULE.match(tidy, at)
        said = None if rule is None else _spans(rule["what"])
        if rule is None or said is None:
            return None
        for day in _days(rule["days"]):
            week[day] = (week.get(day, []) if adds else []) + said
        # After a semicolon a rule replaces what was said of its days; after a comma it adds to it.
        at, adds = rule.end(), rule["end"] == ","
    if not week:
        return None  # holidays only
    return hours_of_week(
        (day * MINUTES_PER_DAY + start, length) for day, spans in week.items() for start, length in spans
    )


def _days(text: str | None) -> frozenset[int]:
    if text is None:
        return EVERY_DAY
    chosen: set[int] = set()
    for part in text.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        if first in DAYS and (last or first) in DAYS:
            start, end = DAYS.index(first), DAYS.index(last or first)
            chosen.update((start + step) % 7 for step in range((end - start) % 7 + 1))
    return frozenset(chosen)


def _spans(text: str) -> list[Span] | None:
    if text in ("off", "closed"):
        return []
    if text == "24/7":
        return [(0, MINUTES_PER_DAY)]
    spans: list[Span] = []
    for hour, minute, end_hour, end_minute in re.findall(r"(\d+):(\d+) ?- ?(\d+):(\d+)", text):
        start, end = int(hour) * 60 + int(minute), int(end_hour) * 60 + int(end_minute)
        if start >= MINUTES_PER_DAY or end > 2 * MINUTES_PER_DAY or int(minute) > 59 or int(end_minute) > 59:
            return None
        spans.append((start, (end - start) % MINUTES_PER_DAY or MINUTES_PER_DAY))
    return spans

"""Schedule words: when a schedule is due, as people say it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

UNITS = {"days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
EVERY_N = re.compile(r"\*/(\d{1,2})", re.ASCII)
NUMBER = re.compile(r"\d{1,2}", re.ASCII)
WEEKDAYS = re.compile(r"([0-7])-([0-7])", re.ASCII)


def parts_of(seconds: int) -> tuple[int, str]:
    """Give a length of time in the largest unit in which it is a whole number."""
    return next((seconds // size, unit) for unit, size in UNITS.items() if seconds % size == 0)


def every(seconds: int) -> str:
    """Write an interval."""
    many, unit = parts_of(seconds)
    return f"every {unit[:-1]}" if many == 1 else f"every {many:,} {unit}"


def when(row: Mapping[str, Any]) -> str:
    """Say when a schedule is due; a cron line that no short sentence tells is left as it is."""
    return timetable(row["cron"], row["interval_seconds"]) or f"By the cron line {row['cron']}"


def timetable(cron: str | None, interval_seconds: int | None) -> str | None:
    """Say what a timetable means, as the beginning of a sentence."""
    said = cron_in_words(cron) if cron else every(interval_seconds or 0)
    return said and said[0].upper() + said[1:]


def cron_in_words(line: str) -> str | None:
    """Say what a common cron line means; None for one that takes more than a short sentence."""
    fields = line.split()
    if len(fields) != 5 or fields[3] != "*":
        return None
    day, time = _day(fields[2], fields[4].lower()), _time(fields[0], fields[1])
    if day is None or time is None:
        return None
    if day == "":
        return time if time.startswith("every") else f"every day {time}"
    return f"{day} {time}"


def _time(minute: str, hour: str) -> str | None:
    if NUMBER.fullmatch(minute) and NUMBER.fullmatch(hour):
        return f"at {int(hour):02}:{int(minute):02}"
    if hour == "*" and minute == "*":
        return "every minute"
    if hour == "*" and (step := EVERY_N.fullmatch(minute)):
        return every(60 * int(step[1])) if 60 % (int(step[1]) or 7) == 0 else None
    if hour == "*" and NUMBER.fullmatch(minute):
        return f"every hour at minute {int(minute)}"
    if NUMBER.fullmatch(minute) and (step := EVERY_N.fullmatch(hour)):
        return f"{every(3600 * int(step[1]))} at minute {int(minute)}" if 24 % (int(step[1]) or 7) == 0 else None
    return None


def _day(day: str, weekday: str) -> str | None:
    if day == "*":
        return "" if weekday == "*" else _weekday(weekday)
    return f"on day {int(day)} of every month" if weekday == "*" and NUMBER.fullmatch(day) else None


def _weekday(text: str) -> str | None:
    if span := WEEKDAYS.fullmatch(text):
        return f"{DAYS[int(span[1])]} to {DAYS[int(span[2])]}"
    names = [_day_named(part) for part in text.split(",")]
    known = [name for name in names if name is not None]
    if len(known) != len(names):
        return None
    return "every " + (known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}")


def _day_named(part: str) -> str | None:
    if part in SHORT_DAYS:
        return DAYS[SHORT_DAYS.index(part)]
    return DAYS[int(part)] if part in {"0", "1", "2", "3", "4", "5", "6", "7"} else None

"""Cron line: five fields as people write them, and the times on the wall that they name."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby

from apscheduler.triggers.cron import CronTrigger

from errors import BadInput

MINUTE, HOUR, DAY, MONTH, WEEKDAY = range(5)
FIELDS = ("minute", "hour", "day", "month", "day_of_week")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY_NUMBERS = re.compile(r"(?:\*|([0-7])(?:-([0-7]))?)(?:/([1-7]))?", re.ASCII)
LONGEST_LINE = 200
ONE_MINUTE = timedelta(minutes=1)


def runs_every_hour(line: str) -> bool:
    """Tell whether the line leaves the hour open, so that it follows the hours that pass and not those on the wall."""
    return line.split()[HOUR] == "*"


def walls_between(line: str, first: datetime, last: datetime) -> Iterator[datetime]:
    """Give the times on the wall from `first` to `last`, both included, in order; neither has a time zone."""
    walls = heapq.merge(*(_walls(fields, first, last) for fields in _readings(line)))
    return (wall for wall, _ in groupby(walls))


def check(line: str) -> None:
    """Refuse a line that cannot be read."""
    for fields in _readings(line):
        _trigger(fields, None)


def _readings(line: str) -> list[list[str]]:
    """Read a line as cron does: where both a day of the month and a weekday are named, either is enough."""
    fields = line.split()
    if len(fields) != len(FIELDS) or len(line) > LONGEST_LINE:
        raise BadInput(_refusal(line, f"it has {len(fields)} fields"))
    if fields[DAY].startswith("*") or fields[WEEKDAY].startswith("*"):
        return [fields]
    return [[*fields[:WEEKDAY], "*"], [*fields[:DAY], "*", *fields[MONTH:]]]


def _walls(fields: list[str], first: datetime, last: datetime) -> Iterator[datetime]:
    """Walk along the wall as if it stood in UTC, where no hour is missing and none comes twice."""
    trigger = _trigger(fields, last.replace(tzinfo=UTC))
    at = trigger.get_next_fire_time(None, first.replace(tzinfo=UTC))
    while at is not None:
        yield at.replace(tzinfo=None)
        at = trigger.get_next_fire_time(None, at + ONE_MINUTE)


def _trigger(fields: list[str], until: datetime | None) -> CronTrigger:
    given = [*fields[:WEEKDAY], ",".join(_weekdays(part) for part in fields[WEEKDAY].lower().split(","))]
    try:
        return CronTrigger(**dict(zip(FIELDS, given, strict=True)), timezone=UTC, end_date=until)
    except (ValueError, OverflowError) as fault:
        raise BadInput(_refusal(" ".join(fields), str(fault))) from None


def _weekdays(part: str) -> str:
    """APScheduler counts weekdays from Monday, cron from Sunday: names say the same to both."""
    numbers = WEEKDAY_NUMBERS.fullmatch(part)
    if numbers is None or part == "*":
        return part
    first, last, step = (None if group is None else int(group) for group in numbers.groups())
    if first is None:
        return ",".join(WEEKDAYS[0 : 7 : step or 1])
    end = first if last is None and step is None else 6 if last is None else last
    return ",".join(WEEKDAYS[first : end + 1 : step or 1])


def _refusal(line: str, why: str) -> str:
    shown = line if len(line) <= 60 else f"{line[:59]}…"
    return (
        f"{shown!r} is no cron line ({why.rstrip('.')}): write minute, hour, day, month and weekday, "
        "such as `0 9 * * 1-5` for weekdays at nine."
    )

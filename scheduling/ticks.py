"""Ticks: the moments at which a schedule is due, by cron line or by interval, on every day of the year.

A cron line names times on the wall of its zone. On the day clocks go forward, a time that does not exist is due once,
at the moment they do; on the day they go back, a time that comes twice is due the first time. A line that leaves the
hour open (`*`) follows the hours that pass instead: it is due whenever the wall shows its minute. Intervals know no
wall at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from errors import BadInput
from scheduling import cron_line

# Longer than any change of clocks.
CHANGE = timedelta(hours=3)
ONE_MINUTE = timedelta(minutes=1)
FIRST_LOOK = timedelta(hours=1)
LOOKS_GROW_BY = 8
# The 29th of February is eight years away at most.
FURTHEST = timedelta(days=366 * 9)


@dataclass(frozen=True, slots=True)
class Timing:
    """When a schedule is due: one of `cron` and `interval_seconds` is given, and nothing is due before `starts_at`."""

    cron: str | None
    interval_seconds: int | None
    starts_at: datetime
    timezone: str = "UTC"

    def __str__(self) -> str:
        return f"{self.cron} {self.timezone}" if self.cron else f"every {self.interval_seconds} seconds"


def between(timing: Timing, after: datetime, until: datetime) -> list[datetime]:
    """Give the ticks after one moment and up to another, in UTC and in order."""
    after = max(after, timing.starts_at - timedelta(microseconds=1))
    if until <= after:
        return []
    if timing.cron is None:
        return list(_steps(timing, after, until))
    return _struck(timing.cron, zone_named(timing.timezone), after.astimezone(UTC), until.astimezone(UTC))


def upcoming(timing: Timing, after: datetime, many: int) -> list[datetime]:
    """Give the next ticks after a moment; fewer when there are not so many within the next years."""
    after = max(after, timing.starts_at - timedelta(microseconds=1)).astimezone(UTC)
    if timing.cron is None:
        return between(timing, after, after + many * timedelta(seconds=timing.interval_seconds or 0))
    found: list[datetime] = []
    zone, furthest = zone_named(timing.timezone), after + FURTHEST
    while len(found) < many and (first := _first(timing.cron, zone, after, furthest)) is not None:
        until = max(first, after) + FIRST_LOOK
        found += _struck(timing.cron, zone, after, until)
        after = until
    return found[:many]


def latest(timing: Timing, after: datetime, until: datetime, many: int) -> list[datetime]:
    """Give the last ticks after one moment and up to another, in order; a long absence costs no more than a short."""
    found: list[datetime] = []
    after, look = max(after, timing.starts_at - timedelta(microseconds=1)), FIRST_LOOK
    while len(found) < many and until > after:
        since = max(until - look, after)
        found = between(timing, since, until) + found
        until, look = since, look * LOOKS_GROW_BY
    return found[-many:]


def zone_named(name: str) -> ZoneInfo:
    """Give a time zone, or say that there is none of this name."""
    if name not in known_zones():
        raise BadInput(f"There is no time zone {name[:60]!r}: name one such as Europe/Berlin, America/New_York or UTC.")
    return ZoneInfo(name)


@cache
def known_zones() -> frozenset[str]:
    """Give the names of all time zones."""
    return frozenset(available_timezones())


def _steps(timing: Timing, after: datetime, until: datetime) -> Iterator[datetime]:
    start, step = timing.starts_at.astimezone(UTC), timedelta(seconds=timing.interval_seconds or 0)
    nth = (after - start) // step + 1
    while (at := start + nth * step) <= until:
        yield at
        nth += 1


def _first(line: str, zone: ZoneInfo, after: datetime, until: datetime) -> datetime | None:
    """Give about when the line is due first, so that nobody has to look at all the time before."""
    walls = cron_line.walls_between(line, _wall(zone, after) - _reach(zone, after), _wall(zone, until))
    return next((at for wall in walls for at in _once(zone, wall)), None)


def _struck(line: str, zone: ZoneInfo, after: datetime, until: datetime) -> list[datetime]:
    """Look a little further on both sides when clocks change near an end: moments there are not in the wall's order."""
    early, late = _reach(zone, after), _reach(zone, until)
    walls = cron_line.walls_between(line, _wall(zone, after) - early, _wall(zone, until) + late)
    strike = _every_time if cron_line.runs_every_hour(line) else _once
    return sorted({at for wall in walls for at in strike(zone, wall) if after < at <= until})


def _reach(zone: ZoneInfo, at: datetime) -> timedelta:
    is_calm = (at - CHANGE).astimezone(zone).utcoffset() == (at + CHANGE).astimezone(zone).utcoffset()
    return timedelta(0) if is_calm else CHANGE


def _wall(zone: ZoneInfo, at: datetime) -> datetime:
    return at.astimezone(zone).replace(tzinfo=None)


def _once(zone: ZoneInfo, wall: datetime) -> Iterator[datetime]:
    """A time that is left out stands for the first minute after the gap."""
    while not (moments := _moments(zone, wall)):
        wall += ONE_MINUTE
    yield moments[0]


def _every_time(zone: ZoneInfo, wall: datetime) -> Iterator[datetime]:
    yield from _moments(zone, wall)


def _moments(zone: ZoneInfo, wall: datetime) -> list[datetime]:
    """Give the moments at which the wall shows this time: one, two, or none."""
    both = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(at for at in both if _wall(zone, at) == wall)

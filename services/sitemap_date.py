"""Sitemap date: the W3C forms, the mail form of feeds, and what people write instead, as one moment in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache

LONGEST = 64
# Nothing on the web is older: such a date is an empty field of a database that was printed anyway.
OLDEST_YEAR = 1990
LATEST_YEAR = 9998
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_YEAR_FIRST = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?!\d)")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
_DAY_NAMED = re.compile(r"(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]{0,6}\.?,?[ -](\d{4})(?!\d)")
_MONTH_NAMED = re.compile(r"(?:[a-z]{3,9},? )?([a-z]{3})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)")
_TIME = re.compile(
    r"[t ]\s?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(am|pm)?\s?(z|utc|gmt|[+-]\d{2}:?(?:\d{2})?)?$"
)
_SECONDS = re.compile(r"(\d{10})(?:\d{3})?")


@lru_cache(maxsize=1024)
def moment(text: str) -> datetime | None:
    """Read a date, with or without a time, as an aware moment in UTC; None when it cannot be told.

    A time without a zone is taken for UTC. Where day and month could be either, nothing is guessed.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or not text.isascii():
        return None
    when = _iso(text) or _mail(text) or _as_written(text.lower())
    return _in_utc(when) if when is not None else None


def _iso(text: str) -> datetime | None:
    # Eight digits and week numbers are ISO too, but nobody means them here; they would also hide a number of seconds.
    if text[4:5] != "-" or text[7:8] != "-":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    if ":" not in text or not text[:1].isalpha():
        return None
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _as_written(text: str) -> datetime | None:
    seconds = _SECONDS.fullmatch(text)
    if seconds:
        return datetime.fromtimestamp(int(seconds[1]), UTC)
    for pattern, read in _SHAPES:
        found = pattern.match(text)
        if found:
            return _day(*read(found), rest=text[found.end() :])
    return None


def _year_first(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[1]), int(found[2] or 1), int(found[3] or 1)


def _year_last(found: re.Match[str]) -> tuple[int, int, int]:
    """Dots put the day first everywhere; elsewhere only a number above twelve tells."""
    one, two, year = int(found[1]), int(found[3]), int(found[4])
    if found[2] == "." or one > 12 or one == two:
        return year, two, one
    return (year, one, two) if two > 12 else (0, 0, 0)


def _day_named(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[2]), int(found[1])


def _month_named(found: re.Match[str]) -> tuple[int, int, int]:
    return int(found[3]), _month(found[1]), int(found[2])


def _month(name: str) -> int:
    return MONTHS.index(name) + 1 if name in MONTHS else 0


_SHAPES = (
    (_YEAR_FIRST, _year_first),
    (_YEAR_LAST, _year_last),
    (_DAY_NAMED, _day_named),
    (_MONTH_NAMED, _month_named),
)


def _day(year: int, month: int, day: int, *, rest: str) -> datetime | None:
    """Give the moment; a time that makes no sense leaves the day, which does."""
    try:
        midnight = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    found = _TIME.match(rest)
    if found is None or int(found[1]) > 24 or int(found[2]) > 59 or int(found[3] or 0) > 60:
        return midnight
    hours = int(found[1]) % 12 + 12 * (found[4] == "pm") if found[4] else int(found[1])
    return midnight + timedelta(hours=hours, minutes=int(found[2]), seconds=int(found[3] or 0)) - _offset(found[5])


def _offset(zone: str | None) -> timedelta:
    if not zone or zone[0] not in "+-":
        return timedelta()
    digits = zone[1:].replace(":", "")
    ahead = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return -ahead if zone[0] == "-" else ahead


def _in_utc(when: datetime) -> datetime | None:
    if not OLDEST_YEAR <= when.year <= LATEST_YEAR:
        return None
    return datetime.combine(when, when.time(), UTC) if when.tzinfo is None else when.astimezone(UTC)

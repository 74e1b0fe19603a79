"""Opening hours in the forms that the providers give them."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.business import Business

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONDAY_FIRST = (1, 2, 3, 4, 5, 6, 0)
MINUTES_PER_DAY = 24 * 60
MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY
# The first of January 1970 was a Thursday, Google's day 4.
EPOCH_MINUTE_OF_WEEK = 4 * MINUTES_PER_DAY

# The provider sets a narrow space before AM and thin spaces around the dash; clients that split on plain ones break.
NARROW, THIN = "\u202f", "\u2009"


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def spans(business: Business) -> Iterator[tuple[int, int, int]]:
    """Give day, first and last minute of every span; one past midnight ends after the day's 1,440 minutes."""
    for day in range(7):
        for opens, closes in business.hours.get(day, ()):
            start, end = _minutes(opens), _minutes(closes)
            yield day, start, end if end > start else end + MINUTES_PER_DAY


def never_closes(business: Business) -> bool:
    """Tell whether it is open around the clock."""
    return sum(end - start for _, start, end in spans(business)) >= MINUTES_PER_WEEK


def is_open(business: Business, at: float) -> bool:
    """Tell whether it is open at a moment, given in seconds since 1970."""
    local = int(at // 60) + business.town.utc_offset_minutes + EPOCH_MINUTE_OF_WEEK
    minute = local % MINUTES_PER_WEEK
    return business.status == "operational" and any(
        (minute - (day * MINUTES_PER_DAY + start)) % MINUTES_PER_WEEK < end - start
        for day, start, end in spans(business)
    )


def periods(business: Business) -> list[dict[str, object]]:
    """Give Google's periods; around the clock is one that opens on Sunday and never closes."""
    if never_closes(business):
        return [{"open": _point(0, 0)}]
    return [{"open": _point(day, start), "close": _point(day, end)} for day, start, end in spans(business)]


def _point(day: int, minute: int) -> dict[str, int]:
    later, rest = divmod(minute, MINUTES_PER_DAY)
    return {"day": (day + later) % 7, "hour": rest // 60, "minute": rest % 60}


def weekday_descriptions(business: Business) -> list[str]:
    """Give one line a day, Monday first."""
    return [f"{DAYS[day]}: {_describe(business, day)}" for day in MONDAY_FIRST]


def _describe(business: Business, day: int) -> str:
    if never_closes(business):
        return "Open 24 hours"
    today = [(start, end) for known, start, end in spans(business) if known == day]
    return ", ".join(f"{_twelve(start)}{THIN}–{THIN}{_twelve(end)}" for start, end in today) or "Closed"  # noqa: RUF001


def _twelve(minute: int) -> str:
    hour, rest = divmod(minute % MINUTES_PER_DAY, 60)
    return f"{hour % 12 or 12}:{rest:02}{NARROW}{'AM' if hour < 12 else 'PM'}"


def opening_hours(business: Business) -> str:
    """Give OpenStreetMap's short notation: `Mo-Fr 09:00-17:00; Sa 10:00-14:00`."""
    if never_closes(business):
        return "24/7"
    runs: list[list[int]] = []
    for day in MONDAY_FIRST:
        if runs and business.hours.get(day) == business.hours.get(runs[-1][-1]):
            runs[-1].append(day)
        else:
            runs.append([day])
    return "; ".join(_rule(business, run) for run in runs if business.hours.get(run[0]))


def _rule(business: Business, run: list[int]) -> str:
    days = DAYS[run[0]][:2] if len(run) == 1 else f"{DAYS[run[0]][:2]}-{DAYS[run[-1]][:2]}"
    return f"{days} {','.join(f'{opens}-{closes}' for opens, closes in business.hours[run[0]])}"

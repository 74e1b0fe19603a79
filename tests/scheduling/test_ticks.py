"""Ticks: in order, none twice, none lost, also on the days on which clocks change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from errors import BadInput
from scheduling import ticks
from scheduling.ticks import Timing

MINUTE = timedelta(minutes=1)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"

# Noon before, in UTC, and by how much clocks change in the 24 hours from there.
DAYS = [
    (BERLIN, datetime(2026, 3, 28, 12, tzinfo=UTC), 60),
    (BERLIN, datetime(2026, 10, 24, 12, tzinfo=UTC), -60),
    (NEW_YORK, datetime(2026, 3, 7, 12, tzinfo=UTC), 60),
    (NEW_YORK, datetime(2026, 10, 31, 12, tzinfo=UTC), -60),
    (LORD_HOWE, datetime(2026, 10, 3, 12, tzinfo=UTC), 30),
    (LORD_HOWE, datetime(2026, 4, 4, 12, tzinfo=UTC), -30),
]
# A line, and the minutes and hours it names; no hours when it leaves them open.
LINES: dict[str, tuple[set[int], set[int] | None]] = {
    "* * * * *": (set(range(60)), None),
    "*/15 * * * *": ({0, 15, 30, 45}, None),
    "0 * * * *": ({0}, None),
    "15 * * * *": ({15}, None),
    "0 9 * * *": ({0}, {9}),
    "0 2 * * *": ({0}, {2}),
    "30 2 * * *": ({30}, {2}),
    "15 2 * * *": ({15}, {2}),
    "30 1 * * *": ({30}, {1}),
    "45 1 * * *": ({45}, {1}),
    "*/15 2 * * *": ({0, 15, 30, 45}, {2}),
    "0 */2 * * *": ({0}, set(range(0, 24, 2))),
    "*/20 1-3 * * *": ({0, 20, 40}, {1, 2, 3}),
}


def timing(line: str, zone: str = "UTC", starts_at: datetime = LONG_AGO) -> Timing:
    return Timing(line, None, starts_at, zone)


def every(seconds: int, starts_at: datetime = LONG_AGO, zone: str = "UTC") -> Timing:
    return Timing(None, seconds, starts_at, zone)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("zone", "start", "change"), DAYS)
def test_on_a_day_of_change_a_watcher_of_the_wall_sees_the_same(
    zone: str, start: datetime, change: int, line: str
) -> None:
    end = start + timedelta(days=1)
    assert wall(zone, end) - wall(zone, start) == timedelta(days=1, minutes=change)
    assert ticks.between(timing(line, zone), start, end) == list(watched(line, zone, start, end))


def watched(line: str, zone: str, start: datetime, end: datetime) -> Iterator[datetime]:
    """Look at the wall every minute: what is named there is due, what was left out is due now, nothing is due twice."""
    minutes, hours = LINES[line]
    seen: set[datetime] = set()
    for nth in range(1, int((end - start) / MINUTE) + 1):
        now = start + nth * MINUTE
        shown, shown_before = wall(zone, now), wall(zone, now - MINUTE)
        if hours is None:
            if shown.minute in minutes:
                yield now
            continue
        skipped = int((shown - shown_before) / MINUTE)
        shown_since = {shown_before + step * MINUTE for step in range(1, skipped + 1)}
        if any(at.minute in minutes and at.hour in hours and at not in seen for at in shown_since):
            yield now
        seen |= shown_since


def wall(zone: str, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("zone", "line", "day", "expected"),
    [
        (BERLIN, "30 2 * * *", (2026, 3, 29), ["2026-03-29T01:00+00:00"]),
        (BERLIN, "0,30 2 * * *", (2026, 3, 29), ["2026-03-29T01:00+00:00"]),
        (BERLIN, "30 2 * * *", (2026, 10, 25), ["2026-10-25T00:30+00:00"]),
        (NEW_YORK, "30 2 * * *", (2026, 3, 8), ["2026-03-08T07:00+00:00"]),
        (NEW_YORK, "30 1 * * *", (2026, 11, 1), ["2026-11-01T05:30+00:00"]),
        (LORD_HOWE, "15 2 * * *", (2026, 10, 4), ["2026-10-03T15:30+00:00"]),
        (LORD_HOWE, "45 1 * * *", (2026, 4, 5), ["2026-04-04T14:45+00:00"]),
    ],
)
def test_a_time_that_is_left_out_is_due_when_clocks_change_and_one_that_comes_twice_the_first_time(
    zone: str, line: str, day: tuple[int, int, int], expected: list[str]
) -> None:
    start = datetime(*day, tzinfo=ZoneInfo(zone))
    end = datetime(*day, 23, 59, tzinfo=ZoneInfo(zone))
    assert [at.isoformat(timespec="minutes") for at in ticks.between(timing(line, zone), start, end)] == expected


@pytest.mark.parametrize(("zone", "start", "_change"), DAYS)
def test_an_interval_knows_no_change(zone: str, start: datetime, _change: int) -> None:
    found = ticks.between(every(3600, start, zone), start, start + timedelta(days=1))
    assert found == [start + timedelta(hours=hour) for hour in range(1, 25)]


lines = st.sampled_from(sorted(LINES)) | st.sampled_from(["0 0 1 * *", "5 4 * * 0", "0 9 1 * 1", "*/7 3 * * 6,0"])
zones = st.sampled_from([BERLIN, NEW_YORK, LORD_HOWE, "UTC", "Asia/Kathmandu", "Pacific/Chatham", "Africa/Casablanca"])
crons = st.builds(timing, lines, zones)
moments = st.floats(0, 366).map(lambda days: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=days))
intervals = st.builds(every, st.integers(60, 100_000), moments)
near_changes = st.builds(
    lambda day, minutes: day[1] + timedelta(minutes=minutes), st.sampled_from(DAYS), st.floats(0, 1440)
)
lengths = st.floats(0, 36).map(lambda hours: timedelta(hours=hours))


@given(crons | intervals, moments | near_changes, lengths, lengths)
@example(timing("30 2 * * *", BERLIN), datetime(2026, 3, 29, 0, 59, tzinfo=UTC), MINUTE, MINUTE)
@example(timing("30 1 * * *", NEW_YORK), datetime(2026, 11, 1, 5, tzinfo=UTC), timedelta(hours=1), timedelta(hours=1))
def test_ticks_are_in_order_unique_and_additive(
    when: Timing, start: datetime, first: timedelta, second: timedelta
) -> None:
    middle, end = start + first, start + first + second
    whole = ticks.between(when, start, end)
    assert whole == sorted(set(whole))
    assert all(start < at <= end and at.utcoffset() == timedelta(0) for at in whole)
    assert whole == ticks.between(when, start, middle) + ticks.between(when, middle, end)


@given(crons | intervals, moments | near_changes, lengths, st.integers(1, 30))
def test_the_next_and_the_last_are_those_between(when: Timing, start: datetime, length: timedelta, many: int) -> None:
    end = start + length
    between = ticks.between(when, start, end)
    assert [at for at in ticks.upcoming(when, start, many) if at <= end] == between[:many]
    assert ticks.latest(when, start, end, many) == between[-many:]


def test_nothing_is_due_before_the_start() -> None:
    starts_at = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    before = starts_at - timedelta(days=30)
    assert ticks.upcoming(timing("0 * * * *", starts_at=starts_at), before, 1) == [starts_at]
    assert ticks.upcoming(every(7200, starts_at), before, 2) == [starts_at, starts_at + timedelta(hours=2)]
    assert ticks.latest(every(7200, starts_at), before, starts_at, 5) == [starts_at]


def test_a_day_that_is_years_away_is_found_and_one_that_never_comes_is_not() -> None:
    now = datetime(2026, 11, 15, tzinfo=UTC)
    assert ticks.upcoming(timing("0 0 29 2 *"), now, 2) == [
        datetime(2028, 2, 29, tzinfo=UTC),
        datetime(2032, 2, 29, tzinfo=UTC),
    ]
    assert ticks.upcoming(timing("0 0 30 2 *"), now, 1) == []


@pytest.mark.parametrize(
    ("weekday", "days"),
    [
        ("1", [16]), ("0", [15]), ("7", [15]), ("1-5", [16, 17, 18, 19, 20]), ("6,0", [15, 21]), ("5-7", [15, 20, 21]),
        ("*/2", [15, 17, 19, 21]), ("1/2", [16, 18, 20]), ("mon-wed", [16, 17, 18]), ("SUN", [15]),
    ],
)  # fmt: skip
def test_weekdays_are_numbered_as_in_cron(weekday: str, days: list[int]) -> None:
    """15 November 2026 is a Sunday."""
    start = datetime(2026, 11, 14, 12, tzinfo=UTC)
    found = ticks.between(timing(f"0 9 * * {weekday}"), start, start + timedelta(days=7))
    assert [at.day for at in found] == days


def test_where_a_day_and_a_weekday_are_named_either_is_enough() -> None:
    start = datetime(2026, 11, 30, tzinfo=UTC)
    found = ticks.between(timing("0 9 1 * 1"), start, start + timedelta(days=10))
    assert [at.strftime("%a %d") for at in found] == ["Mon 30", "Tue 01", "Mon 07"]


@pytest.mark.parametrize(
    "line",
    ["", "daily", "@daily", "99 9 * * *", "* * * *", "* * * * * *", "0 9 * * 6-1", "0 9 * * 8", "*/0 * * * *",
     "a b c d e", "0 9 32 * *", "-1 * * * *", "٣ ٩ * * x", "0 9 * * " + "1," * 200],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(BadInput, match="is no cron line"):
        ticks.upcoming(timing(line), LONG_AGO, 1)


@pytest.mark.parametrize(
    "zone", ["Europe/Atlantis", "Europe", "../../etc/passwd", "/etc/localtime", "", "\x00", "x" * 999]
)
def test_a_zone_that_does_not_exist_is_refused(zone: str) -> None:
    with pytest.raises(BadInput, match="There is no time zone"):
        ticks.upcoming(timing("* * * * *", zone), LONG_AGO, 1)

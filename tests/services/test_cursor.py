"""A cursor brings one back to where one was, and anything else is refused in words."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services import cursor
from services.cursor import BadCursor, Kind

MARK = cursor.mark_of("users")
NO_VALUES: tuple[object, ...] = ("\x00", "\ud800", 7, ["a"], {})


def forged(*told: object) -> str:
    return urlsafe_b64encode(json.dumps(told).encode()).decode()


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ((datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC), 7), (datetime, int)),
        (("anna@example.org",), (str,)),
        (("ünï \U0001f680", None), (object, object)),
    ],
)
def test_what_is_written_is_read(values: tuple[Any, ...], kinds: tuple[Kind, ...]) -> None:
    assert cursor.read(cursor.write(MARK, values), MARK, *kinds) == values


def test_times_are_read_in_utc() -> None:
    there = datetime(2026, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=23)))
    (read,) = cursor.read(cursor.write(MARK, [there]), MARK, datetime)
    assert (read, read.tzinfo) == (there, UTC)


def test_a_cursor_of_another_list_is_refused() -> None:
    for mark, kinds in ((cursor.mark_of("keys"), [int]), (cursor.mark_of("users", None), [int]), (MARK, [int, int])):
        with pytest.raises(BadCursor, match="belongs to a list with another filter or order"):
            cursor.read(cursor.write(MARK, [7]), mark, *kinds)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *((int, value) for value in ("", "7 7", "0", "-1", "9223372036854775808", "x", "²", "٣", "9" * 5000, None, 7)),
        *((datetime, value) for value in ("2026-02-03T04:05:06", "0001-01-01T00:00:00+23:59", "yesterday", None)),
        *((str, value) for value in (None, *NO_VALUES)),
        *((object, value) for value in NO_VALUES),
    ],
)
def test_a_forged_value_is_refused(kind: Kind, value: object) -> None:
    with pytest.raises(BadCursor, match="This cursor cannot be read"):
        cursor.read(forged(MARK, value), MARK, kind)


@pytest.mark.parametrize("said", ["", "x", "!!!", "☃", "W10", "e30", "bnVsbA", "W1tbW1tb", "[" * 3000, "W" * 4000])
def test_what_is_no_cursor_is_refused(said: str) -> None:
    with pytest.raises(BadCursor, match="This cursor cannot be read"):
        cursor.read(said, MARK, int)


@given(st.text(max_size=200) | st.lists(st.none() | st.text() | st.integers()).map(lambda told: forged(MARK, *told)))
def test_no_text_raises_anything_else(text: str) -> None:
    for kinds in ((int,), (str,), (object, object), (datetime, int)):
        with suppress(BadCursor):
            cursor.read(text, MARK, *kinds)

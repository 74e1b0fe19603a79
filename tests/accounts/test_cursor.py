"""A cursor brings one back to where one was, and anything else is refused in words."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import cursor
from errors import BadInput


def test_what_is_written_is_read() -> None:
    at = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
    assert cursor.read(cursor.write(at, 7), cursor.moment, cursor.number) == (at, 7)
    assert cursor.read(cursor.write("anna@example.org"), cursor.text) == ("anna@example.org",)
    assert cursor.read(None, cursor.moment, cursor.number) == (None, None)


@pytest.mark.parametrize("said", ["", "7 7", "0", "-1", "9223372036854775808", "x", "²", "\x00"])
def test_a_number_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(BadInput, match="This cursor cannot be used"):
        cursor.read(urlsafe_b64encode(said.encode()).decode(), cursor.number)


@pytest.mark.parametrize("said", ["2026-02-03T04:05:06", "0001-01-01T00:00:00+23:59", "yesterday"])
def test_a_time_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(BadInput):
        cursor.read(cursor.write(said), cursor.moment)


@given(st.text(max_size=200))
def test_no_text_raises_anything_else(text: str) -> None:
    for kinds in ((cursor.number,), (cursor.text,), (cursor.moment, cursor.number)):
        with suppress(BadInput):
            cursor.read(text, *kinds)

"""Dates as sitemaps and feeds write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.sitemap_date import moment

DAY = datetime(2024, 5, 17, tzinfo=UTC)
NOON = datetime(2024, 5, 17, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-17", DAY),
        (" 2024-05-17\n", DAY),
        ("2024-05-17T12:30Z", NOON),
        ("2024-05-17T14:30+02:00", NOON),
        ("2024-05-17T12:30:00Z", NOON),
        ("2024-05-17T12:30:00.000Z", NOON),
        ("2024-05-17T07:30:00-05:00", NOON),
        ("2024-05-17T12:30:00", NOON),
        ("2024-05-17T14:30:00+0200", NOON),
        ("2024-05-17 12:30:00", NOON),
        ("2024-05-17 12:30:00 UTC", NOON),
        ("2024-05-17 14:30:00 +0200", NOON),
        ("2024/05/17", DAY),
        ("2024-5-17", DAY),
        ("17.05.2024", DAY),
        ("17/05/2024", DAY),
        ("05/17/2024", DAY),
        ("05/05/2024", datetime(2024, 5, 5, tzinfo=UTC)),
        ("17 May 2024", DAY),
        ("May 17, 2024", DAY),
        ("May 17, 2024 12:30 pm", NOON),
        ("Fri, 17 May 2024 14:30:00 +0200", NOON),
        ("Fri, 17 May 2024 12:30:00 GMT", NOON),
        ("2024-05-17T99:99:99Z", DAY),
        ("1715949000", NOON),
    ],
)
def test_forms(text: str, when: datetime) -> None:
    assert moment(text) == when


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "0000-00-00",
        "-0001-11-30T00:00:00+00:00",
        "1970-01-01",
        "2024-13-01",
        "2024-02-30",
        "04/05/2024",
        "2024-05-17" * 20,
        "\u0662\u0660\u0662\u0664-05-17",
        "9999-12-31T23:59:59-12:00",
        "0001-01-01T00:00:00+14:00",
        "99/99/2024",
    ],
)
def test_what_tells_no_date(text: str) -> None:
    assert moment(text) is None


@given(st.text(max_size=80) | st.text("0123456789-/.:TZ +,apmJanFri", max_size=40))
def test_any_text(text: str) -> None:
    when = moment(text)
    assert when is None or when.utcoffset() is not None

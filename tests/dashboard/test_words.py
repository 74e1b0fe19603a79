"""Words: how numbers, moments and addresses are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from dashboard import words
from dashboard.page import local_path, templates
from models.base import CURATION_STATUSES
from models.work import WORK_STATUSES


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (1_234_567, "1,234,567"), (2.5, "2.5"), (-3, "-3"), (Decimal("1000.00"), "1,000"), (None, "–")],  # noqa: RUF001
)
def test_numbers(value: Any, said: str) -> None:
    assert words.number(value) == said


def test_numbers_with_their_noun() -> None:
    assert [words.counted(many, "place") for many in (0, 1, 2000)] == ["0 places", "1 place", "2,000 places"]
    assert words.counted(2, "business", "businesses") == "2 businesses"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "$0.00"), (1234.5, "$1,234.50"), (0.0005, "$0.0005"), (Decimal("2.000000"), "$2.00"), (0.1 + 0.2, None),
        (None, "–"), (1e-7, "$0.0000001"),  # noqa: RUF001
    ],
)  # fmt: skip
def test_money_is_never_rounded_away(value: Any, said: str | None) -> None:
    told = words.money(value)
    assert told == said if said else float(told.removeprefix("$")) == value


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0%"), (1, "100%"), (0.5, "50%"), (0.123, "12.3%"), (1e-9, "<0.1%"), (1 - 1e-9, ">99.9%"), (None, "–")],  # noqa: RUF001
)
def test_a_little_is_not_nothing_and_most_is_not_all(share: float | None, said: str) -> None:
    assert words.percent(share) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 ms"), (0.25, "250 ms"), (1, "1.0 s"), (59, "59 s"), (60, "1 min"), (3600, "1 h"), (90_000, "1 d"),
     (86_400 * 800, "2 y"), (None, "–")],  # noqa: RUF001
)  # fmt: skip
def test_lengths_of_time(seconds: float | None, said: str) -> None:
    assert words.span(seconds) == said


def test_moments_before_and_after_now() -> None:
    now = datetime.now(UTC)
    assert words.ago(now - timedelta(hours=2)) == "2 h ago"
    assert words.ago(now + timedelta(days=3, minutes=1)) == "in 3 d"
    assert words.ago(now + timedelta(milliseconds=200)) == "now"
    assert words.moment(datetime.fromisoformat("2026-01-01T01:00:00+01:00")) == "2026-01-01 00:00:00 UTC"


@pytest.mark.parametrize("status", sorted({*WORK_STATUSES, *CURATION_STATUSES}))
def test_every_status_has_a_look(status: str) -> None:
    assert status in words.KINDS


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x",
     "//x.example", "/path", "", None, "http://", "https:///x", "http://[", "file:///etc/passwd", "java\nscript:x", 5],
)  # fmt: skip
def test_only_addresses_of_the_web_are_links(url: object) -> None:
    assert words.web_link(url) is None


@pytest.mark.parametrize("url", ["http://x.example", "HTTPS://x.example/a?b#c", "https://日本.example/é"])
def test_addresses_of_the_web_stay_as_they_are(url: str) -> None:
    assert words.web_link(url) == url


@pytest.mark.parametrize("values", [[], [0], [0, 0, 0], [5], [1, 2, 3], [0.0001] * 60, [10**12, 0]])
def test_a_curve_stays_in_its_box(values: list[float]) -> None:
    points = [tuple(map(float, point.split(","))) for point in words.spark(values).split()]
    assert len(points) == len(values)
    assert all(0 <= x <= 120 and 0 <= y <= 24 for x, y in points)


def test_shares_of_nothing() -> None:
    assert (words.share_of(1, 0), words.share_of(1, 4), words.share_of(0, 4)) == (0.0, 25.0, 0.0)


def test_a_query_holds_what_there_is() -> None:
    assert words.query({"where": ["a=1&b", "c"], "sort": None, "x": "é"}) == "where=a%3D1%26b&where=c&x=%C3%A9"


def test_a_template_that_names_what_it_was_not_given_is_an_error() -> None:
    with pytest.raises(Exception, match="undefined"):
        templates().from_string("{{ nobody }}").render()


def test_what_is_filled_in_is_escaped() -> None:
    told = templates().from_string("<a title='{{ x }}'>{{ x }}</a>").render(x="'\"<script>&")
    assert told == "<a title='&#39;&#34;&lt;script&gt;&amp;'>&#39;&#34;&lt;script&gt;&amp;</a>"


@pytest.mark.parametrize(
    ("asked", "given"),
    [("/a?b=1&c=%20", "/a?b=1&c=%20"), ("/<x>", "/%3Cx%3E"), ("//x", "/"), ("/\\x", "/"), ("http://x", "/"),
     (None, "/"), ("", "/"), ("/\n", "/"), ("x", "/"), ("/é", "/%C3%A9")],
)  # fmt: skip
def test_one_is_only_sent_to_a_path_of_ours(asked: str | None, given: str) -> None:
    assert local_path(asked) == given

"""Politeness: trouble stretches the gap, good answers relax it, and a host that asks for a rest gets one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.politeness import Answered, is_worth_noting, next_gap, rest_after

LEAST, MOST = timedelta(seconds=1), timedelta(seconds=60)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def after(gap: float, answered: Answered, least: float = 1.0, most: float = 60.0) -> float:
    return next_gap(seconds(gap), answered, least=seconds(least), most=seconds(most)).total_seconds()


@pytest.mark.parametrize("status", [429, 503, None])
def test_trouble_doubles_the_gap(status: int | None) -> None:
    assert after(4, Answered(0.1, status)) == 8


@pytest.mark.parametrize("status", [200, 301, 304, 404, 403, 500])
def test_other_answers_are_no_trouble(status: int) -> None:
    assert not Answered(0.1, status).is_trouble
    assert after(8, Answered(0.0, status)) == 4


def test_a_request_that_no_server_has_seen_is_no_trouble() -> None:
    assert not Answered(0.1, was_reached=False).is_trouble


def test_in_trouble_even_a_host_without_a_gap_gets_a_second() -> None:
    assert after(0, Answered(0.1, 429), least=0) == 1


def test_the_gap_follows_the_latency_half_way() -> None:
    assert after(1, Answered(5.0, 200)) == 3
    assert after(3, Answered(5.0, 200)) == 4
    assert after(9, Answered(5.0, 200)) == 7


def test_the_gap_stays_between_its_limits() -> None:
    assert after(1, Answered(0.01, 200)) == 1
    assert after(50, Answered(0.1, 503)) == 60
    assert after(60, Answered(600.0, 200)) == 60


def test_a_crawl_delay_longer_than_the_most_is_kept() -> None:
    assert after(120, Answered(0.1, 200), least=120) == 120
    assert after(120, Answered(0.1, 429), least=120) == 120


@given(
    st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=3000)),
    st.floats(),
    st.sampled_from([None, 200, 429, 500, 503]),
)
def test_whatever_is_measured_the_gap_stays_within_its_limits(
    gap: timedelta, latency: float, status: int | None
) -> None:
    assert LEAST <= next_gap(gap, Answered(latency, status), least=LEAST, most=MOST) <= MOST


def test_a_steady_host_is_not_worth_a_write() -> None:
    assert not is_worth_noting(seconds(1), seconds(1))
    assert not is_worth_noting(seconds(4.8), seconds(5))
    assert is_worth_noting(seconds(4), seconds(5))
    assert is_worth_noting(seconds(0), seconds(1))


@pytest.mark.parametrize(
    ("answered", "rest"),
    [
        (Answered(0.1, 429, seconds(30)), 30),
        (Answered(0.1, 503, seconds(30)), 30),
        (Answered(0.1, 429, seconds(0)), 1),
        (Answered(0.1, 429, seconds(86400)), 3600),
        (Answered(0.1, 429), 60),
        (Answered(0.1, 503), None),
        (Answered(0.1, None), None),
        (Answered(0.1, 200, seconds(30)), None),
    ],
)
def test_who_gets_a_rest_and_how_long(answered: Answered, rest: float | None) -> None:
    assert rest_after(answered) == (None if rest is None else seconds(rest))

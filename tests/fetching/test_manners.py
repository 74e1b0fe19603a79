"""Manners in memory: one process's threads keep a host's gap, cap, rests and delays."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

import fetching.manners
import reasons
from errors import Snooze
from fetching.manners import InMemoryManners, Manners
from services.politeness import Answered
from services.robots import Robots
from settings import settings
from tests.pipeline.together import together

FINE = Answered(0.0, 200)


@pytest.fixture(autouse=True)
def _short_gap(set_gap: Callable[[float], None]) -> None:
    set_gap(0.2)


@pytest.fixture
def set_gap(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    def choose(seconds: float) -> None:
        monkeypatch.setenv("LANE_GAP_SECONDS", str(seconds))
        settings.cache_clear()

    return choose


@pytest.fixture
def manners() -> InMemoryManners:
    return InMemoryManners()


def visit(manners: Manners, lane: str = "one.example", answered: Answered = FINE) -> float:
    """Ask and answer at once; give when it was asked."""
    manners.ask(lane)
    began = time.monotonic()
    manners.answered(lane, answered)
    return began


def snoozed(manners: Manners, lane: str = "one.example") -> tuple[str, float]:
    """Give the reason and the seconds of a refusal."""
    with pytest.raises(Snooze) as refused:
        manners.ask(lane)
    return refused.value.reason, (refused.value.until - datetime.now(UTC)).total_seconds()


def test_two_visits_are_a_gap_apart(manners: InMemoryManners) -> None:
    first, second = visit(manners), visit(manners)
    assert 0.2 <= second - first < 2


def test_hosts_do_not_wait_for_one_another(manners: InMemoryManners) -> None:
    began = time.monotonic()
    for nth in range(50):
        visit(manners, f"{nth}.example")
    assert time.monotonic() - began < 0.2


def test_threads_visit_one_after_the_other(manners: InMemoryManners) -> None:
    began = sorted(together(lambda _: visit(manners), times=5))
    assert all(later - earlier >= 0.199 for earlier, later in pairwise(began))


def test_a_host_is_asked_by_no_more_than_its_cap_at_a_time(
    monkeypatch: pytest.MonkeyPatch, set_gap: Callable[[float], None]
) -> None:
    monkeypatch.setenv("LANE_CAP", "2")
    set_gap(0)
    manners = InMemoryManners(patience=timedelta(seconds=30))
    inside, most, lock = 0, 0, threading.Lock()

    def slow(_: int) -> None:
        nonlocal inside, most
        manners.ask("one.example")
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.05)
        with lock:
            inside -= 1
        manners.answered("one.example", FINE)

    together(slow, times=6)
    assert most == 2


def test_a_lane_in_use_is_waited_for_and_then_left(manners: InMemoryManners) -> None:
    manners.ask("one.example")
    threading.Timer(0.3, manners.answered, ["one.example", FINE]).start()
    manners.ask("one.example")
    manners.patience = timedelta(seconds=0.1)
    assert snoozed(manners)[0] == reasons.HOST_BUSY


def test_a_request_that_never_answered_frees_its_place_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FETCH_TOTAL_SECONDS", "0.3")
    settings.cache_clear()
    manners = InMemoryManners()
    manners.ask("one.example")
    began = time.monotonic()
    manners.ask("one.example")
    assert 0.2 < time.monotonic() - began < 2


def test_a_host_that_asks_for_a_rest_gets_it(manners: InMemoryManners) -> None:
    visit(manners, answered=Answered(0.0, 429, timedelta(minutes=5)))
    reason, wait = snoozed(manners)
    assert (reason, 295 < wait <= 300) == (reasons.HOST_RESTING, True)
    visit(manners, "two.example")


def test_a_shorter_rest_does_not_end_a_longer_one(manners: InMemoryManners) -> None:
    visit(manners, answered=Answered(0.0, 429, timedelta(minutes=5)))
    manners.answered("one.example", Answered(0.0, 503, timedelta(seconds=1)))
    assert snoozed(manners)[1] > 290


def test_trouble_stretches_the_gap_and_good_answers_relax_it(manners: InMemoryManners) -> None:
    began = [visit(manners, answered=Answered(0.0, None)), *(visit(manners) for _ in range(3))]
    waits = [later - earlier for earlier, later in pairwise(began)]
    assert waits[0] >= 1
    assert waits[2] < 0.9


def test_a_crawl_delay_holds_from_the_next_request_on(manners: InMemoryManners) -> None:
    visit(manners)
    manners.keep_crawl_delay("one.example", timedelta(seconds=10))
    reason, wait = snoozed(manners)
    assert (reason, 9 < wait <= 10) == (reasons.CRAWL_DELAY, True)


def test_the_longest_delay_of_a_lanes_hosts_is_kept(manners: InMemoryManners) -> None:
    manners.keep_crawl_delay("one.example", timedelta(seconds=10))
    manners.keep_crawl_delay("one.example", None)
    assert snoozed(manners)[1] > 9


def test_robots_are_kept_by_host(manners: InMemoryManners) -> None:
    robots = Robots("read", "User-agent: *", 200)
    manners.keep_robots("www.one.example", robots)
    assert manners.robots("www.one.example") == robots
    assert manners.robots("one.example") is None


def test_memory_is_bounded_and_keeps_what_is_used(manners: InMemoryManners, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching.manners, "MOST_LANES", 3)
    monkeypatch.setattr(fetching.manners, "MOST_ROBOTS", 3)
    robots = Robots("absent", status=404)
    manners.keep_robots("used.example", robots)
    for nth in range(10):
        visit(manners, f"{nth}.example")
        manners.keep_robots(f"{nth}.example", robots)
        assert manners.robots("used.example")
    assert (len(manners._lanes), len(manners._robots)) == (3, 3)
    assert manners.robots("9.example")
    assert manners.robots("0.example") is None

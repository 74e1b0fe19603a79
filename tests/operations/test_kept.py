"""Kept counts: taken once for all who ask, in the background, and given with their age."""

from __future__ import annotations

from threading import Event
from types import SimpleNamespace

import psycopg
import pytest
from structlog.testing import capture_logs

from embedded.processes import wait_until
from operations.kept import Kept
from pipeline import database


class Tally:
    """Something to count, which says how often that was done, and takes as long as a test wants."""

    def __init__(self) -> None:
        self.reads = 0
        self.fault: Exception | None = None
        self.may_end = Event()
        self.may_end.set()

    def read(self) -> int:
        self.reads += 1
        self.may_end.wait(30)
        if self.fault is not None:
            raise self.fault
        return self.reads


@pytest.fixture
def tally(db: str) -> Tally:
    return Tally()


def value_of(counted: Kept[int]) -> int | None:
    found = counted.ask()
    return found.value if found else None


def settles(counted: Kept[int], value: int) -> bool:
    return wait_until(lambda: value_of(counted) == value, 20)


def seldom(tally: Tally) -> Kept[int]:
    """A count that is not taken again by itself during a test."""
    return Kept(tally.read, least_seconds=3600)


def test_many_who_ask_share_one_count(tally: Tally) -> None:
    counted = seldom(tally)
    assert settles(counted, 1)
    assert [value_of(counted) for _ in range(10)] == [1] * 10
    assert tally.reads == 1


def test_nobody_waits_for_a_long_count(tally: Tally) -> None:
    tally.may_end.clear()
    counted = seldom(tally)
    assert counted.ask() is None
    assert counted.ask() is None
    assert tally.reads == 1
    tally.may_end.set()
    assert settles(counted, 1)
    tally.may_end.clear()
    counted.stale()
    assert value_of(counted) == 1
    assert wait_until(lambda: tally.reads == 2, 20)
    tally.may_end.set()
    assert settles(counted, 2)


def test_the_age_is_counted_from_the_beginning_of_the_count(tally: Tally) -> None:
    counted = seldom(tally)
    assert settles(counted, 1)
    found = counted.ask()
    assert found is not None
    assert found.age_seconds >= found.seconds


def test_a_count_that_takes_long_is_taken_seldom(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("operations.kept.time", SimpleNamespace(monotonic=lambda: now[0]))

    def slow() -> int:
        now[0] += 2.0
        return tally.read()

    counted = Kept(slow, share=0.1)
    assert settles(counted, 1)
    now[0] += 19.0
    assert value_of(counted) == 1
    assert tally.reads == 1
    now[0] += 2.0
    assert settles(counted, 2)


@pytest.mark.parametrize("change", ["by hand", "another database"])
def test_what_is_no_longer_true_is_counted_anew(change: str, tally: Tally, db: str) -> None:
    counted = seldom(tally)
    assert settles(counted, 1)
    if change == "by hand":
        counted.stale()
    else:
        database.use(db)
    assert settles(counted, 2)


def test_a_database_that_is_away_leaves_the_last_count(tally: Tally) -> None:
    counted = seldom(tally)
    assert settles(counted, 1)
    tally.fault = psycopg.OperationalError("the server is gone")
    counted.stale()
    with capture_logs() as logs:
        assert value_of(counted) == 1
        assert wait_until(lambda: tally.reads == 2 and counted._running is None, 20)
    assert value_of(counted) == 1
    assert [log["event"] for log in logs] == ["database-away"]


def test_a_fault_of_our_own_is_not_hidden(tally: Tally) -> None:
    tally.fault = ValueError("a mistake")
    with pytest.raises(ValueError, match="a mistake"):
        wait_until(lambda: seldom(tally).ask() is not None, 20)

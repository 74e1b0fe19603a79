"""A provider's pace: one bucket for all workers, waited for when near, left to the queue when far."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

import settings
from errors import LateFinish, Snooze
from pipeline import provider_pace, rescue
from pipeline.lease import Lease
from scheduling import invariants
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together


def at(monkeypatch: pytest.MonkeyPatch, per_second: float) -> None:
    monkeypatch.setenv("GOOGLE_CALLS_PER_SECOND", str(per_second))
    settings.settings.cache_clear()


def test_the_first_call_goes_at_once(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 0.01)
    provider_pace.wait_for_turn(stagehand.hold("anna"), "google")
    (row,) = stagehand.rows("SELECT host, inflight, next_at - clock_timestamp() AS wait FROM hosts")
    assert (row["host"], row["inflight"]) == ("provider:google", 0)
    assert timedelta(seconds=99) < row["wait"] < timedelta(seconds=101)


def test_workers_together_keep_the_pace(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 20)
    turns = [stagehand.hold(f"p{nth}") for nth in range(4)]
    asked: list[float] = []

    def ask(nth: int) -> None:
        for _ in range(5):
            provider_pace.wait_for_turn(turns[nth], "google")
            asked.append(time.monotonic())

    together(ask, 4)
    assert len(asked) == 20
    assert max(asked) - min(asked) > 19 / 20 - 0.05


def test_providers_do_not_wait_for_one_another(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 0.01)
    turn = stagehand.hold("anna")
    provider_pace.wait_for_turn(turn, "google")
    provider_pace.wait_for_turn(turn, "openstreetmap")


def test_a_place_that_is_far_away_is_left_to_the_queue(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 0.1)
    turn = stagehand.hold("anna")
    provider_pace.wait_for_turn(turn, "google")
    with pytest.raises(Snooze, match="rate-limited") as snooze:
        provider_pace.wait_for_turn(turn, "google")
    assert timedelta(seconds=8) < snooze.value.until - datetime.now(UTC) <= timedelta(seconds=10)
    (row,) = stagehand.rows("SELECT next_at - clock_timestamp() AS wait FROM hosts")
    assert row["wait"] < timedelta(seconds=10), "a place that nobody waits for was taken"


@pytest.mark.parametrize(("asked", "seconds"), [(timedelta(seconds=90), 90), (None, 30), (timedelta(days=9), 86400)])
def test_a_provider_that_wants_a_pause_gets_it(stagehand: Stagehand, asked: timedelta | None, seconds: int) -> None:
    turn = stagehand.hold("anna")
    provider_pace.wait_for_turn(turn, "google")
    snooze = provider_pace.rest("google", asked)
    assert (snooze.reason, round((snooze.until - datetime.now(UTC)).total_seconds())) == ("rate-limited", seconds)
    with pytest.raises(Snooze, match=f"in {seconds} s"):
        provider_pace.wait_for_turn(turn, "google")


def test_who_lost_the_work_takes_no_place(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    provider_pace.wait_for_turn(turn, "google")
    rescue.hand_back(worker.id)
    before = stagehand.rows("SELECT * FROM hosts")
    with pytest.raises(LateFinish):
        provider_pace.wait_for_turn(turn, "google")
    assert stagehand.rows("SELECT * FROM hosts") == before


def test_a_worker_that_is_told_to_stop_does_not_wait(
    stagehand: Stagehand, worker: Lease, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 0.5)
    turn = stagehand.hold("anna")
    provider_pace.wait_for_turn(turn, "google")
    worker.draining.set()
    with pytest.raises(Snooze, match="drained"):
        provider_pace.wait_for_turn(turn, "google")


def test_a_bucket_breaks_no_rule_of_lanes(stagehand: Stagehand) -> None:
    provider_pace.wait_for_turn(stagehand.hold("anna"), "google")
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []

"""Trying again: attempts, back-off, what the other side asked for, and work that only sleeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from errors import Filtered, Passing, Snooze
from pipeline import run
from pipeline.backoff import LONGEST, delay_after
from pipeline.finish import finish
from pipeline.stage import Done
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first


def wait_of(stagehand: Stagehand, work_id: int) -> float:
    """How many seconds after its last attempt this work is due."""
    sql = "SELECT extract(epoch FROM due_at - started_at)::float8 AS wait FROM work WHERE id = %s"
    return float(stagehand.rows(sql, work_id)[0]["wait"])


def test_a_passing_failure_spends_an_attempt_and_is_due_later(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", "slow down"))
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["error"], row["attempts"]) == ("Queued", "rate-limited", "slow down", 1)
    assert row["due_at"] > row["started_at"]
    assert stagehand.failures(turn.work_id) == [("passing", "rate-limited")]


def test_what_the_other_side_asks_for_is_obeyed(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", retry_after=timedelta(minutes=7)))
    assert 420 <= wait_of(stagehand, turn.work_id) < 430


def test_what_the_other_side_asks_for_never_shortens_the_back_off(stagehand: Stagehand) -> None:
    turn = replace(stagehand.hold("anna"), stage=replace(first, back_off=timedelta(seconds=60)))
    assert delay_after(turn, Passing("rate-limited", retry_after=timedelta(seconds=1))) >= timedelta(seconds=30)


@pytest.mark.parametrize("asked", [timedelta(hours=25), timedelta(days=36500), timedelta.max], ids=str)
def test_nobody_can_ask_for_more_than_a_day(stagehand: Stagehand, asked: timedelta) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", retry_after=asked))
    assert 0 <= wait_of(stagehand, turn.work_id) - 24 * 3600 < 10


def test_the_back_off_doubles_with_jitter_up_to_an_hour(stagehand: Stagehand) -> None:
    turn = replace(stagehand.hold("anna"), stage=replace(first, back_off=timedelta(seconds=10)))
    for attempt, expected in ((1, 10), (2, 20), (5, 160), (200, 3600)):
        delays = [delay_after(replace(turn, attempt=attempt), Passing("x")).total_seconds() for _ in range(200)]
        assert expected * 0.5 <= min(delays) < expected * 0.7
        assert expected * 1.3 < max(delays) <= expected * 1.5
    assert timedelta(hours=1) == LONGEST


def test_the_last_attempt_ends_as_error_with_its_reason(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["passing"] * 9})
    for attempt in range(1, first.attempts + 1):
        assert stagehand.work(work)["attempts"] == attempt - 1
        run.answer(first, work)
        stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["attempts"]) == ("Error", "rate-limited", first.attempts)
    assert stagehand.failures(work) == [("passing", "rate-limited")] * first.attempts


def test_work_that_failed_and_then_succeeds_has_no_error_left(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["passing", "bug"]})
    for _ in range(3):
        run.answer(first, work)
        stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["error"]) == ("Completed", None, None)
    assert stagehand.failures(work) == [("passing", "rate-limited"), ("passing", "unexpected-error")]


def test_a_snooze_does_not_spend_an_attempt(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Snooze("budget", until=datetime.now(UTC) + timedelta(minutes=5)))
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["attempts"], row["token"]) == ("Queued", "budget", 0, 1)
    assert 290 < wait_of(stagehand, turn.work_id) < 310
    assert stagehand.failures(turn.work_id) == []


def test_a_snooze_needs_a_time_with_a_zone() -> None:
    with pytest.raises(ValueError, match="aware"):
        Snooze("budget", until=datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point


def test_a_short_wait_rings_with_a_delay(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", retry_after=timedelta(seconds=20)))
    (ring,) = stagehand.bells.take()
    assert (ring.stage, ring.work_id) == ("first", turn.work_id)
    assert 20 <= ring.delay_seconds < 21
    assert stagehand.work(turn.work_id)["sent_at"] is not None


def test_a_long_wait_stays_in_postgres(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", retry_after=timedelta(seconds=31)))
    assert stagehand.bells.take() == []
    assert stagehand.work(turn.work_id)["sent_at"] is None


def test_an_unexpected_exception_is_tried_again(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["bug"]})
    run.answer(first, work)
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["attempts"]) == ("Queued", "unexpected-error", 1)
    assert row["error"] == "ZeroDivisionError: a bug in the stage"


def test_a_stage_that_returns_nothing_is_an_error(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["no-result"]})
    run.answer(first, work)
    row = stagehand.work(work)
    assert (row["status"], row["reason"]) == ("Error", "no-result")
    assert "returned NoneType instead of Done" in row["error"]


def test_an_early_ring_is_put_back_until_the_work_is_due(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.bells.take()
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '10 seconds'")
    run.answer(first, work)
    (ring,) = stagehand.bells.take()
    assert ring.work_id == work
    assert 5 < ring.delay_seconds <= 10
    assert stagehand.work(work)["sent_at"] == stagehand.work(work)["due_at"]


def test_a_ring_for_work_due_much_later_is_forgotten(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.bells.take()
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '10 minutes'")
    run.answer(first, work)
    assert (stagehand.bells.take(), stagehand.work(work)["sent_at"]) == ([], None)


def test_a_second_ring_for_work_that_has_moved_on_does_nothing(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.answer(first, turn.work_id)
    finish(turn, Filtered("x"))
    run.answer(first, turn.work_id)
    assert stagehand.bells.take() == []
    assert stagehand.status(turn.work_id) == ("Filtered", "x")


def test_a_stray_early_ring_does_not_ring_what_was_never_rung(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Passing("rate-limited", retry_after=timedelta(seconds=10)))
    stagehand.bells.take()
    stagehand.execute("UPDATE work SET sent_at = NULL, sends = 0")
    run.answer(first, turn.work_id)
    assert (stagehand.bells.take(), stagehand.work(turn.work_id)["sent_at"]) == ([], None)


def test_a_result_without_children_needs_no_ring(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    run.end(turn, Done(reason="no-children"))
    assert stagehand.bells.take() == []

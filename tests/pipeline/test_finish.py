"""Finish: all of a result is stored, or none of it; and only by the worker whose turn it still is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy.orm import Session

from errors import BadSetting, Filtered, Final, LateFinish, Outcome, Passing, Snooze
from models.work import FAILURE_KINDS
from pipeline import lease, rescue, run, selection
from pipeline.database import database
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.selection import Match
from pipeline.stage import Child, Done, Turn
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import Puppet, fifth, first, second, third


def test_save_runs_in_the_finish_transaction(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=second)
    stagehand.answer_all()
    assert stagehand.status(work) == ("Completed", None)
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 1}]


def test_a_save_the_database_refuses_stores_nothing_and_is_tried_again(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=second, second={"fan": 2})
    stagehand.execute("UPDATE puppets SET applause = 2147483647")
    run.answer(second, work)
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["attempts"]) == ("Queued", "save-failed", 1)
    assert "out of range" in row["error"]
    assert stagehand.failures(work) == [("passing", "save-failed")]
    assert stagehand.counts() == {"second Queued": 1}
    assert len(stagehand.rows("SELECT * FROM puppets")) == 1


def test_a_save_that_never_works_ends_as_error(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=second)
    stagehand.execute("UPDATE puppets SET applause = 2147483647")
    for _ in range(second.attempts):
        run.answer(second, work)
        stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    assert stagehand.status(work) == ("Error", "save-failed")


def _forget_a_key(session: Session, turn: Turn, done: Done) -> None:
    raise KeyError("phone")


def _look_for_the_missing(session: Session, turn: Turn, done: Done) -> None:
    session.get_one(Puppet, -1)


def _filter_late(session: Session, turn: Turn, done: Done) -> None:
    raise Filtered("not-wanted")


@pytest.mark.parametrize("save", [_forget_a_key, _look_for_the_missing])
def test_any_fault_in_save_is_tried_again(stagehand: Stagehand, save: Any) -> None:
    (work,) = stagehand.add("anna", stage=second)
    run.answer(replace(second, save=save), work)
    assert stagehand.status(work) == ("Queued", "save-failed")


@pytest.mark.parametrize("outcome", [Filtered("x", value=1), Final("x", value=1), Passing("x", value=1)])
def test_what_an_ending_holds_is_saved_with_it(stagehand: Stagehand, outcome: Outcome) -> None:
    turn = stagehand.hold("anna", stage=second)
    finish(replace(turn, attempt=second.attempts), outcome)
    assert stagehand.work(turn.work_id)["status"] in ("Filtered", "Error")
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 1}]


def test_a_failure_that_may_pass_saves_nothing_yet(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=second)
    finish(turn, Passing("x", value=1))
    assert stagehand.status(turn.work_id) == ("Queued", "x")
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 0}]


def test_save_may_end_the_work_in_other_words(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=second)
    run.answer(replace(second, save=_filter_late), work)
    assert stagehand.status(work) == ("Filtered", "not-wanted")


@pytest.mark.parametrize(
    "child",
    [
        Child(row={"name": "x", "no_such_column": 1}),
        Child(row={"name": "x", "curation_status": "Selected"}),
        Child(row={"name": "x"}, stage="nowhere"),
    ],
)
def test_children_that_cannot_be_stored_fail_the_work_and_not_the_worker(stagehand: Stagehand, child: Child) -> None:
    (work,) = stagehand.add("anna")
    run.answer(replace(first, work=lambda _entity, _turn: Done([child])), work)
    assert stagehand.status(work) == ("Queued", "save-failed")


def test_children_without_a_successor_fail_the_work_and_not_the_worker(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=fifth)
    run.answer(replace(fifth, work=lambda _entity, _turn: Done([Child(row={"name": "x"})])), work)
    assert stagehand.work(work)["status"] != "Processing"


def test_a_child_with_unknown_columns_is_refused_in_words(stagehand: Stagehand) -> None:
    with pytest.raises(BadSetting, match="known columns"):
        finish(stagehand.hold("anna"), Done([Child(row={"name": "x", "no_such_column": 1})]))


def test_children_that_fail_while_they_are_made_fail_the_work(stagehand: Stagehand) -> None:
    def half(_entity: Any, _turn: Turn) -> Done:
        return Done(Child(row={"name": str(1 / (1 - nth))}) for nth in range(3))

    (work,) = stagehand.add("anna")
    run.answer(replace(first, work=half), work)
    assert stagehand.status(work) == ("Queued", "unexpected-error")
    assert stagehand.counts() == {"first Queued": 1}


def test_a_value_that_json_cannot_hold_fails_the_work(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    run.answer(replace(first, work=lambda _entity, _turn: Done([Child(row={"name": b"bytes"})])), work)
    assert stagehand.status(work) == ("Queued", "save-failed")


@pytest.mark.parametrize(
    "outcome",
    [
        Done([Child(row={"name": "late child"})]),
        Done([Child(row={"name": "late child"}), Child(row={"name": "late child"}, stage="fourth")]),
        Filtered("not-wanted"),
        Final("refused"),
        Passing("rate-limited"),
    ],
    ids=str,
)
@pytest.mark.parametrize("stage", [first, second, third], ids=lambda stage: stage.name)
def test_a_late_finish_changes_nothing(stagehand: Stagehand, stage: Any, outcome: Done | Outcome) -> None:
    turn = stagehand.hold("anna", stage=stage, host="one.example")
    rescue.hand_back(lease.current().id)
    before = stagehand.picture()
    with pytest.raises(LateFinish):
        finish(turn, outcome)
    assert stagehand.picture() == before


def test_a_late_finish_is_recorded_and_rings_for_nothing(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 second'")
    rescue.rescue_dead()
    stagehand.bells.take()
    assert not run.end(turn, Done([Child(row={"name": "late child"})]))
    assert stagehand.failures(turn.work_id) == [("crash", "worker-died"), ("late-finish", "late-finish")]
    assert stagehand.bells.take() == []
    assert {kind for kind, _ in stagehand.failures(turn.work_id)} <= set(FAILURE_KINDS)


def test_a_finish_that_was_stored_before_is_not_called_late(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    assert run.end(turn, Done(reason="no-children"))
    assert not run.end(turn, Done(reason="no-children"))
    assert stagehand.failures(turn.work_id) == []


def test_of_two_finishes_at_once_exactly_one_is_stored(stagehand: Stagehand) -> None:
    for nth in range(5):
        turn = stagehand.hold(f"puppet {nth}")
        ends = together(lambda at, turn=turn: run.end(turn, Done([Child(row={"name": f"{at} of {turn.work_id}"})])))  # type: ignore[misc]
        assert sorted(ends) == [False, True]
        assert len(stagehand.rows("SELECT id FROM work WHERE parent_id = %s", turn.work_id)) == 1


def test_a_finish_and_a_rescue_at_once_do_not_both_win(stagehand: Stagehand) -> None:
    for nth in range(5):
        turn = stagehand.hold(f"puppet {nth}", stage=third, host=f"{nth}.example")
        stagehand.execute("UPDATE work SET deadline_at = started_at - interval '1 second' WHERE id = %s", turn.work_id)
        ended, rescued = together(
            lambda at, turn=turn: rescue.rescue_overdue(third).work_ids if at else run.end(turn, Filtered("not-wanted"))  # type: ignore[misc]
        )
        assert bool(ended) != bool(rescued)
        assert stagehand.work(turn.work_id)["status"] == ("Filtered" if ended else "Queued")
    assert {row["inflight"] for row in stagehand.rows("SELECT inflight FROM hosts")} == {0}


def test_a_cancelled_turn_cannot_finish(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    assert selection.cancel(Match(ids=[turn.work_id])) == 1
    assert not run.end(turn, Done([Child(row={"name": "late child"})]))
    assert stagehand.counts() == {"first Cancelled": 1}


def test_a_turn_cannot_finish_in_the_next_run(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    selection.cancel(Match(ids=[turn.work_id]))
    selection.retry(Match(ids=[turn.work_id]))
    again = stagehand.claim(turn.work_id)
    with pytest.raises(LateFinish):
        finish(turn, Filtered("from the first run"))
    finish(again, Filtered("from-the-second-run"))
    assert stagehand.status(turn.work_id) == ("Filtered", "from-the-second-run")


def test_errors_are_cut_and_cleaned_before_they_are_stored(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Final("refused", "nul \x00 and surrogate \ud800 " + "x" * 5000))
    row = stagehand.work(turn.work_id)
    assert row["error"].startswith("nul ")
    assert "and surrogate ? xxx" in row["error"]
    assert len(row["error"]) <= 1024


def test_finished_work_belongs_to_nobody(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Final("refused"))
    row = stagehand.work(turn.work_id)
    assert (row["worker_id"], row["deadline_at"]) == (None, None)
    assert row["finished_at"] >= row["started_at"]


def test_a_snooze_far_away_and_one_in_the_past_are_both_kept(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    now = stagehand.work(turn.work_id)["started_at"]
    finish(turn, Snooze("budget", until=now + timedelta(days=400)))
    assert stagehand.work(turn.work_id)["due_at"] - now > timedelta(days=399)
    again = stagehand.hold("bella")
    finish(again, Snooze("budget", until=now - timedelta(days=1)))
    assert stagehand.work(again.work_id)["due_at"] - now < timedelta(minutes=1)


def test_a_turn_survives_a_lost_connection_before_its_finish(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    with psycopg.connect(database().url.replace("+psycopg", ""), autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert run.end(turn, Done([Child(row={"name": "child"})]))
    assert stagehand.counts() == {"first Completed": 1, "second Queued": 1}

"""What nobody decides about waits for nobody, and what is filtered may still leave something behind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy.orm import Session

from errors import Filtered, LateFinish, Snooze
from pipeline import rescue, run
from pipeline import stage as stages
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.stage import Child, Done, Stage, Turn
from tests.pipeline.stagehand import Stagehand
from tests.puppets import second, third
from tests.puppets.model import Puppet, Visit


@pytest.fixture
def errands(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A stage whose entities have no curation status."""
    made = Stage("errands", Visit, work=lambda visit, turn: Done(), successors=("errands", "second"))
    monkeypatch.setitem(stages._registry, "errands", made)
    return made


def add_visit(stagehand: Stagehand) -> int:
    sql = "INSERT INTO puppet_visits (host, work_id, token) VALUES ('a.example', 1, 1) RETURNING id"
    return int(stagehand.rows(sql)[0]["id"])


def test_children_that_nobody_decides_about_go_on_and_keep_the_mode(stagehand: Stagehand, errands: Stage) -> None:
    turn = stagehand.hold("anna", auto=False)
    done = Done([Child(entity_id=add_visit(stagehand), stage="errands"), Child(row={"name": "x"})])
    finished = finish(turn, done)
    assert stagehand.counts() == {"errands Queued": 1, "first Completed": 1}
    (row,) = stagehand.rows("SELECT * FROM work WHERE stage = 'errands'")
    assert (row["auto"], row["parent_id"]) == (False, turn.work_id)
    assert [ring.work_id for ring in finished.rings] == [row["id"]]
    assert stagehand.rows("SELECT curation_status FROM puppets WHERE name = 'x'") == [{"curation_status": "New"}]


def test_in_auto_mode_they_are_auto(stagehand: Stagehand, errands: Stage) -> None:
    finish(stagehand.hold("anna"), Done([Child(entity_id=add_visit(stagehand), stage="errands")]))
    assert stagehand.rows("SELECT auto FROM work WHERE stage = 'errands'") == [{"auto": True}]


@pytest.mark.parametrize("auto", [True, False])
def test_when_they_have_work_already_the_parent_says_so(stagehand: Stagehand, errands: Stage, auto: bool) -> None:
    visit = add_visit(stagehand)
    for name in ("anna", "bella"):
        turn = stagehand.hold(name, auto=auto)
        finish(turn, Done([Child(entity_id=visit, stage="errands")]))
    assert stagehand.status(turn.work_id) == ("Completed", "no-new-children")


def test_children_that_wait_for_a_person_are_no_reason_to_say_there_are_none(
    stagehand: Stagehand, errands: Stage
) -> None:
    visit = add_visit(stagehand)
    finish(stagehand.hold("anna", auto=False), Done([Child(entity_id=visit, stage="errands")]))
    turn = stagehand.hold("bella", auto=False)
    finish(turn, Done([Child(entity_id=visit, stage="errands"), Child(row={"name": "x"})]))
    assert stagehand.status(turn.work_id) == ("Completed", None)


def test_what_is_filtered_keeps_its_value_in_the_same_transaction(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=second)
    finish(turn, Filtered("not-wanted", "a shared host", value={"profile": 1}))
    assert stagehand.status(turn.work_id) == ("Filtered", "not-wanted")
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 1}]
    assert stagehand.failures(turn.work_id) == []


def test_what_is_filtered_without_a_value_saves_nothing(stagehand: Stagehand) -> None:
    finish(stagehand.hold("anna", stage=second), Filtered("not-wanted"))
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 0}]


def test_a_lane_is_left_by_what_is_filtered_with_a_value(stagehand: Stagehand) -> None:
    turn = replace(stagehand.hold("anna", stage=third, host="a.example"), stage=replace(third, save=_applaud))
    finish(turn, Filtered("not-wanted", value=1))
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 1}]


def test_a_value_that_cannot_be_saved_leaves_the_work_unfiltered(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=second)
    stagehand.execute("UPDATE puppets SET applause = 2147483647")
    run.end(turn, Filtered("not-wanted", value=1))
    assert stagehand.status(turn.work_id) == ("Queued", "save-failed")
    assert stagehand.failures(turn.work_id) == [("passing", "save-failed")]


def test_save_may_end_what_is_filtered_in_other_words(stagehand: Stagehand) -> None:
    def later(session: Session, turn: Turn, done: Done) -> None:
        raise Snooze("budget", until=turn.deadline_at)

    turn = stagehand.hold("anna", stage=second)
    run.end(replace(turn, stage=replace(second, save=later)), Filtered("not-wanted", value=1))
    assert stagehand.status(turn.work_id) == ("Queued", "budget")


def test_a_late_filter_saves_nothing(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna", stage=second)
    rescue.hand_back(worker.id)
    with pytest.raises(LateFinish):
        finish(turn, Filtered("not-wanted", value=1))
    assert stagehand.rows("SELECT applause FROM puppets") == [{"applause": 0}]


def _applaud(session: Session, turn: Turn, done: Done) -> None:
    session.get_one(Puppet, turn.entity_id).applause += 1

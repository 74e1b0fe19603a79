"""One row in, rows out: what a turn of the machine leaves behind."""

from __future__ import annotations

from tests.pipeline.stagehand import Stagehand
from tests.puppets import third


def test_a_puppet_walks_through_every_stage(stagehand: Stagehand) -> None:
    stagehand.add("anna", host="anna.example")
    stagehand.answer_all()
    assert stagehand.counts() == {f"{name} Completed": 1 for name in ("first", "second", "third", "fourth", "fifth")}


def test_children_are_new_rows_with_their_lineage(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"fan": 3})
    stagehand.answer_all()
    assert stagehand.counts()["second Completed"] == 3
    assert {row["parent_id"] for row in stagehand.rows("SELECT * FROM work WHERE stage = 'second'")} == {work}


def test_running_a_stage_twice_makes_nothing_twice(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"fan": 3})
    stagehand.answer_all()
    stagehand.add("anna", first={"fan": 3})
    stagehand.answer_all()
    assert stagehand.counts()["second Completed"] == 3
    assert stagehand.work(work)["status"] == "Completed"


def test_a_filtered_entity_ends_with_its_reason(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["filtered"]})
    stagehand.answer_all()
    row = stagehand.work(work)
    assert (row["status"], row["reason"]) == ("Filtered", "not-wanted")
    assert stagehand.counts() == {"first Filtered": 1}


def test_a_final_failure_ends_as_error_with_its_text(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", first={"acts": ["final"]})
    stagehand.answer_all()
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["error"]) == ("Error", "refused", "never again")


def test_lane_rows_go_one_at_a_time(stagehand: Stagehand) -> None:
    stagehand.add("a", "b", "c", stage=third, host="one.example")
    assert len(stagehand.bells.take()) == 1

"""Children: one row per natural key, the person's decision untouched, and work for each exactly once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import run
from pipeline.children import clean, plain
from pipeline.finish import finish
from pipeline.stage import Child, Done
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import fourth, second, third

Row = dict[str, Any]


def names(stagehand: Stagehand) -> list[str]:
    return [row["name"] for row in stagehand.rows("SELECT name FROM puppets ORDER BY name")]


def test_the_same_child_twice_in_one_result_is_one_row(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Done([Child(row={"name": "x", "host": "old"}), Child(row={"name": "x", "host": "new"})]))
    assert stagehand.rows("SELECT host FROM puppets WHERE name = 'x'") == [{"host": "new"}]
    assert stagehand.counts() == {"first Completed": 1, "second Queued": 1}


def test_the_same_child_of_two_parents_is_one_row_and_one_work(stagehand: Stagehand) -> None:
    one, two = stagehand.hold("anna"), stagehand.hold("bella")
    finish(one, Done([Child(row={"name": "x"})]))
    finish(two, Done([Child(row={"name": "x"})]))
    assert names(stagehand) == ["anna", "bella", "x"]
    assert stagehand.counts() == {"first Completed": 2, "second Queued": 1}
    assert stagehand.status(two.work_id) == ("Completed", "no-new-children")


def test_two_parents_that_find_the_same_children_at_once_make_each_once(stagehand: Stagehand) -> None:
    turns = [stagehand.hold("anna"), stagehand.hold("bella")]
    orders = [range(60), reversed(range(60))]
    results = [Done([Child(row={"name": f"child {nth}"}) for nth in order]) for order in orders]
    together(lambda at: finish(turns[at], results[at]))
    assert stagehand.counts() == {"first Completed": 2, "second Queued": 60}


def test_a_child_found_again_keeps_the_decision_and_what_it_does_not_bring(stagehand: Stagehand) -> None:
    finish(stagehand.hold("anna"), Done([Child(row={"name": "x", "host": "x.example", "applause": 3})]))
    stagehand.execute("UPDATE puppets SET curation_status = 'Not a Fit' WHERE name = 'x'")
    finish(stagehand.hold("bella"), Done([Child(row={"name": "x", "applause": 4})]))
    found = stagehand.rows("SELECT host, applause, curation_status FROM puppets WHERE name = 'x'")
    assert found == [{"host": "x.example", "applause": 4, "curation_status": "Not a Fit"}]


def test_children_may_bring_different_columns(stagehand: Stagehand) -> None:
    rows: list[Row] = [
        {"name": "x"},
        {"name": "y", "host": "y.example"},
        {"name": "z", "applause": 5},
        {"name": "x", "applause": 7},
    ]
    finish(stagehand.hold("anna"), Done([Child(row=row) for row in rows]))
    found = stagehand.rows("SELECT name, host, applause FROM puppets WHERE name <> 'anna' ORDER BY name")
    assert [tuple(row.values()) for row in found] == [("x", None, 7), ("y", "y.example", 0), ("z", None, 5)]
    assert stagehand.counts() == {"first Completed": 1, "second Queued": 3}


def test_one_finish_may_feed_several_stages(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finished = finish(
        turn,
        Done(
            [
                Child(row={"name": "x"}),
                Child(row={"name": "y"}, stage="fourth"),
                Child(row={"name": "z", "host": "z.example"}, stage="third"),
                Child(entity_id=turn.entity_id, stage="fifth"),
            ]
        ),
    )
    assert stagehand.counts() == {
        "fifth Queued": 1,
        "first Completed": 1,
        "fourth Queued": 1,
        "second Queued": 1,
        "third Queued": 1,
    }
    assert sorted(ring.stage for ring in finished.rings) == ["fifth", "fourth", "second"]
    assert finished.lanes == {"z.example"}


def test_children_by_id_and_by_row_go_together(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    other = stagehand.puppet("bella")
    by_id = [Child(entity_id=turn.entity_id), Child(entity_id=other), Child(entity_id=other)]
    finish(turn, Done([*by_id, Child(row={"name": "x"})]))
    assert stagehand.counts() == {"first Completed": 1, "second Queued": 3}


def test_a_child_id_that_does_not_exist_is_no_child(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Done([Child(entity_id=turn.entity_id + 1000)]))
    assert stagehand.counts() == {"first Completed": 1}
    assert stagehand.status(turn.work_id) == ("Completed", "no-new-children")


def test_a_child_is_either_a_row_or_an_id() -> None:
    with pytest.raises(ValueError, match="either"):
        Child()
    with pytest.raises(ValueError, match="either"):
        Child(row={"name": "x"}, entity_id=1)


def test_in_curated_mode_children_wait_for_a_person(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", auto=False)
    finished = finish(turn, Done([Child(row={"name": "x"}), Child(row={"name": "y"}, stage="third")]))
    assert names(stagehand) == ["anna", "x", "y"]
    assert stagehand.counts() == {"first Completed": 1}
    assert (finished.rings, finished.lanes) == ([], set())
    assert {row["curation_status"] for row in stagehand.rows("SELECT * FROM puppets")} == {"New"}


def test_children_inherit_tenant_priority_and_lineage(stagehand: Stagehand) -> None:
    other = UUID(int=7)
    puppet = stagehand.puppet("anna")
    stagehand.execute("UPDATE puppets SET tenant_id = %s", other)
    (work,) = stagehand.queue(second, puppet, priority=2)
    finish(stagehand.claim(work, second), Done([Child(row={"name": "x", "host": "x.example"})]))
    (child,) = stagehand.rows("SELECT * FROM work WHERE stage = 'third'")
    assert (child["tenant_id"], child["priority"], child["parent_id"]) == (other, 2, work)
    assert child["lane"] == "x.example"
    assert stagehand.rows("SELECT tenant_id FROM puppets WHERE name = 'x'") == [{"tenant_id": other}]


def test_a_finished_later_stage_is_never_touched_by_an_earlier_one(stagehand: Stagehand) -> None:
    stagehand.add("anna")
    stagehand.answer_all()
    before = stagehand.rows("SELECT * FROM work WHERE stage <> 'first' ORDER BY id")
    stagehand.add("anna")
    stagehand.answer_all()
    assert stagehand.rows("SELECT * FROM work WHERE stage <> 'first' ORDER BY id") == before


def test_work_that_has_gone_stale_starts_anew_as_a_child_of_who_found_it_again(stagehand: Stagehand) -> None:
    run.end(stagehand.hold("anna"), Done([Child(row={"name": "x"})]))
    stagehand.answer_all()
    stagehand.execute(
        "UPDATE work SET finished_at = finished_at - interval '2 days', attempts = 3 WHERE stage = 'second'"
    )
    before = stagehand.rows("SELECT * FROM work WHERE stage = 'second'")
    for days, turn in ((3, stagehand.hold("bella")), (1, stagehand.hold("carla"))):
        finished = finish(turn, Done([Child(row={"name": "x"}, again_after=timedelta(days=days))]))
        if days == 3:
            assert stagehand.status(turn.work_id) == ("Completed", "no-new-children")
            assert stagehand.rows("SELECT * FROM work WHERE stage = 'second'") == before
    (row,) = stagehand.rows("SELECT * FROM work WHERE stage = 'second'")
    assert (row["status"], row["attempts"], row["parent_id"], row["id"]) == ("Queued", 0, turn.work_id, before[0]["id"])
    assert (row["finished_at"], row["reason"], row["error"]) == (None, None, None)
    assert row["token"] >= before[0]["token"]
    assert [ring.work_id for ring in finished.rings] == [row["id"]]


@pytest.mark.parametrize("status", ["Queued", "Processing", "Cancelled"])
def test_work_that_is_under_way_or_was_cancelled_does_not_start_anew(stagehand: Stagehand, status: str) -> None:
    finish(stagehand.hold("anna"), Done([Child(row={"name": "x"})]))
    stagehand.execute(
        "UPDATE work SET status = %s, finished_at = now() - interval '9 days' WHERE stage = 'second'", status
    )
    before = stagehand.rows("SELECT * FROM work WHERE stage = 'second'")
    finish(stagehand.hold("bella"), Done([Child(row={"name": "x"}, again_after=timedelta(0))]))
    assert stagehand.rows("SELECT * FROM work WHERE stage = 'second'") == before


def test_the_lineage_leads_from_the_last_stage_back_to_the_first(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", host="anna.example")
    stagehand.answer_all()
    line = stagehand.rows(
        "WITH RECURSIVE line AS (SELECT id, stage, parent_id FROM work WHERE stage = 'fifth'"
        " UNION ALL SELECT work.id, work.stage, work.parent_id FROM work JOIN line ON work.id = line.parent_id)"
        " SELECT * FROM line"
    )
    assert [row["stage"] for row in line] == ["fifth", "fourth", "third", "second", "first"]
    assert line[-1]["id"] == work


def test_text_of_strangers_is_cleaned(stagehand: Stagehand) -> None:
    script = {"nul\x00key": ["a\x00b", {"deep": "\ud800"}]}
    row = {"name": "nul\x00 name", "host": "lone \udfff surrogate", "script": script}
    finish(stagehand.hold("anna"), Done([Child(row=row)]))
    (found,) = stagehand.rows("SELECT name, host, script FROM puppets WHERE name <> 'anna'")
    assert found == {"name": "nul name", "host": "lone ? surrogate", "script": {"nulkey": ["ab", {"deep": "?"}]}}


def test_names_that_are_equal_once_cleaned_are_one_child(stagehand: Stagehand) -> None:
    finish(stagehand.hold("anna"), Done([Child(row={"name": "x\x00"}), Child(row={"name": "x"})]))
    assert names(stagehand) == ["anna", "x"]


@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_stored_once_cleaned(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").count(0) == 0
    assert clean(cleaned) == cleaned


def test_values_become_plain_json() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    given_values = {
        "at": at,
        "id": UUID(int=1),
        "cost": Decimal("1.50"),
        "gap": timedelta(seconds=90),
        "kinds": ("a", 1),
    }
    assert plain(given_values) == {
        "at": "2026-01-02T03:04:05+00:00",
        "id": "00000000-0000-0000-0000-000000000001",
        "cost": "1.50",
        "gap": "90.0 seconds",
        "kinds": ["a", 1],
    }


def test_a_lane_is_opened_once_with_the_settings_of_the_day(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=second)
    stagehand.execute("INSERT INTO hosts (host, cap, gap) VALUES ('slow.example', 1, '9 seconds')")
    rows: list[Row] = [
        {"name": "x", "host": "slow.example"},
        {"name": "y", "host": "new.example"},
        {"name": "z", "host": None},
    ]
    finished = finish(turn, Done([Child(row=row) for row in rows]))
    hosts = {row["host"]: row["gap"] for row in stagehand.rows("SELECT host, gap FROM hosts")}
    assert hosts == {"slow.example": timedelta(seconds=9), "new.example": timedelta(seconds=1)}
    assert finished.lanes == {"slow.example", "new.example"}
    assert [ring.stage for ring in finished.rings] == ["third"]


def test_a_stage_with_a_successor_must_say_why_it_hands_nothing_on(stagehand: Stagehand) -> None:
    (silent,) = stagehand.add("anna", first={"acts": ["nothing"]})
    (worded,) = stagehand.add("bella", first={"acts": ["childless"]})
    (last,) = stagehand.add("carla", stage=fourth, fourth={"acts": ["childless"]})
    stagehand.answer_all()
    assert stagehand.status(silent) == ("Error", "no-result")
    assert stagehand.status(worded) == ("Completed", "no-children")
    assert stagehand.status(last) == ("Completed", "no-children")


def test_a_lane_child_is_not_rung_before_its_lane_is_released(stagehand: Stagehand) -> None:
    finish(stagehand.hold("anna", stage=second), Done([Child(row={"name": "x", "host": "x.example"})]))
    assert stagehand.rows("SELECT sent_at FROM work WHERE stage = %s", third.name) == [{"sent_at": None}]

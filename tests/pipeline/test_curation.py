"""Curation: only Selected queues anything, in the same transaction; and work from outside is queued once."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from errors import BadInput, Final, Passing
from models.base import CURATION_STATUSES
from models.domain import Domain
from pipeline import rescue, run
from pipeline.curation import curate
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.stage import Done, Stage
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second, third


def test_selecting_queues_and_rings(stagehand: Stagehand) -> None:
    puppet = stagehand.puppet("anna")
    curated = curate(second, [puppet], "Selected")
    assert (curated.updated_count, curated.queued_count) == (1, 1)
    (row,) = stagehand.rows("SELECT * FROM work")
    assert (row["stage"], row["status"], row["auto"]) == ("second", "Queued", False)
    assert [ring.work_id for ring in stagehand.bells.take()] == [row["id"]]


@pytest.mark.parametrize("status", ["New", "Maybe", "Not a Fit", "Archived"])
def test_no_other_decision_queues_anything(stagehand: Stagehand, status: str) -> None:
    curated = curate(second, [stagehand.puppet("anna")], status)
    assert (curated.updated_count, curated.queued_count, stagehand.counts()) == (1, 0, {})
    assert stagehand.rows("SELECT curation_status FROM puppets") == [{"curation_status": status}]


def test_a_decision_nobody_knows_is_refused(stagehand: Stagehand) -> None:
    with pytest.raises(BadInput, match="Use one of: New, Selected"):
        curate(second, [stagehand.puppet("anna")], "selected")


def test_selecting_again_starts_ended_work_anew_and_clears_its_error(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    finish(turn, Final("refused", "never again"))
    assert curate(first, [turn.entity_id], "Selected").queued_count == 1
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["error"], row["attempts"]) == ("Queued", None, None, 0)


def test_selecting_again_leaves_running_work_alone(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    before = stagehand.work(turn.work_id)
    assert curate(first, [turn.entity_id], "Selected").queued_count == 0
    assert stagehand.work(turn.work_id) == before


@pytest.mark.parametrize("stage", [first, third], ids=lambda stage: stage.name)
@pytest.mark.parametrize("seconds", [20, 3600])
def test_selecting_what_waits_out_a_failure_lets_it_go_now(stagehand: Stagehand, stage: Stage, seconds: int) -> None:
    turn = stagehand.hold("anna", stage=stage, host="one.example")
    run.end(turn, Passing("rate-limited", "slow down", retry_after=timedelta(seconds=seconds)))
    stagehand.bells.take()
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp()")
    assert curate(stage, [turn.entity_id], "Selected").queued_count == 1
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["reason"], row["error"], row["attempts"]) == ("Queued", None, None, 1)
    assert [(ring.work_id, ring.delay_seconds) for ring in stagehand.bells.rings] == [(turn.work_id, 0.0)]
    stagehand.answer_all()
    assert stagehand.work(turn.work_id)["status"] == "Completed"


def test_selecting_what_is_rung_already_rings_no_second_time(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    rescue.hand_back(worker.id).ring()
    before = stagehand.work(turn.work_id)
    assert before["reason"] == "drained"
    assert curate(first, [turn.entity_id], "Selected").queued_count == 0
    assert (stagehand.work(turn.work_id), len(stagehand.bells.take())) == ({**before, "reason": None}, 1)


@pytest.mark.parametrize("status", CURATION_STATUSES)
def test_a_decision_is_dated(stagehand: Stagehand, status: str) -> None:
    (row,) = stagehand.rows(
        "INSERT INTO domains (tenant_id, name, updated_at) SELECT id, 'anna.example', '2020-01-01' FROM tenants"
        " ORDER BY created_at LIMIT 1"
        " RETURNING id"
    )
    stage = Stage("of_domains", Domain, work=lambda domain, turn: Done())
    curate(stage, [row["id"]], status)
    try:
        sql = "SELECT curation_status, updated_at > now() - interval '1 hour' AS now FROM domains WHERE id = %s"
        (found,) = stagehand.rows(sql, row["id"])
        assert found == {"curation_status": status, "now": True}
    finally:
        stagehand.execute("DELETE FROM domains")


def test_selecting_an_entity_that_does_not_exist_does_nothing(stagehand: Stagehand) -> None:
    curated = curate(first, [10**9], "Selected")
    assert (curated.updated_count, curated.queued_count) == (0, 0)


def test_two_people_who_select_at_once_queue_once(stagehand: Stagehand) -> None:
    puppets = [stagehand.puppet(f"p{nth}", host=f"{nth}.example") for nth in range(20)]
    curated = together(lambda at: curate(third, puppets if at else puppets[::-1], "Selected").queued_count)
    assert sum(curated) == 20


def test_selected_in_auto_mode_runs_to_the_end(stagehand: Stagehand) -> None:
    curate(first, [stagehand.puppet("anna")], "Selected", auto=True)
    stagehand.answer_all()
    assert stagehand.counts()["fifth Completed"] == 1


def test_selected_in_curated_mode_runs_one_stage(stagehand: Stagehand) -> None:
    curate(first, [stagehand.puppet("anna")], "Selected")
    stagehand.answer_all()
    assert stagehand.counts() == {"first Completed": 1}


def test_work_that_waits_or_runs_is_not_queued_again(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    (waiting,) = stagehand.add("bella")
    assert stagehand.queue(first, turn.entity_id, stagehand.work(waiting)["entity_id"], priority=0) == []


def test_a_priority_that_does_not_exist_is_refused(stagehand: Stagehand) -> None:
    with pytest.raises(psycopg.Error):
        stagehand.queue(first, stagehand.puppet("anna"), priority=10)
    assert stagehand.counts() == {}

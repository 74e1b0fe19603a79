"""Sweep: whatever was lost is found again, once, at any time, by anyone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from errors import Filtered
from pipeline import controls, run
from pipeline.lease import Lease
from pipeline.stage import Stage
from pipeline.sweep import Swept, sweep
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import fifth, first, fourth, second, third

STAGES = (first, second, third, fourth, fifth)


def age_rings(stagehand: Stagehand, seconds: int) -> None:
    stagehand.execute("UPDATE work SET sent_at = sent_at - %s * interval '1 second'", seconds)


def test_a_healthy_stage_needs_no_repair(stagehand: Stagehand) -> None:
    stagehand.add("anna")
    stagehand.hold("bella")
    assert sweep(first) == Swept()


def test_a_lost_ring_is_rung_again_after_half_a_minute(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    stagehand.bells.take()
    age_rings(stagehand, 29)
    assert sweep(first).rung_again == 0
    age_rings(stagehand, 2)
    assert sweep(first).rung_again == 1
    assert [ring.work_id for ring in stagehand.bells.take()] == [work]
    assert stagehand.work(work)["sends"] == 2


def test_each_unanswered_ring_doubles_the_wait_up_to_a_limit(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    for wait in (30, 60, 120, 240, 480, 960, 960):
        age_rings(stagehand, wait - 2)
        assert sweep(first).rung_again == 0
        age_rings(stagehand, 3)
        assert sweep(first).rung_again == 1
    assert stagehand.work(work)["sends"] == 8


def test_a_delayed_ring_is_not_rung_again_before_its_time(stagehand: Stagehand) -> None:
    stagehand.add("anna")
    stagehand.execute("UPDATE work SET sent_at = clock_timestamp() + interval '20 seconds'")
    assert sweep(first) == Swept()


def test_the_rings_of_a_paused_stage_are_left_alone(stagehand: Stagehand) -> None:
    stagehand.add("anna")
    age_rings(stagehand, 3600)
    controls.pause(first)
    assert sweep(first) == Swept()


def test_the_work_of_the_dead_is_rescued_by_any_stages_sweep(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    worker.end()
    stagehand.bells.take()
    assert sweep(fifth).rescued == 1
    assert [ring.work_id for ring in stagehand.bells.take()] == [turn.work_id]


def test_overdue_work_is_rescued_by_its_own_stages_sweep(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    stagehand.execute("UPDATE work SET deadline_at = clock_timestamp() - interval '1 second'")
    assert sweep(second).overdue == 0
    assert sweep(first).overdue == 1
    assert stagehand.status(turn.work_id) == ("Queued", "deadline")


def test_what_falls_due_is_rung(stagehand: Stagehand) -> None:
    (work,) = stagehand.queue(first, stagehand.puppet("anna"))
    assert sweep(first).refilled == 1
    assert [ring.work_id for ring in stagehand.bells.take()] == [work]


def test_a_sweep_goes_on_in_batches_until_nothing_is_left(
    stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRST_SCHEDULER_BATCH_SIZE", "3")
    stagehand.add(*(f"p{nth}" for nth in range(10)))
    age_rings(stagehand, 60)
    assert sweep(replace(first)).rung_again == 10  # a copy, because a stage reads its settings once


@pytest.mark.parametrize("stage", [first, third], ids=lambda stage: stage.name)
def test_sweeps_at_once_ring_each_row_once(stagehand: Stagehand, stage: Stage) -> None:
    works = [stagehand.add(f"p{nth}", stage=stage, host=f"{nth}.example")[0] for nth in range(10)]
    stagehand.bells.take()
    age_rings(stagehand, 60)
    swept = together(lambda _: sweep(stage).rung_again, times=3)
    assert sum(swept) == 10
    assert sorted(ring.work_id for ring in stagehand.bells.take()) == works


def test_after_the_broker_lost_everything_one_sweep_of_each_stage_starts_all_again(stagehand: Stagehand) -> None:
    for stage in STAGES:
        stagehand.add(f"at {stage.name}", stage=stage, host=f"{stage.name}.example")
    stagehand.bells.take()
    age_rings(stagehand, 60)
    for stage in STAGES:
        sweep(stage)
    assert len(stagehand.bells.take()) == len(STAGES)


def test_two_runs_of_the_same_repair_change_nothing_more(stagehand: Stagehand, worker: Lease) -> None:
    stagehand.hold("anna")
    worker.end()
    sweep(first)
    before = stagehand.picture()
    assert sweep(first) == Swept()
    assert stagehand.picture() == before


def test_what_waits_in_lanes_is_let_go_when_its_stage_has_none_any_more(
    stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THIRD_SCHEDULER_BATCH_SIZE", "2")
    puppets = [stagehand.puppet(f"p{nth}", host="one.example") for nth in range(5)]
    works = stagehand.queue(third, *puppets)
    without_lanes = replace(third, lane=None)
    assert sweep(without_lanes).left_lanes == 5
    assert sorted(ring.work_id for ring in stagehand.bells.take()) == works
    assert sweep(without_lanes) == Swept()


def test_a_row_rung_in_a_lane_that_its_stage_has_left_runs_outside_of_it(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna", stage=third, host="one.example")
    turn = stagehand.claim(work, replace(third, lane=None))
    assert (turn.lane, stagehand.work(work)["lane"]) == (None, None)
    assert run.end(turn, Filtered("x"))
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]

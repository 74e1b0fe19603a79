"""A late finish: after a rescue it leaves the row alone; after a crash that forgot the claim it puts the ring back."""

from __future__ import annotations

import pytest

from errors import Filtered
from pipeline import controls, rescue, run, window
from pipeline.claim import claim
from pipeline.lease import Lease
from pipeline.stage import Done, Turn
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, third

GAP = 20.0


@pytest.fixture(autouse=True)
def _long_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANE_GAP_SECONDS", str(GAP))
    settings.cache_clear()


def forget_claim(stagehand: Stagehand, turn: Turn) -> None:
    """Leave what a server knows that crashed before the claim was on its disk."""
    stagehand.execute(
        "UPDATE work SET status = 'Queued', token = token - 1, attempts = attempts - 1, worker_id = NULL,"
        " started_at = NULL, deadline_at = NULL WHERE id = %s",
        turn.work_id,
    )
    stagehand.execute("UPDATE hosts SET inflight = 0, next_at = clock_timestamp()")


def test_the_ring_of_a_forgotten_claim_is_put_back(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    forget_claim(stagehand, turn)
    assert not run.end(turn, Filtered("x"))
    assert [(ring.work_id, ring.delay_seconds) for ring in stagehand.bells.rings] == [(turn.work_id, 0.0)]
    row = stagehand.work(turn.work_id)
    assert (row["status"], row["token"], row["attempts"], row["sends"]) == ("Queued", 0, 0, 1)
    stagehand.answer_all()
    assert stagehand.work(turn.work_id)["status"] == "Completed"


def test_the_lane_of_a_forgotten_claim_rests_before_it_is_asked_again(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=third, host="one.example")
    forget_claim(stagehand, turn)
    run.end(turn, Done(reason="x"))
    (ring,) = stagehand.bells.take()
    assert ring.work_id == turn.work_id
    assert GAP - 5 < ring.delay_seconds <= GAP
    assert claim(third, turn.work_id, Lease().id) is None


def test_what_was_rescued_and_rung_is_not_rung_twice(stagehand: Stagehand, worker: Lease) -> None:
    turn = stagehand.hold("anna")
    rescue.hand_back(worker.id).ring()
    before = stagehand.work(turn.work_id)
    assert not run.end(turn, Filtered("x"))
    assert (len(stagehand.bells.take()), stagehand.work(turn.work_id)) == (1, before)


def test_a_forgotten_claim_that_another_worker_took_is_left_to_it(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    forget_claim(stagehand, turn)
    assert claim(first, turn.work_id, Lease().id) is not None
    before = stagehand.work(turn.work_id)
    assert not run.end(turn, Filtered("x"))
    assert (stagehand.bells.take(), stagehand.work(turn.work_id)) == ([], before)


def test_a_row_that_waits_for_room_in_its_window_goes_on_waiting(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    forget_claim(stagehand, turn)
    window.forget_rings(first)
    assert not run.end(turn, Filtered("x"))
    assert (stagehand.bells.take(), stagehand.work(turn.work_id)["sent_at"]) == ([], None)


def test_a_paused_stage_is_not_rung(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    controls.pause(first)
    forget_claim(stagehand, turn)
    assert not run.end(turn, Filtered("x"))
    assert stagehand.bells.take() == []

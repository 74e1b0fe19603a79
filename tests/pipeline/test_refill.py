"""Refill: a stage in which this process has finished something is topped up by a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from pipeline import controls, refill, run
from pipeline.refill import Refiller
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.test_database import drop_every_connection
from tests.puppets import fifth


@pytest.fixture
def refiller() -> Iterator[Refiller]:
    made = Refiller()
    refill.install(made)
    made.start()
    yield made
    refill.install(None)
    made.stop()
    until(lambda: not made.is_alive())


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "this never became true"
        time.sleep(0.01)


def test_finishing_work_moves_the_next_rows_in(stagehand: Stagehand, refiller: Refiller) -> None:
    controls.set_window(fifth, 2)
    stagehand.add(*(f"p{nth}" for nth in range(7)), stage=fifth)
    until(lambda: _answered_all(stagehand))
    assert stagehand.counts() == {"fifth Completed": 7}


def test_the_thread_lives_on_when_the_database_was_away(stagehand: Stagehand, refiller: Refiller) -> None:
    controls.set_window(fifth, 1)
    stagehand.add(*(f"p{nth}" for nth in range(4)), stage=fifth)
    refiller.ask(fifth)
    drop_every_connection()
    until(lambda: _asked_and_answered(stagehand, refiller))
    assert refiller.is_alive()


def _asked_and_answered(stagehand: Stagehand, refiller: Refiller) -> bool:
    refiller.ask(fifth)
    return _answered_all(stagehand)


def _answered_all(stagehand: Stagehand) -> bool:
    for ring in stagehand.bells.take():
        run.answer(fifth, ring.work_id)
    return not stagehand.rows("SELECT 1 FROM work WHERE status = 'Queued'")

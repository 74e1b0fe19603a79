"""A search is paused, resumed and cancelled with everything below it, also what is running at that moment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from errors import BadInput, Passing
from models import Search
from pipeline import finish, rescue, run, search_control, search_limits, searches
from pipeline import stage as stages
from pipeline.lease import Lease
from pipeline.stage import Done, Stage
from settings import settings
from tests.pipeline.doors import add_work, insert
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, third


@pytest.fixture
def hand(stagehand: Stagehand) -> Iterator[Stagehand]:
    before = dict(stages._registry)
    stages._registry["search"] = Stage("search", Search, work=lambda entity, turn: Done())
    yield stagehand
    stages._registry.clear()
    stages._registry.update(before)


def search_over(hand: Stagehand, *puppets: int) -> int:
    """A search that is done itself and has led to these pieces of work."""
    search = insert("searches", what="dentists", where_text="Austin, TX", provider="sandbox", max_places=10)
    root = add_work("search", search, "Completed")
    hand.execute("UPDATE work SET parent_id = %s WHERE id = ANY(%s)", root, list(puppets))
    return search


def status_of(search_id: int) -> str:
    return searches.one(search_id).status


def test_a_paused_search_stands_still_and_goes_on_when_it_is_resumed(hand: Stagehand) -> None:
    mine, others = hand.add("mine", children=2), hand.add("another's")
    search = search_over(hand, *mine)

    assert search_control.pause(search) == 1
    assert status_of(search) == "Paused"
    hand.answer_all()
    assert hand.status(mine[0])[0] == "Queued"
    assert hand.status(others[0])[0] == "Completed"
    hand.ring(first)
    assert hand.bells.take() == []

    assert search_control.resume(search) == 1
    hand.answer_all()
    assert status_of(search) == "Completed"


def test_what_runs_while_its_search_is_paused_finishes_and_its_children_wait(hand: Stagehand) -> None:
    turn = hand.hold("runs", children=3)
    search = search_over(hand, turn.work_id)
    search_control.pause(search)
    assert status_of(search) == "InProgress"

    run.end(turn, run.perform(turn))
    hand.answer_all()
    assert hand.status(turn.work_id)[0] == "Completed"
    assert status_of(search) == "Paused"
    assert hand.bells.take() == []

    search_control.resume(search)
    hand.answer_all()
    assert status_of(search) == "Completed"


def test_what_fails_or_dies_while_its_search_is_paused_waits_as_well(hand: Stagehand, worker: Lease) -> None:
    fails, dies = hand.hold("fails"), hand.hold("dies")
    search = search_over(hand, fails.work_id, dies.work_id)
    search_control.pause(search)
    finish.finish(fails, Passing("timeout"))
    hand.execute("UPDATE workers SET expires_at = now() - interval '1 second'")
    hand.execute("UPDATE work SET crashes = 1 WHERE id = %s", dies.work_id)
    rescue.rescue_dead().ring()
    worker.renew()

    assert hand.bells.take() == []
    assert status_of(search) == "Paused"
    search_control.resume(search)
    hand.answer_all()
    assert status_of(search) == "Completed"


def test_a_paused_search_in_lanes_leaves_them_to_others(hand: Stagehand) -> None:
    lane = third
    mine = hand.add("mine", stage=lane, host="a.example")
    search = search_over(hand, *mine)
    others = hand.add("another's", stage=lane, host="a.example")
    search_control.pause(search)
    hand.answer_all()
    assert hand.status(others[0])[0] == "Completed"
    assert hand.status(mine[0])[0] == "Queued"


def test_pausing_and_resuming_twice_changes_nothing_more(hand: Stagehand) -> None:
    search = search_over(hand, *hand.add("one"))
    assert [search_control.pause(search), search_control.pause(search)] == [1, 0]
    assert [search_control.resume(search), search_control.resume(search)] == [1, 0]


def test_a_cancelled_search_ends_with_what_is_running(hand: Stagehand) -> None:
    waits, runs = hand.add("waits"), hand.hold("runs", children=2)
    search = search_over(hand, *waits, runs.work_id)
    assert search_control.cancel(search) == 2
    assert run.end(runs, run.perform(runs)) is False
    hand.answer_all()
    assert hand.status(waits[0])[0] == "Cancelled"
    assert status_of(search) == "Cancelled"


def test_what_failed_of_a_search_is_tried_again_once_and_nothing_else(hand: Stagehand) -> None:
    mine = hand.add("fails", "is unwanted", "does well", first={"acts": ["final"]})
    others = hand.add("another's", first={"acts": ["final"]})
    hand.answer_all()
    hand.execute("UPDATE work SET status = 'Filtered' WHERE id = %s", mine[1])
    hand.execute("UPDATE work SET status = 'Completed' WHERE id = %s", mine[2])
    search = search_over(hand, *mine)

    assert search_control.retry(search) == 1
    assert [hand.status(nth)[0] for nth in (*mine, *others)] == ["Queued", "Filtered", "Completed", "Error"]
    hand.answer_all()
    assert hand.status(mine[0])[0] == "Error"
    assert search_control.retry(search) == 1


def test_a_search_that_is_not_there_is_named(hand: Stagehand) -> None:
    for act in (search_control.pause, search_control.resume, search_control.cancel):
        with pytest.raises(BadInput, match="no search 4711"):
            act(4711)


def test_a_budget_does_not_let_go_what_is_paused(hand: Stagehand) -> None:
    (work,) = hand.add("waits for money")
    search = search_over(hand, work)
    hand.execute("UPDATE work SET reason = 'budget' WHERE id = %s", work)
    search_control.pause(search)
    search_limits.set_limits(search, budget_usd=settings().provider_daily_budget_usd)
    assert status_of(search) == "Paused"

"""Fire: what a schedule owes is fired or missed once, whatever has become of what it is for."""

from __future__ import annotations

from uuid import uuid4

import pytest

from errors import NotFound
from pipeline.database import transaction
from scheduling import fire
from scheduling.catch_up import MOST_TICKS
from scheduling.fire import settle
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.scheduling.orders import history, order, owing


def test_a_tick_queues_the_work_and_rings(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1)
    (step,) = settle(number)
    assert step.fired is not None
    assert (step.missed, step.fired.result, step.fired.queued_count) == (0, "queued", 1)
    assert stagehand.counts() == {"first Queued": 1}
    assert len(stagehand.bells.take()) == 1


def test_a_tick_that_is_settled_is_not_owed_again(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1)
    assert len(settle(number)) == 1
    assert settle(number) == []
    assert history(stagehand, number) == ["queued"]


def test_clocks_at_the_same_moment_fire_each_tick_once(stagehand: Stagehand) -> None:
    numbers = [owing(stagehand, 25, catch_up="all") for _ in range(3)]
    done = together(lambda _: [step for number in numbers for step in settle(number)], 4)
    assert sum(len(steps) for steps in done) == 75
    assert [len(history(stagehand, number)) for number in numbers] == [25, 25, 25]


def test_a_tick_in_the_history_is_never_fired_again(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1)
    settle(number)
    stagehand.execute("UPDATE schedules SET settled_until = settled_until - interval '10 seconds'")
    stagehand.execute("DELETE FROM work")
    (step,) = settle(number)
    assert step.fired is None
    assert stagehand.counts() == {}


def test_the_next_tick_starts_ended_work_anew_and_leaves_running_work_alone(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1)
    settle(number)
    (ring,) = stagehand.bells.take()
    stagehand.claim(ring.work_id)
    settle(owing(stagehand, 1))
    assert stagehand.status(ring.work_id) == ("Processing", None)
    stagehand.execute("UPDATE work SET status = 'Filtered', reason = 'x', worker_id = NULL, deadline_at = NULL")
    settle(owing(stagehand, 1))
    assert stagehand.status(ring.work_id) == ("Queued", None)


def test_how_a_tick_ended_is_kept(stagehand: Stagehand) -> None:
    number = owing(stagehand, 2, catch_up="all")
    settle(number)
    stagehand.execute("DELETE FROM work")
    stagehand.execute("DELETE FROM puppets")
    stagehand.execute("UPDATE schedules SET starts_at = starts_at + interval '500 milliseconds'")
    settle(number)
    assert history(stagehand, number) == ["queued", "still-running", "no-entity"]


def test_what_belongs_to_somebody_else_counts_as_gone(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1)
    stagehand.execute("UPDATE puppets SET tenant_id = %s", uuid4())
    settle(number)
    assert (history(stagehand, number), stagehand.counts()) == (["no-entity"], {})


def test_a_stage_that_no_longer_exists_is_told_in_the_history(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1, stage="farewell")
    settle(number)
    (row,) = stagehand.rows("SELECT result, error FROM schedule_fires")
    assert row["result"] == "error"
    assert row["error"].startswith("There is no stage 'farewell'.")


def test_a_paused_schedule_does_not_fire(stagehand: Stagehand) -> None:
    number = owing(stagehand, 3, enabled=False)
    assert settle(number) == []
    assert (history(stagehand, number), stagehand.counts()) == ([], {})


def test_a_schedule_that_is_gone_owes_nothing(stagehand: Stagehand) -> None:
    assert settle(order(stagehand) + 1) == []


@pytest.mark.parametrize(
    ("catch_up", "grace", "expected"),
    [
        ("skip", 3600, ["missed", "missed", "missed", "queued"]),
        ("last", 3600, ["missed", "missed", "missed", "queued"]),
        ("all", 3600, ["queued", "still-running", "still-running", "still-running"]),
        ("all", 90, ["missed", "missed", "queued", "still-running"]),
    ],
)
def test_what_is_made_up_for_is_the_schedule_s_choice(
    stagehand: Stagehand, catch_up: str, grace: int, expected: list[str]
) -> None:
    number = owing(stagehand, 4, catch_up=catch_up, misfire_grace_seconds=grace)
    settle(number)
    assert history(stagehand, number) == expected


@pytest.mark.parametrize(("catch_up", "expected"), [("skip", "missed"), ("last", "queued")])
def test_a_single_tick_that_is_half_an_hour_late(stagehand: Stagehand, catch_up: str, expected: str) -> None:
    number = owing(stagehand, 1, catch_up=catch_up)
    half_an_hour = "interval_seconds = 86400, starts_at = clock_timestamp() - interval '30 minutes'"
    stagehand.execute(f"UPDATE schedules SET {half_an_hour}, settled_until = clock_timestamp() - interval '1 hour'")
    settle(number)
    assert history(stagehand, number) == [expected]


def test_a_long_absence_leaves_few_rows_and_says_so(stagehand: Stagehand) -> None:
    number = owing(stagehand, 3 * 24 * 60, catch_up="all", misfire_grace_seconds=604800)
    settle(number)
    results = history(stagehand, number)
    assert (len(results), results.count("missed"), results[0]) == (MOST_TICKS + 1, 1, "missed")
    (row,) = stagehand.rows("SELECT error FROM schedule_fires WHERE result = 'missed'")
    assert row["error"].startswith("So were those before it, since 20")
    assert settle(number) == []


def test_fired_by_hand_the_timetable_stays(stagehand: Stagehand) -> None:
    number = owing(stagehand, 1, enabled=False)
    before = stagehand.rows("SELECT settled_until FROM schedules")
    with transaction() as (_, connection):
        fired, outcome = fire.by_hand(connection, settings().default_tenant_id, number)
    fire.ring(outcome)
    assert (fired.result, fired.by_hand, len(stagehand.bells.take())) == ("queued", True, 1)
    assert stagehand.rows("SELECT settled_until FROM schedules") == before
    stagehand.execute("UPDATE schedules SET enabled = true")
    assert len(settle(number)) == 1


def test_nobody_fires_somebody_else_s_by_hand(stagehand: Stagehand) -> None:
    number = order(stagehand)
    with pytest.raises(NotFound), transaction() as (_, connection):
        fire.by_hand(connection, uuid4(), number)

"""Lanes: a host is asked by one worker at a time, with its gap between visits, and every host gets its turn."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest

from errors import Filtered, Final, Passing, Snooze
from pipeline import controls, lanes, rescue, run, selection, window
from pipeline.claim import claim
from pipeline.doorbell import Ring
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.selection import Match
from pipeline.stage import Done
from pipeline.sweep import sweep
from scheduling import invariants
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import third

GAP = 20.0


@pytest.fixture(autouse=True)
def _long_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long enough that no test runs past it on a busy machine."""
    monkeypatch.setenv("LANE_GAP_SECONDS", str(GAP))
    settings.cache_clear()


def released(rings: list[Ring], within: float = GAP + 0.05) -> list[int]:
    assert all(0 <= ring.delay_seconds <= within for ring in rings)
    return [ring.work_id for ring in rings]


def test_a_lane_releases_no_more_than_its_cap(stagehand: Stagehand) -> None:
    puppets = [stagehand.puppet(f"p{nth}", host="one.example") for nth in range(6)]
    stagehand.queue(third, *puppets)
    stagehand.execute("UPDATE hosts SET cap = 3")
    assert len(lanes.release(["one.example"])) == 3
    assert lanes.release(["one.example"]) == []


@pytest.mark.parametrize("outcome", [Done(reason="x"), Filtered("x"), Final("x")], ids=lambda one: type(one).__name__)
def test_finishing_one_releases_the_next_of_its_lane_after_the_gap(stagehand: Stagehand, outcome: Done | Final) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    stagehand.bells.take()
    run.end(stagehand.claim(one, third), outcome)
    (ring,) = stagehand.bells.take()
    assert ring.work_id == two
    assert GAP - 5 < ring.delay_seconds <= GAP
    assert claim(third, two, Lease().id) is None


def test_a_failing_row_makes_room_for_the_next_of_its_lane(stagehand: Stagehand) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    stagehand.bells.take()
    run.end(stagehand.claim(one, third), Passing("rate-limited", retry_after=timedelta(minutes=5)))
    assert released(stagehand.bells.take()) == [two]
    assert stagehand.work(one)["sent_at"] is None


def test_a_row_that_falls_due_soon_is_released_with_its_delay(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("a", stage=third, host="one.example")
    stagehand.bells.take()
    run.end(stagehand.claim(work, third), Passing("rate-limited", retry_after=timedelta(seconds=20)))
    (ring,) = stagehand.bells.take()
    assert ring.work_id == work
    assert 15 < ring.delay_seconds <= 20


def test_a_row_due_later_than_a_delayed_ring_may_wait_stays_in_postgres(stagehand: Stagehand) -> None:
    turn = stagehand.hold("a", stage=third, host="one.example")
    run.end(turn, Snooze("budget", until=stagehand.work(turn.work_id)["started_at"] + timedelta(minutes=1)))
    assert stagehand.bells.take() == []
    stagehand.execute("UPDATE work SET due_at = clock_timestamp()")
    sweep(third)
    assert released(stagehand.bells.take()) == [turn.work_id]


def test_what_is_due_goes_before_what_is_not_and_priority_decides_among_the_due(stagehand: Stagehand) -> None:
    early = stagehand.queue(third, stagehand.puppet("early", host="one.example"), priority=0)
    low = stagehand.queue(third, stagehand.puppet("low", host="one.example"), priority=9)
    high = stagehand.queue(third, stagehand.puppet("high", host="one.example"), priority=1)
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '9 seconds' WHERE id = %s", early[0])
    stagehand.execute("UPDATE hosts SET cap = 3")
    rings = lanes.release(["one.example"])
    assert {ring.work_id for ring in rings} == {*early, *low, *high}
    delays = {ring.work_id: ring.delay_seconds for ring in rings}
    assert delays[early[0]] > 8
    assert delays[low[0]] < 0.1


def test_a_blocked_lane_releases_nothing_until_it_opens(stagehand: Stagehand) -> None:
    stagehand.queue(third, stagehand.puppet("a", host="one.example"))
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '5 minutes'")
    assert lanes.release(["one.example"]) == []
    assert window.fill(third) == []
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '10 seconds'")
    (ring,) = lanes.release(["one.example"])
    assert 5 < ring.delay_seconds <= 10


def test_a_paused_stage_releases_nothing_in_its_lanes(stagehand: Stagehand) -> None:
    stagehand.queue(third, stagehand.puppet("a", host="one.example"))
    controls.pause(third)
    assert lanes.release(["one.example"]) == []
    controls.resume(third)
    assert len(stagehand.bells.take()) == 1


def test_two_releases_at_once_release_one_row(stagehand: Stagehand) -> None:
    for nth in range(5):
        puppets = [stagehand.puppet(f"{nth} {at}", host=f"{nth}.example") for at in range(4)]
        stagehand.queue(third, *puppets)
        rings = together(lambda _, nth=nth: lanes.release([f"{nth}.example"]), times=3)  # type: ignore[misc]
        assert sum(map(len, rings)) == 1


def test_a_ring_that_finds_its_lane_busy_is_put_back_and_released_later(stagehand: Stagehand, worker: Lease) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    turn = stagehand.claim(one, third)
    stagehand.bells.take()
    run.answer(third, two)
    assert stagehand.work(two)["sent_at"] is None
    assert stagehand.bells.take() == []
    run.end(turn, Filtered("x"))
    assert released(stagehand.bells.take()) == [two]


def test_a_ring_that_comes_before_the_gap_is_over_is_rung_again_at_the_right_time(stagehand: Stagehand) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    run.end(stagehand.claim(one, third), Filtered("x"))
    stagehand.bells.take()
    run.answer(third, two)
    assert stagehand.bells.take() == [], "a copy of a delayed ring must not breed"
    stagehand.execute("UPDATE work SET sent_at = clock_timestamp() WHERE id = %s", two)
    run.answer(third, two)
    (ring,) = stagehand.bells.take()
    assert ring.work_id == two
    assert 0 < ring.delay_seconds <= GAP


def test_every_host_gets_its_turn(stagehand: Stagehand) -> None:
    """50 hosts with three rows each and a window of 5: nobody is visited a second time before all were once."""
    puppets = [
        stagehand.puppet(f"{nth:02}", host=f"host{nth % 50:02}.example", third={"acts": ["filtered"]})
        for nth in range(150)
    ]
    stagehand.queue(third, *puppets)
    stagehand.execute("UPDATE hosts SET gap = '1 hour'")
    controls.set_window(third, 5)
    visited: Counter[str] = Counter()
    for _ in range(10):
        rings = stagehand.ring(third)
        assert len(rings) == 5
        for ring in stagehand.bells.take():
            visited[stagehand.work(ring.work_id)["lane"]] += 1
            run.answer(third, ring.work_id)
    assert (len(visited), max(visited.values())) == (50, 1)


def test_hosts_that_back_off_do_not_stand_in_the_way_of_hosts_that_are_due(stagehand: Stagehand) -> None:
    waiting = [stagehand.puppet(f"{nth:02}", host=f"away{nth:02}.example") for nth in range(20)]
    stagehand.queue(third, *waiting)
    stagehand.execute("UPDATE work SET due_at = clock_timestamp() + interval '1 hour'")
    (due,) = stagehand.queue(third, stagehand.puppet("due", host="zebra.example"))
    controls.set_window(third, 5)
    sweep(third)
    assert released(stagehand.bells.take()) == [due]


def test_a_refill_that_reaches_the_last_lane_goes_on_from_the_first(stagehand: Stagehand) -> None:
    hosts = [f"host{nth}.example" for nth in range(6)]
    stagehand.queue(third, *(stagehand.puppet(host, host=host) for host in hosts))
    controls.set_window(third, 4)
    for ring in window.fill(third):
        stagehand.claim(ring.work_id, third)
    stagehand.queue(third, *(stagehand.puppet(f"new {host}", host=f"a {host}") for host in hosts))
    assert len(window.fill(third)) == 4


def test_a_rescued_lane_goes_on_after_its_gap(stagehand: Stagehand) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    stagehand.claim(one, third)
    stagehand.bells.take()
    stagehand.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 second'")
    rescue.rescue_dead().ring()
    assert len(stagehand.bells.take()) == 1
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]
    assert stagehand.status(two) == ("Queued", None)


def test_the_lane_of_a_cancelled_visit_opens_only_when_that_visit_must_be_over(stagehand: Stagehand) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    turn = stagehand.claim(one, third)
    stagehand.bells.take()
    selection.cancel(Match(ids=[one]))
    (host,) = stagehand.rows("SELECT inflight, next_at FROM hosts")
    assert (host["inflight"], host["next_at"]) == (0, turn.deadline_at)
    assert claim(third, two, Lease().id) is None


def test_cancelling_what_waits_leaves_the_lane_open(stagehand: Stagehand) -> None:
    one, two = stagehand.add("a", "b", stage=third, host="one.example")
    assert released(stagehand.bells.take()) == [one]
    selection.cancel(Match(ids=[one]))
    assert released(stagehand.bells.take()) == [two]


def test_a_lowered_cap_is_obeyed_without_complaint(stagehand: Stagehand) -> None:
    puppets = [stagehand.puppet(f"p{nth}", host="one.example") for nth in range(4)]
    works = stagehand.queue(third, *puppets)
    stagehand.execute("UPDATE hosts SET cap = 3, gap = '0'")
    lanes.release(["one.example"])
    turns = [stagehand.claim(work, third) for work in works[:3]]
    stagehand.execute("UPDATE hosts SET cap = 1")
    assert lanes.release(["one.example"]) == []
    for turn in turns:
        finish(turn, Filtered("x"))
    assert stagehand.rows("SELECT inflight FROM hosts") == [{"inflight": 0}]


def test_while_a_lane_is_running_at_its_cap_nothing_more_is_released(stagehand: Stagehand, worker: Lease) -> None:
    """A message that came twice, or came before the broker lost its memory, claims a row that counts as unrung."""
    puppets = [stagehand.puppet(f"p{nth}", host="one.example") for nth in range(2)]
    one, _ = stagehand.queue(third, *puppets)
    stagehand.claim(one, third)
    assert lanes.release(["one.example"]) == []


def test_a_lane_that_stands_still_is_started_by_the_sweeper(stagehand: Stagehand) -> None:
    stagehand.queue(third, *(stagehand.puppet(f"p{nth}", host="one.example") for nth in range(3)))
    sweep(third)
    assert len(stagehand.bells.take()) == 1


def test_a_release_and_a_stray_claim_at_once_end_well(stagehand: Stagehand, worker: Lease) -> None:
    """They lock host and row in opposite order; whoever is refused by Postgres tries again."""
    for nth in range(5):
        host = f"{nth}.example"
        (work,) = stagehand.queue(third, stagehand.puppet(f"p{nth}", host=host))
        together(lambda at, work=work, host=host: run.answer(third, work) if at else lanes.release([host]))  # type: ignore[misc]
    stagehand.answer_all()
    assert stagehand.counts()["third Completed"] == 5


def test_hosts_that_rest_and_wake_together_stay_within_the_window(stagehand: Stagehand) -> None:
    """A ring with a delay is in the broker too: when many fall due at once, they are all rung and unclaimed."""
    hosts = [f"host{nth:02}.example" for nth in range(12)]
    works = [stagehand.queue(third, stagehand.puppet(f"a {host}", host=host))[0] for host in hosts]
    stagehand.queue(third, *(stagehand.puppet(f"b {host}", host=host) for host in hosts))
    controls.set_window(third, 4)
    for work in works:
        run.end(stagehand.claim(work, third), Filtered("x"))
    stagehand.execute(
        "UPDATE work SET sent_at = sent_at - interval '40 seconds', due_at = due_at - interval '40 seconds'"
    )
    kept = [verdict.violations for verdict in invariants.check() if verdict.rule.name == "window-is-kept"]
    assert kept == [0]

"""A visit: every request of every turn keeps its host's gap, cap and rests, whoever asks, and gives up in words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import psycopg
import pytest

import reasons
from errors import LateFinish, Outcome, Passing, Snooze
from fetching.manners import Manners
from pipeline import lanes, lease, rescue, run, selection
from pipeline.claim import claim
from pipeline.lease import Lease
from pipeline.selection import Match
from pipeline.stage import Turn
from pipeline.sweep import sweep
from pipeline.visit import Visit, visit
from scheduling import invariants
from services.politeness import Answered
from services.robots import Robots
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, third

FINE = Answered(0.0, 200)
OWN, OTHER = "one.example", "two.example"


@pytest.fixture
def gap(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Choose the gap of lanes that are opened from now on."""

    def choose(seconds: float) -> None:
        monkeypatch.setenv("LANE_GAP_SECONDS", str(seconds))
        settings.cache_clear()

    choose(0.4)
    return choose


@pytest.fixture
def turn(stagehand: Stagehand, gap: Callable[[float], None]) -> Turn:
    return stagehand.hold("a", stage=third, host=OWN)


def asked(manners: Manners, lane: str = OWN, answered: Answered = FINE) -> float:
    """Ask and be answered at once; give how long the wait was."""
    began = time.monotonic()
    manners.ask(lane)
    waited = time.monotonic() - began
    manners.answered(lane, answered)
    return waited


def refused(manners: Manners, lane: str = OWN) -> Outcome:
    with pytest.raises(Outcome) as outcome:
        manners.ask(lane)
    return outcome.value


def seconds_until(at: datetime) -> float:
    return (at - datetime.now(UTC)).total_seconds()


def host(stagehand: Stagehand, name: str = OWN) -> dict[str, object]:
    return stagehand.rows("SELECT *, next_at - clock_timestamp() AS opens_in FROM hosts WHERE host = %s", name)[0]


@contextmanager
def writes_counted(url: str) -> Iterator[list[int]]:
    """Count the versions of rows that `hosts` got meanwhile."""
    versions: list[int] = []
    sql = b"SELECT xmin::text::bigint FROM hosts ORDER BY host"
    with psycopg.connect(url, autocommit=True) as watcher:
        before = watcher.execute(sql).fetchall()
        yield versions
        versions += [now[0] for then, now in zip(before, watcher.execute(sql).fetchall(), strict=True) if then != now]


def test_the_first_request_was_paid_for_by_the_claim_and_the_next_waits(turn: Turn, db: str) -> None:
    manners = visit(turn)
    with writes_counted(db) as versions:
        assert asked(manners) < 0.2
    assert versions == [], "a steady host costs no write"
    assert 0.35 < asked(manners) < 1
    assert 0.35 < asked(manners) < 1


def test_the_gap_runs_from_the_end_of_the_last_request(turn: Turn) -> None:
    """It may have reached the host at any moment before its answer came."""
    manners = visit(turn)
    for _ in range(2):
        manners.ask(OWN)
        time.sleep(0.3)
        manners.answered(OWN, FINE)
    assert 0.35 < asked(manners) < 1


def test_the_claims_payment_does_not_last(turn: Turn, stagehand: Stagehand) -> None:
    """With a cap above one, somebody else may have had the next place meanwhile."""
    manners = visit(turn)
    manners._paid_until = time.monotonic()
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '700 ms'")
    assert asked(manners) > 0.4


def test_requests_of_two_turns_of_a_lane_keep_its_gap(stagehand: Stagehand, gap: Callable[[float], None]) -> None:
    gap(0.3)
    works = stagehand.queue(third, *(stagehand.puppet(name, host=OWN) for name in "ab"))
    stagehand.execute("UPDATE hosts SET cap = 2")
    turns = []
    for work in works:
        stagehand.execute("UPDATE hosts SET next_at = clock_timestamp()")
        turns.append(stagehand.claim(work, third))
    began: list[float] = []

    def three(nth: int) -> None:
        manners = visit(turns[nth])
        manners._paid_until = 0.0
        for _ in range(3):
            manners.ask(OWN)
            began.append(time.monotonic())
            manners.answered(OWN, FINE)

    together(three)
    began.sort()
    assert min(later - earlier for earlier, later in pairwise(began)) > 0.25


def test_a_place_is_counted_from_what_another_connection_has_just_taken(turn: Turn, db: str) -> None:
    """The ask has to wait for the other's lock, and must then see its place, not the row as it was."""
    manners = visit(turn)
    asked(manners)
    with psycopg.connect(db) as other:
        other.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '2 seconds', gap = '1.5 seconds'")
        threading.Timer(0.5, other.commit).start()
        began = time.monotonic()
        manners.ask(OWN)
        waited = time.monotonic() - began
    assert 1.8 < waited < 3
    with psycopg.connect(db) as other:
        row = other.execute("SELECT extract(epoch FROM next_at - clock_timestamp())::float8 FROM hosts").fetchone()
    assert row
    assert 1.2 < row[0] <= 1.5


def test_a_wait_that_is_too_long_is_left_to_the_queue_and_nothing_is_reserved(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    manners._paid_until = 0.0
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '10 seconds'")
    before = host(stagehand)["next_at"]
    snooze = refused(manners)
    assert isinstance(snooze, Snooze)
    assert snooze.reason == reasons.CRAWL_DELAY
    assert 9 < seconds_until(snooze.until) <= 10
    assert host(stagehand)["next_at"] == before


def test_a_snoozed_row_is_released_when_its_host_may_be_asked(turn: Turn, stagehand: Stagehand) -> None:
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '10 seconds'")
    manners = visit(turn)
    manners._paid_until = 0.0
    run.end(turn, refused(manners))
    (ring,) = stagehand.bells.take()
    assert (ring.work_id, 8 < ring.delay_seconds <= 10.1) == (turn.work_id, True)
    assert stagehand.work(turn.work_id)["attempts"] == 0


def test_what_has_been_asked_already_is_worth_waiting_for(turn: Turn, stagehand: Stagehand) -> None:
    """A redirect of a host with a long delay: each new turn would begin with the page and never reach its target."""
    manners = visit(turn)
    asked(manners)
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '4 seconds'")
    assert 3.5 < asked(manners) < 5


def test_a_wait_past_the_deadline_spends_an_attempt_when_the_turn_would_begin_anew(
    turn: Turn, stagehand: Stagehand
) -> None:
    manners = visit(turn)
    asked(manners)
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '25 seconds'")
    passing = refused(manners)
    assert isinstance(passing, Passing)
    assert passing.reason == reasons.CRAWL_DELAY
    assert passing.retry_after
    assert 24 < passing.retry_after.total_seconds() <= 25


def test_a_turn_that_has_kept_what_it_asked_for_leaves_the_wait_to_the_queue(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    asked(manners)
    manners.is_kept()
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '4 seconds'")
    assert isinstance(refused(manners), Snooze)


def test_robots_txt_is_not_at_stake_once_it_is_kept(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    assert manners.robots(OWN) is None
    asked(manners)
    manners.keep_robots(OWN, Robots.answered(200, "User-agent: *\nCrawl-delay: 10"))
    manners.keep_crawl_delay(OWN, timedelta(seconds=10))
    snooze = refused(manners)
    assert isinstance(snooze, Snooze)
    assert 9 < seconds_until(snooze.until) <= 10


def test_a_page_stays_at_stake_while_another_hosts_robots_txt_is_read(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    asked(manners)
    manners.robots(OTHER)
    asked(manners, OTHER)
    manners.keep_robots(OTHER, Robots.answered(404))
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '25 seconds'")
    assert isinstance(refused(manners), Passing)


def test_a_host_that_asks_for_a_rest_closes_its_whole_lane(stagehand: Stagehand, gap: Callable[[float], None]) -> None:
    one, two = stagehand.add("a", "b", stage=third, host=OWN)
    turn = stagehand.claim(one, third)
    stagehand.bells.take()
    asked(visit(turn), answered=Answered(0.1, 429, timedelta(minutes=5)))
    assert together(lambda _: lanes.release([OWN])) == [[], []]
    run.end(turn, Passing(reasons.RATE_LIMITED, retry_after=timedelta(seconds=5)))
    assert stagehand.bells.take() == []
    assert together(lambda _: claim(third, two, Lease().id)) == [None, None]
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp()")
    sweep(third)
    assert [ring.work_id for ring in stagehand.bells.take()] == [two]


def test_work_of_a_resting_host_spends_nothing_and_makes_no_noise(stagehand: Stagehand, turn: Turn) -> None:
    waiting = stagehand.queue(third, *(stagehand.puppet(f"p{nth}", host=OWN) for nth in range(20)))
    asked(visit(turn), answered=Answered(0.1, 503, timedelta(minutes=10)))
    run.end(turn, Passing(reasons.SERVER_ERROR))
    for work in waiting:
        run.answer(third, work)
    sweep(third)
    assert stagehand.bells.take() == []
    rows = stagehand.rows("SELECT attempts, status, sent_at FROM work WHERE id = ANY(%s)", waiting)
    assert {(row["attempts"], row["status"], row["sent_at"]) for row in rows} == {(0, "Queued", None)}


def test_a_shorter_rest_does_not_end_a_longer_one(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    asked(manners, answered=Answered(0.1, 429, timedelta(minutes=30)))
    manners.answered(OWN, Answered(0.1, 503, timedelta(seconds=1)))
    blocked = host(stagehand)["blocked_until"]
    assert isinstance(blocked, datetime)
    assert seconds_until(blocked) > 1700


def test_a_resting_own_host_is_named_so(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    manners._paid_until = 0.0
    stagehand.execute("UPDATE hosts SET blocked_until = clock_timestamp() + interval '1 hour'")
    assert refused(manners).reason == reasons.HOST_RESTING


def test_trouble_and_latency_stretch_the_gap_and_good_answers_relax_it(turn: Turn, stagehand: Stagehand) -> None:
    gaps = []
    for answered in (Answered(1.0, None), Answered(1.0, 503), Answered(8.0, 200), Answered(0.0, 200)):
        visit(turn).answered(OWN, answered)
        gaps.append(host(stagehand)["gap"])
    assert gaps == [timedelta(seconds=number) for number in (1, 2, 5, 2.5)]


def test_a_stretched_gap_holds_from_the_next_request_on(turn: Turn, stagehand: Stagehand) -> None:
    asked(visit(turn), answered=Answered(0.0, None))
    opens_in = host(stagehand)["opens_in"]
    assert isinstance(opens_in, timedelta)
    assert 0.8 < opens_in.total_seconds() <= 1


def test_small_changes_of_the_gap_are_not_written(turn: Turn, stagehand: Stagehand, db: str) -> None:
    stagehand.execute("UPDATE hosts SET gap = '10 seconds'")
    with writes_counted(db) as versions:
        visit(turn).answered(OWN, Answered(9.5, 200))
    assert versions == []
    with writes_counted(db) as versions:
        visit(turn).answered(OWN, Answered(5.0, 200))
    assert len(versions) == 1


def test_a_crawl_delay_is_the_least_gap_even_above_the_most(turn: Turn, stagehand: Stagehand) -> None:
    visit(turn).keep_crawl_delay(OWN, timedelta(minutes=2))
    assert host(stagehand)["gap"] == timedelta(minutes=2)
    visit(turn).answered(OWN, FINE)
    assert host(stagehand)["gap"] == timedelta(minutes=2)


def test_the_longest_delay_that_a_lanes_hosts_asked_for_lately_is_kept(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    manners.keep_crawl_delay(OWN, timedelta(seconds=10))
    manners.keep_crawl_delay(OWN, None)
    manners.keep_crawl_delay(OWN, timedelta(seconds=5))
    assert host(stagehand)["crawl_delay"] == timedelta(seconds=10)
    manners.keep_crawl_delay(OWN, timedelta(seconds=20))
    assert host(stagehand)["crawl_delay"] == timedelta(seconds=20)
    stagehand.execute("UPDATE hosts SET crawl_delay_at = clock_timestamp() - interval '1 day'")
    manners.keep_crawl_delay(OWN, None)
    assert host(stagehand)["crawl_delay"] is None


def test_robots_are_kept_for_all_workers_by_full_host_name(turn: Turn, stagehand: Stagehand) -> None:
    robots = Robots("read", "User-agent: *\nDisallow: /\ud800\0x", 200, failing_since=datetime.now(UTC))
    visit(turn).keep_robots("www.one.example", robots)
    kept = visit(turn).robots("www.one.example")
    assert kept == Robots("read", "User-agent: *\nDisallow: /?x", 200, robots.read_at, robots.failing_since)
    assert visit(turn).robots(OWN) is None
    visit(turn).keep_robots("www.one.example", Robots.answered(503))
    now = visit(turn).robots("www.one.example")
    assert now
    assert (now.state, now.text, now.status, now.failing_since) == ("unreachable", "", 503, None)


def test_a_foreign_lane_is_closed_while_it_is_borrowed_and_open_a_gap_later(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    manners.ask(OTHER)
    (work,) = stagehand.queue(third, stagehand.puppet("b", host=OTHER))
    assert claim(third, work, Lease().id) is None
    opens_in = host(stagehand, OTHER)["opens_in"]
    assert isinstance(opens_in, timedelta)
    assert settings().fetch_total_seconds - 1 < opens_in.total_seconds() <= settings().fetch_total_seconds
    manners.answered(OTHER, FINE)
    assert claim(third, work, Lease().id) is None
    time.sleep(0.45)
    assert claim(third, work, lease.current().id)
    assert [verdict.violations for verdict in invariants.check()] == [0] * len(invariants.RULES)


def test_a_borrowed_lane_keeps_its_gap_between_two_requests_of_one_turn(turn: Turn) -> None:
    manners = visit(turn)
    assert asked(manners, OTHER) < 0.3
    assert 0.3 < asked(manners, OTHER) < 1


def test_two_turns_cannot_borrow_a_lane_at_once(stagehand: Stagehand, gap: Callable[[float], None]) -> None:
    turns = [stagehand.hold(name, stage=third, host=f"{name}.example") for name in "ab"]
    began = together(lambda nth: (asked(visit(turns[nth]), OTHER), time.monotonic())[1])
    assert abs(began[0] - began[1]) > 0.3


def test_a_lane_in_use_by_its_own_work_is_not_borrowed(turn: Turn, stagehand: Stagehand) -> None:
    owner = stagehand.hold("b", stage=third, host=OTHER)
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp()")
    snooze = refused(visit(turn), OTHER)
    assert isinstance(snooze, Snooze)
    assert snooze.reason == reasons.HOST_BUSY
    assert seconds_until(snooze.until) > 3
    threading.Timer(0.7, run.end, [owner, Snooze("x", until=datetime.now(UTC) + timedelta(hours=1))]).start()
    assert asked(visit(turn), OTHER) < 3


def test_a_redirect_into_a_busy_lane_waits_longer_than_a_first_request(turn: Turn, stagehand: Stagehand) -> None:
    owner = stagehand.hold("b", stage=third, host=OTHER)
    manners = visit(turn)
    asked(manners)
    threading.Timer(4, run.end, [owner, Snooze("x", until=datetime.now(UTC) + timedelta(hours=1))]).start()
    assert asked(manners, OTHER) > 3.5


def test_a_resting_foreign_host_is_left_alone_at_once(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    asked(manners, OTHER, Answered(0.1, 429, timedelta(minutes=5)))
    began = time.monotonic()
    passing = refused(manners, OTHER)
    assert time.monotonic() - began < 1
    assert isinstance(passing, Passing)
    assert passing.reason == reasons.HOST_RESTING
    assert isinstance(refused(visit(turn), OTHER), Snooze)


def test_an_answer_does_not_open_a_lane_that_others_have_closed_meanwhile(turn: Turn, stagehand: Stagehand) -> None:
    manners = visit(turn)
    manners.ask(OTHER)
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '1 hour' WHERE host = %s", OTHER)
    manners.answered(OTHER, FINE)
    opens_in = host(stagehand, OTHER)["opens_in"]
    assert isinstance(opens_in, timedelta)
    assert opens_in > timedelta(minutes=59)


def test_a_stage_without_lanes_borrows_every_lane(stagehand: Stagehand, gap: Callable[[float], None]) -> None:
    manners = visit(stagehand.hold("a", stage=first))
    assert manners.robots(OTHER) is None
    asked(manners, OTHER)
    assert host(stagehand, OTHER)["inflight"] == 0


LOSSES: list[Callable[[Turn], object]] = [
    lambda turn: rescue.hand_back(turn.worker_id),
    lambda turn: selection.cancel(Match(ids=[turn.work_id])),
]


@pytest.mark.parametrize("lose", LOSSES, ids=["handed back", "cancelled"])
@pytest.mark.parametrize("lane", [OWN, OTHER])
def test_work_that_is_no_longer_ours_asks_nobody(
    turn: Turn, stagehand: Stagehand, lane: str, lose: Callable[[Turn], object]
) -> None:
    manners = visit(turn)
    asked(manners)
    asked(manners, OTHER)
    lose(turn)
    before = stagehand.rows("SELECT host, next_at FROM hosts ORDER BY host")
    with pytest.raises(LateFinish):
        manners.ask(lane)
    assert stagehand.rows("SELECT host, next_at FROM hosts ORDER BY host") == before


def test_a_worker_whose_lease_is_too_old_asks_nobody(turn: Turn, worker: Lease) -> None:
    manners = visit(turn)
    worker._renewed_at -= settings().lease_grace_seconds
    with pytest.raises(LateFinish):
        manners.ask(OWN)


def test_a_worker_that_is_told_to_stop_does_not_wait_on(turn: Turn, stagehand: Stagehand, worker: Lease) -> None:
    manners = visit(turn)
    asked(manners)
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp() + interval '2.5 seconds'")
    threading.Timer(0.3, worker.draining.set).start()
    began = time.monotonic()
    assert refused(manners).reason == reasons.DRAINED
    assert time.monotonic() - began < 1.5


def test_a_stage_that_notices_its_loss_ends_quietly(
    stagehand: Stagehand, gap: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback, nothing stored of it, the loss noted: the row is what the rescue made of it."""
    turn = stagehand.hold("a", stage=third, host=OWN)
    rescue.hand_back(turn.worker_id)
    before = stagehand.work(turn.work_id)

    def work(_entity: object, own: Turn) -> None:
        manners = Visit(own)
        manners._paid_until = 0.0
        manners.ask(OWN)

    monkeypatch.setitem(third.__dict__, "work", work)
    outcome = run.perform(turn)
    assert isinstance(outcome, Snooze)
    assert outcome.reason == reasons.LATE_FINISH
    assert not run.end(turn, outcome)
    assert stagehand.work(turn.work_id) == before
    assert stagehand.failures(turn.work_id) == [("late-finish", reasons.LATE_FINISH)]


def test_a_snooze_into_the_past_waits_a_second(stagehand: Stagehand) -> None:
    turn = stagehand.hold("a")
    run.end(turn, Snooze("budget", until=datetime.now(UTC) - timedelta(days=1)))
    row = stagehand.work(turn.work_id)
    assert 0.5 < seconds_until(row["due_at"]) <= 1.1
    assert row["attempts"] == 0

"""A visit: manners in Postgres for one turn, so that a host is asked politely by all workers and machines together."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import reasons
from errors import LateFinish, Outcome, Passing, Snooze
from pipeline import hosts, lease
from pipeline.finish import FENCE
from pipeline.hosts import Pace, row_of
from pipeline.stage import Turn
from services.politeness import PATIENCE, Answered, is_worth_noting, rest_after
from services.robots import Robots
from settings import settings

# The claim has kept the lane's gap for a request that follows at once.
PAID_SECONDS = 0.25
POLL_SECONDS = 0.5
LEAST_WAIT, LEAST_WAIT_IF_BUSY = timedelta(seconds=1), timedelta(seconds=5)

# A place in the lane is taken only while the work is ours, and only when it is near enough to be waited for. The gap
# runs from the end of this turn's last request: when that one arrived, only its host knows.
RESERVE = f"""
WITH ours AS (SELECT 1 FROM work WHERE {FENCE}),
lane AS (
    SELECT host, inflight, gap, crawl_delay, coalesce(blocked_until > clock_timestamp(), false) AS is_blocked,
           greatest(next_at, blocked_until, clock_timestamp(), clock_timestamp() + gap - %(since)s::interval) AS open_at
    FROM hosts WHERE host = %(lane)s FOR UPDATE),
reserved AS (
    UPDATE hosts SET next_at = lane.open_at + {{length}} FROM lane
    WHERE hosts.host = lane.host AND EXISTS (SELECT 1 FROM ours) AND {{free}}
      AND lane.open_at <= greatest(clock_timestamp() + %(patience)s, %(until)s::timestamptz)
    RETURNING hosts.next_at)
SELECT EXISTS (SELECT 1 FROM ours), (SELECT next_at FROM reserved),
       greatest(lane.open_at - clock_timestamp(), '0'), is_blocked, gap, crawl_delay
FROM lane"""

RESERVE_OWN = RESERVE.format(length="hosts.gap", free="true").encode()

# Somebody else's lane is borrowed: closed for as long as a request may take, so that nobody claims meanwhile, and given
# back by the answer. `inflight` stays what it is, the number of Processing rows, and a crash here mends itself.
BORROW = RESERVE.format(length="%(longest)s", free="lane.inflight = 0").encode()


@dataclass(frozen=True, slots=True)
class Place:
    """What came of asking for a place in a lane; `until` is when it is free again, None when none was given."""

    is_ours: bool
    until: datetime | None
    wait: timedelta
    is_blocked: bool
    gap: timedelta
    crawl_delay: timedelta | None


def visit(turn: Turn) -> Visit:
    """Give the manners under which a turn may ask hosts."""
    return Visit(turn)


class Visit:
    """One turn's manners. The first request to the turn's own lane was paid for by the claim."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self._paid_until = time.monotonic() + PAID_SECONDS
        self._pace: dict[str, Pace] = {}
        self._borrowed: dict[str, datetime] = {}
        self._answered_at: dict[str, float] = {}
        self._at_stake = self._at_stake_before_robots = False
        self._claimed = turn.host

    def ask(self, lane: str) -> None:
        """Wait for a place in the lane; raise Snooze or Passing when it is too far away, LateFinish when not ours."""
        self._check_lease()
        is_own = lane == self.turn.lane
        if is_own and time.monotonic() < self._paid_until:
            self._paid_until = 0.0
            return
        place = self._reserve(lane, is_own)
        give_up_at = time.monotonic() + self._patience().total_seconds()
        while place.until is None:
            if is_own or place.is_blocked or time.monotonic() > give_up_at:
                raise self._later(lane, place)
            self._wait(POLL_SECONDS)
            place = self._reserve(lane, is_own)
        if not is_own:
            self._borrowed[lane] = place.until
        self._wait(place.wait.total_seconds())

    def is_kept(self) -> None:
        """Say that all which was asked for so far is kept: the next turn goes on from here, so it may have the wait."""
        self._at_stake = False

    def _patience(self) -> timedelta:
        """What a turn has asked for already would be asked for again by the next, so then it waits while it may."""
        left = self._latest() - datetime.now(UTC)
        return max(PATIENCE, left) if self._at_stake else PATIENCE

    def _latest(self) -> datetime:
        """Give the last moment at which a request can start and still end before the deadline."""
        return self.turn.deadline_at - timedelta(seconds=settings().fetch_total_seconds)

    def _reserve(self, lane: str, is_own: bool) -> Place:
        values = self._own_values() | {"lane": lane, "patience": PATIENCE}
        values["until"] = self._latest() if self._at_stake else None
        values["since"] = self._since(lane)
        values["longest"] = timedelta(seconds=settings().fetch_total_seconds)
        row = row_of(RESERVE_OWN if is_own else BORROW, values)
        if row is None:
            hosts.open_lane(lane)
            return self._reserve(lane, is_own)
        place = Place(*row)
        if not place.is_ours:
            raise LateFinish(f"work {self.turn.work_id} is no longer ours at token {self.turn.token}")
        self._pace[lane] = Pace(place.gap, place.crawl_delay)
        return place

    def _since(self, lane: str) -> timedelta | None:
        """Give how long ago the lane last answered this turn."""
        at = self._answered_at.get(lane)
        return None if at is None else timedelta(seconds=time.monotonic() - at)

    def _own_values(self) -> dict[str, Any]:
        return {"id": self.turn.work_id, "token": self.turn.token, "worker": self.turn.worker_id}

    def _later(self, lane: str, place: Place) -> Outcome:
        """Leave the wait to the queue. A turn that would begin anew each time must spend attempts, or it never ends."""
        is_own = lane == self.turn.lane
        reason = reasons.CRAWL_DELAY if is_own else reasons.HOST_BUSY
        reason = reasons.HOST_RESTING if place.is_blocked else reason
        wait = max(place.wait, LEAST_WAIT if is_own or place.is_blocked else LEAST_WAIT_IF_BUSY)
        said = f"{lane} may be asked again in {wait.total_seconds():.0f} s"
        if self._at_stake:
            return Passing(reason, said, retry_after=wait)
        return Snooze(reason, until=datetime.now(UTC) + wait, error=said)

    def _wait(self, seconds: float) -> None:
        if seconds <= 0:
            return
        if lease.current().draining.wait(seconds):
            raise Snooze(reasons.DRAINED, until=datetime.now(UTC))
        self._check_lease()

    def _check_lease(self) -> None:
        """Ask nothing under a lease that peers may take for expired: they would ask the same host."""
        if not lease.current().is_held:
            raise LateFinish(f"this worker's lease is too old to go on with work {self.turn.work_id}")

    def answered(self, lane: str, answered: Answered) -> None:
        """Stretch or relax the gap, let a host rest, give back a borrowed lane; a steady own host costs no write."""
        self._at_stake = True
        self._answered_at[lane] = time.monotonic()
        pace = self._pace.get(lane) or hosts.pace_of(lane)
        gap, rest, borrowed = pace.after(answered), rest_after(answered), self._borrowed.pop(lane, None)
        if borrowed is None and rest is None and not is_worth_noting(pace.gap, gap):
            return
        hosts.note(lane, gap=gap, rest=rest, borrowed=borrowed)
        self._pace[lane] = Pace(gap, pace.crawl_delay)

    def robots(self, host: str) -> Robots | None:
        """Give what was last known of a host's robots.txt."""
        self._at_stake_before_robots = self._at_stake
        claimed, self._claimed = self._claimed if host == self.turn.lane else (), ()
        robots, pace = hosts.robots_of_claim(claimed)
        if robots is None:
            robots, pace = hosts.find_robots(host, self.turn.lane)
        if pace is not None and self.turn.lane is not None:
            self._pace[self.turn.lane] = pace
        return robots

    def keep_robots(self, host: str, robots: Robots) -> None:
        """Keep what is known of a host's robots.txt: the next turn need not ask for it again."""
        hosts.keep_robots(host, robots)
        self._at_stake = self._at_stake_before_robots

    def keep_crawl_delay(self, lane: str, delay: timedelta | None) -> None:
        """Keep the pause that a robots.txt asks for, from the next request on."""
        pace = hosts.keep_crawl_delay(lane, delay)
        if pace is not None:
            self._pace[lane] = pace

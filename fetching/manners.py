"""Manners: whether a host may be asked now, and what its answer means for the next; in memory, for one process."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

import reasons
from errors import Snooze
from services.politeness import PATIENCE, Answered, next_gap, rest_after
from services.robots import Robots
from settings import settings

MOST_LANES, MOST_ROBOTS = 10_000, 1_000

T = TypeVar("T")


class Manners(Protocol):
    """Who may ask which host when. A lane is a registrable domain; robots.txt belongs to a full host name."""

    def ask(self, lane: str) -> None:
        """Return when the lane may be asked; raise Snooze when that takes longer than a few seconds."""

    def answered(self, lane: str, answered: Answered) -> None:
        """Say how the host answered, once after each `ask`."""

    def robots(self, host: str) -> Robots | None:
        """Give what was last known of a host's robots.txt, however old."""

    def keep_robots(self, host: str, robots: Robots) -> None:
        """Keep what is known of a host's robots.txt."""

    def keep_crawl_delay(self, lane: str, delay: timedelta | None) -> None:
        """Keep the pause that a robots.txt of this lane asks for."""


@dataclass
class _Lane:
    """Times are of the monotonic clock; `under_way` holds when each request now running must be over."""

    gap: float
    next_at: float = -math.inf
    blocked_until: float = -math.inf
    crawl_delay: float = 0.0
    under_way: list[float] = field(default_factory=list)

    def open_at(self, now: float, cap: int) -> float:
        """Give when the next request may start, as far as is known now."""
        self.under_way = sorted(until for until in self.under_way if until > now)
        free_at = self.under_way[-cap] if len(self.under_way) >= cap else now
        return max(self.next_at, self.blocked_until, free_at, now)


class InMemoryManners:
    """The lanes' rules for fetching without a pipeline: one process, all its threads, forgotten at its end."""

    def __init__(self, *, patience: timedelta = PATIENCE) -> None:
        self.patience = patience
        self._lanes: OrderedDict[str, _Lane] = OrderedDict()
        self._robots: OrderedDict[str, Robots] = OrderedDict()
        self._changed = threading.Condition()

    def ask(self, lane: str) -> None:
        """Wait for the lane's turn, but not longer than patience lasts."""
        give_up_at = time.monotonic() + self.patience.total_seconds()
        with self._changed:
            while (wait := self._reserve(lane)) > 0:
                now = time.monotonic()
                if now + wait > give_up_at and not (self._lane(lane).under_way and now < give_up_at):
                    raise self._snooze(lane, wait)
                self._changed.wait(min(wait, give_up_at - now))

    def _reserve(self, lane: str) -> float:
        """Take the lane's next slot if it is now, else give how long it is until then."""
        state, now = self._lane(lane), time.monotonic()
        wait = state.open_at(now, settings().lane_cap) - now
        if wait <= 0:
            state.next_at = now + state.gap
            state.under_way.append(now + settings().fetch_total_seconds)
        return wait

    def _snooze(self, lane: str, wait: float) -> Snooze:
        state = self._lane(lane)
        rests = state.blocked_until > time.monotonic()
        reason = reasons.HOST_RESTING if rests else reasons.HOST_BUSY if state.under_way else reasons.CRAWL_DELAY
        return Snooze(reason, until=datetime.now(UTC) + timedelta(seconds=wait), error=f"{lane} may be asked later")

    def answered(self, lane: str, answered: Answered) -> None:
        """Stretch or relax the lane's gap, and let it rest when it asked for that."""
        with self._changed:
            state, now = self._lane(lane), time.monotonic()
            if state.under_way:
                state.under_way.pop(0)
            least = timedelta(seconds=max(settings().lane_gap_seconds, state.crawl_delay))
            most = timedelta(seconds=settings().lane_gap_max_seconds)
            state.gap = next_gap(timedelta(seconds=state.gap), answered, least=least, most=most).total_seconds()
            state.next_at = max(state.next_at, now + state.gap)
            if (rest := rest_after(answered)) is not None:
                state.blocked_until = max(state.blocked_until, now + rest.total_seconds())
            self._changed.notify_all()

    def robots(self, host: str) -> Robots | None:
        """Give what was last known of a host's robots.txt."""
        with self._changed:
            if host in self._robots:
                self._robots.move_to_end(host)
            return self._robots.get(host)

    def keep_robots(self, host: str, robots: Robots) -> None:
        """Keep what is known of a host's robots.txt, and forget the host that was not asked for longest."""
        with self._changed:
            _keep(self._robots, host, robots, most=MOST_ROBOTS)

    def keep_crawl_delay(self, lane: str, delay: timedelta | None) -> None:
        """Keep the pause that a robots.txt asks for, from the next request on."""
        with self._changed:
            state = self._lane(lane)
            # Hosts of one lane may differ: the longest that any of them asks for is kept.
            state.crawl_delay = max(state.crawl_delay, delay.total_seconds() if delay else 0.0)
            state.gap = max(state.gap, state.crawl_delay)
            state.next_at = max(state.next_at, time.monotonic() + state.crawl_delay)

    def _lane(self, lane: str) -> _Lane:
        return _keep(self._lanes, lane, self._lanes.get(lane) or _Lane(settings().lane_gap_seconds), most=MOST_LANES)


def _keep(kept: OrderedDict[str, T], name: str, value: T, *, most: int) -> T:
    """Keep a value as the newest of at most `most`."""
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)
    return value

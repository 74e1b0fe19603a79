"""Kept: counts that cost much, taken in the background, shared by all who look, and given with their age."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

import structlog

from pipeline.database import DRIVER_FAULTS, Database, database, is_lost

log = structlog.get_logger("kept")
T = TypeVar("T")

# Counting costs the database more the more there is; it should cost the work little, and reading whole tables less.
SHARE_OF_TIME, SMALL_SHARE_OF_TIME = 0.05, 0.02
LEAST_SECONDS = 0.5
# A count that takes no longer is waited for, so that a small installation always sees the present; and so long the
# first is waited for, of which nobody knows how long it takes.
QUICK_SECONDS, PATIENCE_SECONDS = 0.1, 0.3

# Two of the counts can be long; the quick ones should not wait behind them.
_counters = ThreadPoolExecutor(max_workers=3, thread_name_prefix="count")


@dataclass(frozen=True, slots=True)
class Count(Generic[T]):
    """What was counted, from when it is true, and what it cost."""

    value: T
    began: float
    seconds: float

    @property
    def age_seconds(self) -> float:
        """How old the news is: what happened since is not in it."""
        return time.monotonic() - self.began


class Kept(Generic[T]):
    """One such count: taken when somebody asks, and no more often than costs its share of the time."""

    def __init__(
        self, read: Callable[[], T], *, least_seconds: float = LEAST_SECONDS, share: float = SHARE_OF_TIME
    ) -> None:
        self._read = read
        self._least_seconds = least_seconds
        self._share = share
        self._lock = Lock()
        self._of: Database | None = None
        self._last: Count[T] | None = None
        self._is_stale = False
        self._running: Future[None] | None = None

    def begin(self) -> Future[None] | None:
        """Count in the background when that is due, and give the count that is under way."""
        with self._lock:
            of = self._forget_another()
            if self._running is None and self._is_due():
                self._is_stale = False
                self._running = _counters.submit(self._count, of)
            return self._running

    def ask(self) -> Count[T] | None:
        """Give the last count, or a new one when it is due and comes soon; None while the first is under way."""
        settle(self)
        return self.last

    @property
    def last(self) -> Count[T] | None:
        """The last count, whatever its age."""
        return self._last

    def stale(self) -> None:
        """Count anew for whoever asks next: something was changed by hand."""
        self._is_stale = True

    def _forget_another(self) -> Database:
        """Forget what was counted in another database than this process has now."""
        of = database()
        if of is not self._of:
            self._of, self._last, self._running = of, None, None
        return of

    def _is_due(self) -> bool:
        last = self._last
        if last is None or self._is_stale:
            return True
        return last.age_seconds - last.seconds >= max(self._least_seconds, last.seconds / self._share)

    def _count(self, of: Database) -> None:
        began, found = time.monotonic(), None
        try:
            value = self._read()
            found = Count(value, began, time.monotonic() - began)
        except DRIVER_FAULTS as fault:
            if not is_lost(fault):
                raise
            log.warning("database-away", error=str(fault))
        finally:
            with self._lock:
                if of is self._of:
                    self._last, self._running = found or self._last, None


def settle(*counts: Kept[Any]) -> None:
    """Begin what is due, and wait for what likely ends soon: for all at once, not for one after the other."""
    under_way = [(each.last, running) for each in counts if (running := each.begin()) is not None]
    firsts = [running for last, running in under_way if last is None]
    quick = [running for last, running in under_way if last is not None and last.seconds < QUICK_SECONDS]
    wait(firsts, PATIENCE_SECONDS)
    wait(quick, QUICK_SECONDS)
    for running in (*firsts, *quick):
        if running.done():
            running.result()

"""The lease: a worker process lives as long as it renews one row; when it does not, peers give back what it held."""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID, uuid4

import psycopg
import structlog

from models.connect import connect_driver
from pipeline.database import Connection, database
from settings import settings

log = structlog.get_logger("lease")

RENEW = b"""
INSERT INTO workers (id, host, pid, queues, beat_at, expires_at)
VALUES (%(id)s, %(host)s, %(pid)s, %(queues)s, clock_timestamp(), clock_timestamp() + %(expiry)s * interval '1 second')
ON CONFLICT (id) DO UPDATE SET beat_at = EXCLUDED.beat_at, expires_at = EXCLUDED.expires_at, buried_at = NULL"""

END = b"DELETE FROM workers WHERE id = %s"

# Dead workers stay visible for a while, so that an operator can see what happened.
FORGET_LONG_DEAD = b"DELETE FROM workers WHERE expires_at < clock_timestamp() - interval '1 hour'"


def now() -> float:
    """Give a clock that also runs while the machine sleeps or the process is stopped."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Lease:
    """One process's right to claim work, and the list of what it is running."""

    def __init__(self, queues: Sequence[str] = ()) -> None:
        self.id: UUID = uuid4()
        self.queues = list(queues)
        self._running: dict[tuple[int, int], float] = {}
        self._runs = itertools.count()
        self._connection: Connection | None = None
        self.draining = threading.Event()
        self._lock = threading.Lock()
        self._renewed_at = float("-inf")
        self._held = threading.Event()

    def renew(self) -> None:
        """Say that this process is alive; the database's clock decides for how long."""
        before = now()
        values = {
            "id": self.id,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "queues": self.queues,
            "expiry": settings().lease_expiry_seconds,
        }
        connection = self._own_connection()
        try:
            connection.execute(RENEW, values)
            connection.execute(FORGET_LONG_DEAD)
        except psycopg.Error:
            connection.close()
            raise
        self._renewed_at = before
        self._held.set()

    def _own_connection(self) -> Connection:
        """Give a connection that waits for nobody else's statements."""
        if self._connection is None or self._connection.closed:
            self._connection = connect_driver(database().url)
            weakref.finalize(self, self._connection.close)
        return self._connection

    def end(self) -> None:
        """Leave in good order."""
        connection = self._own_connection()
        connection.execute(END, (self.id,))
        connection.close()

    @property
    def is_held(self) -> bool:
        """Tell whether the last renewal is fresh enough to claim under."""
        return now() - self._renewed_at < settings().lease_grace_seconds

    def wait_until_held(self) -> bool:
        """Wait for a fresh lease, so that a ring is not thrown away while the database is down; False when draining."""
        while not self.draining.is_set():
            if self.is_held:
                return True
            self._held.clear()
            self._held.wait(timeout=0.5)
        return False

    @contextmanager
    def runs(self, work_id: int, limit: timedelta) -> Iterator[None]:
        """Keep `work_id` on the list of what this process runs; twice, when an overdue run goes on beside a new one."""
        run = (work_id, next(self._runs))
        with self._lock:
            self._running[run] = now() + limit.total_seconds()
        try:
            yield
        finally:
            with self._lock:
                self._running.pop(run, None)

    def running_now(self) -> list[int]:
        with self._lock:
            return sorted({work_id for work_id, _ in self._running})

    def hanging(self, grace_seconds: float) -> list[int]:
        """Give what has run past its limit by more than the grace: a thread that will not come back."""
        with self._lock:
            return [work_id for (work_id, _), until in self._running.items() if now() > until + grace_seconds]


_lease: Lease | None = None


def install(lease: Lease) -> Lease:
    """Make `lease` this process's own."""
    global _lease
    _lease = lease
    return lease


def current() -> Lease:
    """Give this process's lease."""
    if _lease is None:
        raise RuntimeError("this process has no lease: stages run in worker processes only")
    return _lease

"""Patience: try again while the database is away, but not so long that anyone could take this worker for dead."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from psycopg.errors import DeadlockDetected

from pipeline.database import DRIVER_FAULTS, is_lost

T = TypeVar("T")

PATIENCE_SECONDS = 12.0
PAUSE_SECONDS = 0.2
MOST_DEADLOCKS = 5


def patiently(step: Callable[[], T]) -> T:
    """Take a step, again and again while the database cannot be reached."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return step()
        except DRIVER_FAULTS as fault:
            if not is_lost(fault) or time.monotonic() > until:
                raise
            time.sleep(PAUSE_SECONDS)


def past_deadlocks(step: Callable[[], T]) -> T:
    """Take a step of one transaction, again when the database undid it to let somebody else go first."""
    for _ in range(MOST_DEADLOCKS):
        try:
            return step()
        except DeadlockDetected:
            time.sleep(PAUSE_SECONDS)
    return step()

"""Do several things at the same moment, each on its own thread and so on its own connection."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def together(step: Callable[[int], T], times: int = 2) -> list[T]:
    """Run `step(0)`, `step(1)` … at once and give the answers in order."""
    barrier = threading.Barrier(times)

    def at_the_barrier(nth: int) -> T:
        barrier.wait()
        return step(nth)

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(at_the_barrier, range(times)))

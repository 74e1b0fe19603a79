"""Uploads: few at a time, because reading a list takes a processor for as long as it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from threading import BoundedSemaphore

from fastapi import Depends

from errors import ServerDown

MOST_AT_ONCE = 2
BUSY = f"{MOST_AT_ONCE} lists are being read here already, which is the most: try again in a minute."

_places = BoundedSemaphore(MOST_AT_ONCE)


def _take_place() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise ServerDown(BUSY)
    try:
        yield
    finally:
        _places.release()


few_at_a_time = Depends(_take_place)

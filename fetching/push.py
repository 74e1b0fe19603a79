"""Pushing: one guarded POST to an address that a person chose. Nothing is followed, and of the answer only its head
is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import structlog

from fetching.client import Client, Limits, checked_url, client
from fetching.words import host_of, retry_after
from settings import settings

log = structlog.get_logger("push")

TOTAL_SECONDS = 15.0
MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Pushed:
    """How the receiver answered."""

    status: int
    retry_after: timedelta | None
    seconds: float

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300


def push(url: str, content: bytes, headers: Iterable[tuple[str, str]], *, through: Client | None = None) -> Pushed:
    """Post once; raise Passing or Final when no answer came, or when the address may not be asked."""
    target = checked_url(url)
    limits = Limits(settings().fetch_connect_seconds, TOTAL_SECONDS, TOTAL_SECONDS, MOST_BYTES)
    sender = through or client()
    with sender.send(target, limits, method="POST", headers=headers, content=content) as exchange:
        wait = retry_after(exchange.headers.get("retry-after"))
        pushed = Pushed(exchange.status, wait, exchange.seconds)
    # Neither path nor body: the one may hold a receiver's secret, the other holds people's data.
    log.debug("pushed", host=host_of(target), status=pushed.status, seconds=round(pushed.seconds, 3))
    return pushed

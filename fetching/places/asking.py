"""Asking an API: one guarded request, its whole answer, no redirects. APIs have no robots.txt for us to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import structlog

import reasons
from errors import Passing
from fetching.client import Client, Limits, checked_url, client
from fetching.words import host_of

log = structlog.get_logger("places")

MIB = 1024 * 1024
OK = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What an API answered, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def is_ok(self) -> bool:
        return self.status == OK

    def value(self) -> object:
        """Give the JSON it holds; raise Passing when it is none, as from a gateway that is in trouble."""
        try:
            value: object = json.loads(self.body)
        except (ValueError, RecursionError) as fault:
            raise Passing(
                reasons.BAD_RESPONSE, f"HTTP {self.status} without JSON", status=self.status, seconds=self.seconds
            ) from fault
        return value


def ask(
    url: str,
    limits: Limits,
    *,
    method: str = "GET",
    headers: Iterable[tuple[str, str]] = (),
    content: bytes | None = None,
    through: Client | None = None,
) -> Answer:
    """Ask once and read the answer to its end, errors too: an API explains itself in them."""
    target = checked_url(url)
    with (through or client()).send(target, limits, method=method, headers=headers, content=content) as exchange:
        answer = Answer(exchange.status, exchange.headers, b"".join(exchange.pieces()), exchange.seconds)
    # Neither headers nor body: the key is in the ones, and strangers' facts are in the other.
    log.debug("asked", host=host_of(target), path=target.path, status=answer.status, seconds=round(answer.seconds, 3))
    return answer

"""The doorbell: tell a stage's queue that a row waits. Best effort; the row is what counts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import dramatiq
import structlog
from dramatiq.errors import DramatiqError
from pika.exceptions import AMQPError
from redis.exceptions import RedisError

log = structlog.get_logger("doorbell")

# A delay longer than this stays in Postgres until it is due: a delayed message is fast but may be lost.
LONGEST_DELAY_SECONDS = 30.0
BROKER_FAULTS = (DramatiqError, RedisError, AMQPError, OSError)
QUIET_SECONDS_AFTER_FAULT = 1.0


@dataclass(frozen=True, slots=True)
class Ring:
    """One message to be sent: a stage, a work id, and how long to wait."""

    stage: str
    work_id: int
    delay_seconds: float = 0.0


class Doorbell(Protocol):
    """Whatever carries rings to workers."""

    def ring(self, rings: Iterable[Ring]) -> int: ...


class BrokerDoorbell:
    """Rings through the Dramatiq broker; after a fault stays quiet for a moment so that work is not slowed."""

    def __init__(self, broker: dramatiq.Broker) -> None:
        self.broker = broker
        self.quiet_until = 0.0

    def ring(self, rings: Iterable[Ring]) -> int:
        """Send what can be sent and give the number; what could not is rung again by a sweeper."""
        sent = 0
        if time.monotonic() < self.quiet_until:
            return sent
        try:
            for ring in rings:
                self._send(ring)
                sent += 1
        except BROKER_FAULTS as fault:
            self.quiet_until = time.monotonic() + QUIET_SECONDS_AFTER_FAULT
            log.warning("broker-unreachable", error=str(fault), sent=sent)
        return sent

    def _send(self, ring: Ring) -> None:
        message: dramatiq.Message[None] = dramatiq.Message(
            queue_name=ring.stage, actor_name=ring.stage, args=(ring.work_id,), kwargs={}, options={}
        )
        delay = int(ring.delay_seconds * 1000) + 1 if ring.delay_seconds > 0 else None
        self.broker.enqueue(message, delay=delay)


_doorbell: Doorbell | None = None


def install(doorbell: Doorbell) -> None:
    """Choose what this process rings with."""
    global _doorbell
    _doorbell = doorbell


def ring(rings: Iterable[Ring]) -> int:
    """Ring for each and give how many were sent."""
    rings = list(rings)
    if not rings:
        return 0
    if _doorbell is None:
        raise RuntimeError("no doorbell is installed: declare the stages first, which makes the broker")
    return _doorbell.ring(rings)

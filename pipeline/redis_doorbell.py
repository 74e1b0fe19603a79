"""A Dramatiq broker on plain Redis lists: push to ring, pop to answer, wake at once.

Dramatiq's own Redis broker keeps message bodies, acknowledgements and heartbeats so as not to lose a message. Ours may
lose any: the row is the message. Without that bookkeeping a hop costs two commands instead of three scripts, nothing is
stranded when a worker dies, and a blocking pop replaces polling. See docs/decisions/.

Redis keys: `scrapersky:<queue>` and `scrapersky:<queue>.DQ`, lists of messages, now and delayed; `scrapersky:memory`,
the run id of the server: gone after a flush, another one's after a restart.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import redis
import structlog
from dramatiq import Consumer, Message, MessageProxy
from dramatiq.brokers.redis import RedisBroker
from dramatiq.common import current_millis, dq_name
from dramatiq.errors import ConnectionClosed, DecodeError, QueueJoinTimeout

log = structlog.get_logger("broker")

NAMESPACE = "scrapersky"
IDLE_SECONDS = 1.0
IDLE_SECONDS_WITH_DELAYS = 0.1

T = TypeVar("T")


class RedisDoorbell(RedisBroker):
    """Rings on Redis 6.2+ or Valkey."""

    def __init__(self, *, client: redis.Redis, middleware: list[Any]) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            client=client, middleware=middleware, namespace=NAMESPACE
        )

    def key(self, queue_name: str) -> str:
        return f"{NAMESPACE}:{queue_name}"

    def enqueue(self, message: Message[Any], *, delay: int | None = None) -> Message[Any]:
        """Push the message, to the delayed list when it is to wait."""
        if delay is not None:
            message = message.copy(queue_name=dq_name(message.queue_name), options={"eta": current_millis() + delay})
        self.emit_before("enqueue", message, delay)
        self.client.rpush(self.key(message.queue_name), message.encode())
        self.emit_after("enqueue", message, delay)
        return message

    def consume(self, queue_name: str, prefetch: int = 1, timeout: int = 5000) -> Consumer:
        return ListConsumer(self, queue_name, prefetch)

    def flush(self, queue_name: str) -> None:
        self.client.delete(self.key(queue_name), self.key(dq_name(queue_name)))

    def join(self, queue_name: str, *, interval: int = 100, timeout: int | None = None) -> None:
        until = None if timeout is None else time.monotonic() + timeout / 1000
        while self.depth(queue_name):
            if until is not None and time.monotonic() > until:
                raise QueueJoinTimeout(queue_name)  # type: ignore[no-untyped-call]
            time.sleep(interval / 1000)

    def depth(self, queue_name: str) -> int:
        """Count what is rung and not yet fetched."""
        lists = (self.key(queue_name), self.key(dq_name(queue_name)))
        return sum(int(self.client.llen(key)) for key in lists)


class ListConsumer(Consumer):
    """Pops messages for one queue, a handful at a time, and blocks when there are none.

    Every Redis fault is reported as a lost connection: Dramatiq restarts a consumer after that, while any other fault
    can end its thread for good. A message that cannot be decoded is logged and dropped; its row is rung again.
    """

    def __init__(self, broker: RedisDoorbell, queue_name: str, prefetch: int) -> None:
        self.broker = broker
        self.key = broker.key(queue_name)
        self.prefetch = prefetch
        self.fetched: list[bytes] = []
        self.outstanding = 0
        self.has_room = threading.Condition()
        self.idle_seconds = IDLE_SECONDS_WITH_DELAYS if queue_name.endswith(".DQ") else IDLE_SECONDS

    def ack(self, message: MessageProxy) -> None:
        """Count the message as gone; there is nothing to tell Redis."""
        with self.has_room:
            self.outstanding = max(self.outstanding - 1, 0)  # the consumer may be newer than the message
            if self.outstanding * 2 <= self.prefetch:
                self.has_room.notify()

    nack = ack

    def requeue(self, messages: Iterable[MessageProxy]) -> None:
        """Push back what a worker fetched and will not answer."""
        bodies = [message._message.encode() for message in messages]
        if bodies:
            self._guarded(lambda: self.broker.client.rpush(self.key, *bodies))

    def close(self) -> None:
        """Push back what was fetched and not handed out."""
        bodies, self.fetched = self.fetched, []
        if bodies:
            self._guarded(lambda: self.broker.client.rpush(self.key, *bodies))

    def __next__(self) -> MessageProxy | None:
        if not self.fetched:
            room = self._wait_for_room()
            if room > 0:
                self.fetched = self._guarded(lambda: self._pop(room))
        while self.fetched:
            message = self._decode(self.fetched.pop(0))
            if message is not None:
                with self.has_room:
                    self.outstanding += 1
                return message
        return None

    def _wait_for_room(self) -> int:
        with self.has_room:
            if self.outstanding * 2 > self.prefetch:
                self.has_room.wait(self.idle_seconds)
            return self.prefetch - self.outstanding

    def _pop(self, most: int) -> list[bytes]:
        popped: Any = self.broker.client.lpop(self.key, most)
        if popped:
            return list(popped)
        waited: Any = self.broker.client.blpop([self.key], timeout=self.idle_seconds)
        return [waited[1]] if waited else []

    def _decode(self, body: bytes) -> MessageProxy | None:
        try:
            return MessageProxy(Message.decode(body))
        except (DecodeError, KeyError, TypeError, ValueError):
            log.error("undecodable-message", queue=self.key, size=len(body))
            return None

    def _guarded(self, step: Callable[[], T]) -> T:
        try:
            return step()
        except redis.RedisError as fault:
            raise ConnectionClosed(fault) from None  # type: ignore[no-untyped-call]

"""Lies in the broker: messages that cannot be read, come twice, or come in another order."""

from __future__ import annotations

import json
from typing import Any

import dramatiq

from tests.chaos.havoc import Havoc
from tests.chaos.load import STAGES

ANY_WORK = "SELECT stage, id FROM work ORDER BY random() LIMIT 100"
MOST = 10_000
MOST_COPIES = 500  # copies of copies would double with every fault until the broker is full


def message(queue: str, *args: Any, actor: str | None = None, **changes: Any) -> bytes:
    """Write what the doorbell writes, or nearly."""
    written: dramatiq.Message[None] = dramatiq.Message(
        queue_name=queue, actor_name=actor or queue, args=args, kwargs={}, options={}
    )
    return json.dumps({**written.asdict(), **changes}).encode()


def unreadable(stage: str) -> list[bytes]:
    """Give messages that cannot be decoded, or that ask for what does not exist."""
    return [
        b"\xff\xfe\x00 not a message",
        b"null",
        b"[1, 2]",
        b"{}",
        b'{"queue_name": ',
        message(stage, 1, actor="nobody"),
        message(stage),
        message(stage, "not-a-number"),
        message(stage, 2**62),
        message(stage, 1, options={"eta": "tomorrow"}),
        message(stage, 1, options=None),
    ]


def garbage(havoc: Havoc) -> bool:
    """Push unreadable messages in front of everything else in a queue."""
    if havoc.broker_is_away:
        return False
    stage = havoc.dice.choice(STAGES)
    bodies = unreadable(stage)
    havoc.world.broker().lpush(f"scrapersky:{stage}", *havoc.dice.sample(bodies, 3))
    havoc.world.broker().lpush(f"scrapersky:{stage}.DQ", havoc.dice.choice(bodies))
    havoc.note("garbage")
    return True


def duplicate(havoc: Havoc) -> bool:
    """Push what waits in the queues once more, and rings for any work, running, ended or not yet due."""
    if havoc.broker_is_away:
        return False
    broker = havoc.world.broker()
    for stage in STAGES:
        for key in (f"scrapersky:{stage}", f"scrapersky:{stage}.DQ"):
            bodies: Any = broker.lrange(key, 0, MOST_COPIES - 1)
            if bodies:
                broker.rpush(key, *bodies)
    for stage, work_id in havoc.world.rows(ANY_WORK):
        broker.rpush(f"scrapersky:{stage}", message(stage, work_id))
    havoc.note("duplicate")
    return True


def reorder(havoc: Havoc) -> bool:
    """Shuffle every queue."""
    if havoc.broker_is_away:
        return False
    broker = havoc.world.broker()
    for stage in STAGES:
        for key in (f"scrapersky:{stage}", f"scrapersky:{stage}.DQ"):
            bodies: Any = broker.lpop(key, MOST) or []
            if bodies:
                broker.rpush(key, *havoc.dice.sample(bodies, len(bodies)))
    havoc.note("reorder")
    return True

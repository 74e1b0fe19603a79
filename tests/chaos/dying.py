"""The puppets' stages in a process whose consumer threads can be told to die without a word."""

from __future__ import annotations

import dramatiq

from pipeline.broker import broker
from tests.chaos.trap import LAST_ORDER
from tests.puppets import fifth, first, fourth, second, third

__all__ = ["fifth", "first", "fourth", "second", "third"]


class Assassin(dramatiq.Middleware):
    """Ends the thread that reads a delayed ring for this work id; Dramatiq catches everything but SystemExit there."""

    def before_delay_message(self, broker: dramatiq.Broker, message: dramatiq.MessageProxy) -> None:
        if message.args == (LAST_ORDER,):
            raise SystemExit


broker().add_middleware(Assassin())

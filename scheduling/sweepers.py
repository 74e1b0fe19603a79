"""Sweepers: one periodiq actor for each, on a queue of their own."""

from __future__ import annotations

import dramatiq
from periodiq import cron

import pipeline.loaded  # noqa: F401 - declares the stages that are swept
from dramatiq_config import broker
from scheduling.sweeper import Sweeper, all_sweepers

QUEUE = "sweeps"


def declare(sweeper: Sweeper) -> dramatiq.Actor[[], None]:
    """Make the actor that runs a sweeper on its cron line."""

    def run() -> None:
        sweeper.run()

    return dramatiq.actor(actor_name=sweeper.name, queue_name=QUEUE, broker=broker, periodic=cron(sweeper.line))(run)


SWEEPERS = {sweeper.name: declare(sweeper) for sweeper in all_sweepers()}

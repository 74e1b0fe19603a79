"""Sweepers: one periodiq actor per stage, one for the invariants and one for retention, on a queue of their own."""

from __future__ import annotations

import dramatiq
from periodiq import cron

from dramatiq_config import broker
from pipeline.loaded import STAGES
from pipeline.stage import Stage
from pipeline.sweep import sweep
from scheduling import invariants, retention

QUEUE = "sweeps"


def cron_line(interval_minutes: int) -> str:
    """Write an interval as cron, in minutes and hours only: periodiq never matches some weekday forms."""
    if interval_minutes < 60:
        return f"*/{interval_minutes} * * * *"
    hours = interval_minutes // 60
    return f"0 */{hours} * * *" if hours < 24 else "0 0 * * *"


def declare_sweeper(stage: Stage) -> dramatiq.Actor[[], None]:
    """Make the actor that sweeps one stage."""

    def sweep_stage() -> None:
        sweep(stage)

    return dramatiq.actor(
        actor_name=f"sweep_{stage.name}",
        queue_name=QUEUE,
        broker=broker,
        periodic=cron(cron_line(stage.sweeper.interval_minutes)),
    )(sweep_stage)


@dramatiq.actor(queue_name=QUEUE, broker=broker, periodic=cron("* * * * *"))
def check_invariants() -> None:
    """Check what must always hold, keep the verdict and log what does not."""
    invariants.check_and_record()


@dramatiq.actor(queue_name=QUEUE, broker=broker, periodic=cron("17 * * * *"))
def blank_expired() -> None:
    """Blank the facts that a provider has lent us and that have expired."""
    retention.blank_expired()


SWEEPERS = {stage.name: declare_sweeper(stage) for stage in STAGES}

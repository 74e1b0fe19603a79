"""The same six-hop chain on the engine: each hop upserts a child entity, queues its work and rings."""

from __future__ import annotations

from datetime import timedelta

from pipeline.declare import stage
from pipeline.stage import Child, Done, Snapshot, Stage, Turn
from tests.puppets.model import Puppet

HOPS = 6


def hop(puppet: Snapshot, turn: Turn) -> Done:
    """Hand on one new entity."""
    if not turn.stage.successors:
        return Done()
    return Done(children=[Child(row={"name": f"{puppet.name}>"})])


def _declare(number: int) -> Stage:
    successors = (f"hop_{number + 1}",) if number < HOPS else ()
    return stage(
        name=f"hop_{number}", entity=Puppet, successors=successors, time_limit=timedelta(minutes=1), window=256
    )(hop)


STAGES = [_declare(number) for number in range(1, HOPS + 1)]

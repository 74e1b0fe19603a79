"""`@stage`: declare a workflow stage and its Dramatiq actor in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dramatiq

from models.base import Base
from pipeline.broker import broker
from pipeline.run import answer
from pipeline.stage import Stage, Work, register


def stage(*, entity: type[Base], name: str | None = None, **declared: Any) -> Callable[[Work], Stage]:
    """Turn a function (snapshot, turn) → Done into a stage named after it, with a queue and actor of that name."""

    def declare(work: Work) -> Stage:
        made = register(Stage(name=name or work.__name__, entity=entity, work=work, **declared))

        def on_ring(work_id: int) -> None:
            answer(made, work_id)

        dramatiq.actor(actor_name=made.name, queue_name=made.name, broker=broker())(on_ring)
        return made

    return declare

"""The puppets' stages with a doorbell that can kill its process between the commit and the ring."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from pipeline import doorbell
from pipeline.broker import broker
from pipeline.doorbell import BrokerDoorbell, Ring
from tests.chaos.trap import Trap
from tests.puppets import fifth, first, fourth, second, third

__all__ = ["fifth", "first", "fourth", "second", "third"]


class FatalDoorbell(BrokerDoorbell):
    """Rings as usual until a trap is set; whoever walks into it dies without having rung."""

    def __init__(self, trap: Trap) -> None:
        super().__init__(broker())
        self.trap = trap

    def ring(self, rings: Iterable[Ring]) -> int:
        rings = list(rings)
        if _has_just_committed_a_finish() and self.trap.catches_us():
            self.trap.die([ring.work_id for ring in rings])
        return super().ring(rings)


def _has_just_committed_a_finish() -> bool:
    # The same doorbell serves refills, rescues and rings put back; only the engine's own frame tells them apart.
    asked_by = sys._getframe(3).f_code
    return asked_by.co_name == "_ring" and asked_by.co_filename.endswith("pipeline/run.py")


if "CHAOS_DIR" in os.environ:
    doorbell.install(FatalDoorbell(Trap(Path(os.environ["CHAOS_DIR"]))))

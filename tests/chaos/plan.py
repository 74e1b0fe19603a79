"""How much chaos: the full campaign of `make chaos`, or a short one for the test suite."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

# A row that is killed three times by chance is not poison: here, nothing may end that way.
SETTINGS = {"STAGE_MODULES": "tests.chaos.stages", "LANE_GAP_SECONDS": "0.1", "CRASHES_BEFORE_POISON": "20"}

# The same machine with quicker clocks, so that a minute is enough.
QUICK = {
    "LEASE_BEAT_SECONDS": "1",
    "LEASE_GRACE_SECONDS": "2.5",
    "LEASE_EXPIRY_SECONDS": "4",
    "RING_AGAIN_SECONDS": "2",
}

# The number is the weight with which a kind is drawn, once every kind has had its turn.
KINDS = {
    "kill-worker": 6,
    "kill-master": 3,
    "stop-worker": 4,
    "die-before-ring": 3,
    "flush": 3,
    "stop-broker": 1,
    "kill-broker": 1,
    "kill-postgres": 3,
    "garbage": 3,
    "duplicate": 2,
    "reorder": 2,
    "kill-recovery": 2,
}


@dataclass(frozen=True)
class Plan:
    """`items` counts entities that travel: puppets handed in at stage `first`, and children that fan out from them."""

    seed: int
    items: int = 2200
    faults: int = 44
    kinds: tuple[str, ...] = tuple(KINDS)
    workers: int = 3
    seconds_between: tuple[float, float] = (2.5, 5.5)
    stop_seconds: float = 20.0
    broker_away_seconds: float = 10.0
    settings: Mapping[str, str] = field(default_factory=lambda: SETTINGS)
    sweeps_every_seconds: float | None = None  # None: only when periodiq says so, once a minute
    least_items: int = 2000
    least_faults: int = 40

    @property
    def feeding_seconds(self) -> float:
        return self.faults * sum(self.seconds_between) / 2

    def draw(self, dice: random.Random) -> list[str]:
        """Draw the faults: every kind once, the rest by weight, in any order."""
        weights = [KINDS[kind] for kind in self.kinds]
        drawn = [*self.kinds, *dice.choices(self.kinds, weights, k=max(self.faults - len(self.kinds), 0))]
        dice.shuffle(drawn)
        return drawn


def short(seed: int) -> Plan:
    """Every kind of fault once, a few items, quick clocks."""
    return Plan(
        seed,
        items=250,
        faults=len(KINDS),
        workers=2,
        seconds_between=(0.5, 1.5),
        stop_seconds=8.0,
        broker_away_seconds=2.0,
        settings=SETTINGS | QUICK,
        sweeps_every_seconds=2.0,
        least_items=250,
        least_faults=len(KINDS),
    )

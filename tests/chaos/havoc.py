"""The hand that breaks things: what it has broken, what it must put right again, and whom it may hit."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.chaos.plan import Plan
from tests.chaos.processes import Crew
from tests.chaos.world import World

HELD = "SELECT id FROM work WHERE status = 'Processing' AND worker_id = %s"
RUNG = "SELECT id FROM work WHERE status = 'Queued' AND sent_at <= clock_timestamp() AND due_at <= clock_timestamp()"
BUSY = """
SELECT workers.pid, workers.id, count(*) FROM workers JOIN work ON work.worker_id = workers.id
WHERE work.status = 'Processing' AND workers.pid = ANY(%s) AND workers.expires_at > clock_timestamp() GROUP BY 1, 2"""


@dataclass
class Fault:
    """One thing that went wrong, and which rows it hit when; a row is well when it is claimed anew or has ended."""

    kind: str
    at: float
    rows: dict[int, float]
    measured_from: float

    def hit(self, rows: Iterable[int], at: float) -> None:
        """Add rows that it hit at some moment, each once."""
        self.rows = dict.fromkeys(rows, at) | self.rows


@dataclass
class Havoc:
    """`later` holds what must be put right, and when; `orphans` are processes that must end by themselves."""

    world: World
    crew: Crew
    dice: random.Random
    plan: Plan
    faults: list[Fault] = field(default_factory=list)
    later: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    stopped: set[int] = field(default_factory=set)
    orphans: list[int] = field(default_factory=list)
    broker_is_away: bool = False

    def note(self, kind: str, rows: Iterable[int] = (), *, at: float | None = None) -> Fault:
        """Keep what happened, now unless it is said when."""
        moment = at or time.time()
        self.faults.append(Fault(kind, moment, dict.fromkeys(rows, moment), moment))
        return self.faults[-1]

    def put_right_in(self, seconds: float, step: Callable[[], None]) -> None:
        self.later.append((time.monotonic() + seconds, step))

    def put_right(self, *, everything: bool = False) -> None:
        """Undo what is due to be undone."""
        for item in list(self.later):
            if everything or item[0] <= time.monotonic():
                self.later.remove(item)
                item[1]()

    def hurt(self, kind: str, how: Callable[[int, int], None], *, at_least: int = 1) -> bool:
        """Do something to a process, given with its parent, that runs at least so many rows; False when none does."""
        hands = self.living_hands()
        busy = [row for row in self.world.rows(BUSY, list(hands)) if row[2] >= at_least]
        if not busy:
            return False
        pid, lease, _ = self.dice.choice(busy)
        how(pid, hands[pid])
        moment = time.time()
        self.note(kind, self.ids(HELD, lease), at=moment)
        return True

    def living_hands(self) -> dict[int, int]:
        """Give the processes that work just now, each with its parent."""
        return {pid: master for pid, master in self.crew.hands().items() if pid not in self.stopped}

    def ids(self, sql: str, *values: object) -> list[int]:
        return [row[0] for row in self.world.rows(sql, *values)]

"""What a claim and a sweep cost with 1,000 and with 1,000,000 finished rows, side by side on two databases."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import uuid4

from benchmarks import ground
from pipeline import database, doorbell
from pipeline.claim import claim
from pipeline.doorbell import Ring
from pipeline.lease import Lease
from pipeline.stage import stage_named
from pipeline.sweep import sweep

SMALL = 1_000
CLAIMS_A_TURN, TURNS = 40, 12
OVERDUE = 40

HISTORY = """
INSERT INTO work (tenant_id, stage, entity_id, status, sent_at, sends, token, attempts, started_at, finished_at)
SELECT %s, 'hop_' || 1 + n %% 6, -n, 'Completed', now(), 1, 1, 1, now(), now() FROM generate_series(1, %s) n"""

UNANSWERED = """
UPDATE work SET sent_at = clock_timestamp() - interval '10 minutes', sends = 1
WHERE id IN (SELECT id FROM work WHERE stage = 'hop_1' AND status = 'Queued' ORDER BY id LIMIT %s)"""

DEAD = """
UPDATE work SET status = 'Processing', token = token + 1, attempts = 1, worker_id = %s, started_at = now(),
       deadline_at = now() + interval '1 hour'
WHERE id IN (SELECT id FROM work WHERE stage = 'hop_1' AND status = 'Queued' ORDER BY id DESC LIMIT %s)"""


class Silence:
    """A doorbell nobody hears: only the database's cost is measured."""

    def ring(self, rings: Iterable[Ring]) -> int:
        return len(list(rings))


@dataclass
class Side:
    """One of the two databases and what was measured on it."""

    url: str
    history: int
    claims_ms: list[float] = field(default_factory=list)
    sweeps_ms: list[float] = field(default_factory=list)

    def fill(self) -> None:
        ledger = ground.Ledger(self.url)
        ledger.run(HISTORY, uuid4(), self.history)
        ledger.run("VACUUM ANALYZE work")
        ledger.connection.close()

    def measure(self, turn: int) -> None:
        """Time some claims and one sweep that has rows to repair."""
        ledger = ground.Ledger(self.url)
        database.use(self.url)
        ledger.add_puppets(f"turn{turn}", CLAIMS_A_TURN + 2 * OVERDUE)
        self._claim(ledger)
        ledger.run(UNANSWERED, OVERDUE)
        ledger.run(DEAD, uuid4(), OVERDUE)
        started = time.perf_counter()
        sweep(stage_named("hop_1"))
        self.sweeps_ms.append((time.perf_counter() - started) * 1000)
        ledger.run(
            "UPDATE work SET status = 'Completed', worker_id = NULL, deadline_at = NULL, finished_at = now()"
            " WHERE status IN ('Queued', 'Processing')"
        )
        ledger.connection.close()

    def _claim(self, ledger: ground.Ledger) -> None:
        worker = Lease(["growth"])
        worker.renew()
        queued = ledger.connection.execute(
            b"SELECT id FROM work WHERE stage = 'hop_1' AND status = 'Queued' ORDER BY id LIMIT %s", (CLAIMS_A_TURN,)
        ).fetchall()
        for (work_id,) in queued:
            started = time.perf_counter()
            turn = claim(stage_named("hop_1"), work_id, worker.id)
            self.claims_ms.append((time.perf_counter() - started) * 1000)
            if turn is None:
                raise SystemExit("engine: a queued row could not be claimed")


def measure_growth(url: str, large: int) -> tuple[float, float]:
    """Give how much dearer a claim and a sweep are with a long history than with a short one."""
    doorbell.install(Silence())
    sides = [Side(ground.another_database(url, f"growth_{size}"), size) for size in (SMALL, large)]
    for side in sides:
        ground.prepare(side.url)
        side.fill()
    for turn in range(TURNS):
        for side in sides if turn % 2 else reversed(sides):
            side.measure(turn)
    database.use(None)
    small, big = sides
    for side in sides:
        print(
            f"  {side.history:>9,} finished rows: claim {statistics.median(side.claims_ms):.3f} ms,"
            f" sweep of {2 * OVERDUE} overdue rows {statistics.median(side.sweeps_ms):.1f} ms"
        )
    return (
        statistics.median(big.claims_ms) / statistics.median(small.claims_ms),
        statistics.median(big.sweeps_ms) / statistics.median(small.sweeps_ms),
    )

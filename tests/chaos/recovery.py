"""How long it took: from each fault until every row it hit was claimed again or had ended."""

from __future__ import annotations

import statistics
from collections import defaultdict

from tests.chaos.havoc import Fault
from tests.chaos.world import World

# What happened to a row first after it was hit: a claim by somebody, or its end.
FIRST_SIGN_OF_LIFE = """
SELECT hit.work_id, extract(epoch FROM (SELECT min(at) FROM (
    SELECT at FROM moves WHERE work_id = hit.work_id AND status = 'Processing'
    UNION ALL SELECT at FROM finishes WHERE work_id = hit.work_id) seen WHERE at > to_timestamp(hit.at)))::float8
FROM unnest(%s::bigint[], %s::float8[]) AS hit(work_id, at)"""

# Aims, not promises: a noisy machine may miss them, so they are warned about and nothing more.
AIMS_SECONDS = {"kill-worker": 20.0, "kill-master": 20.0, "stop-worker": 20.0, "flush": 75.0}


def recovery_seconds(world: World, fault: Fault, later: list[Fault]) -> float | None:
    """Give the time until the last of the fault's rows was well; None when none of them was left to it.

    A row that another fault hit before it was well belongs to that other one.
    """
    seen = world.rows(FIRST_SIGN_OF_LIFE, list(fault.rows), list(fault.rows.values()))
    own = [at for row, at in seen if at is not None and not _is_hit_again(row, at, later)]
    return max(max(own) - fault.measured_from, 0.0) if own else None


def _is_hit_again(row: int, before: float, later: list[Fault]) -> bool:
    return any(fault.rows.get(row, before) < before for fault in later)


def percentile(values: list[float], nth: int) -> float:
    """Give the nth percentile of what was measured."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return statistics.quantiles(values, n=100, method="inclusive")[nth - 1]


class Recoveries:
    """The measured times by kind of fault."""

    def __init__(self, world: World, faults: list[Fault]) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.counts: dict[str, int] = defaultdict(int)
        self.story: list[str] = []
        for nth, fault in enumerate(faults, start=1):
            self.counts[fault.kind] += 1
            seconds = recovery_seconds(world, fault, faults[nth:])
            after = "" if seconds is None else f", well after {seconds:.1f} s"
            self.story.append(f"{fault.at - faults[0].at:>6.1f} s {fault.kind} hit {len(fault.rows)} rows{after}")
            if seconds is not None:
                self.times[fault.kind].append(seconds)

    @property
    def count(self) -> int:
        return sum(self.counts.values())

    @property
    def all_times(self) -> list[float]:
        return [seconds for times in self.times.values() for seconds in times]

    def table(self) -> list[str]:
        """Write one line per kind."""
        lines = [f"{'fault':<18}{'times':>6}{'measured':>10}{'p50 s':>8}{'p99 s':>8}"]
        for kind in sorted(self.counts):
            times = self.times[kind]
            figures = f"{percentile(times, 50):>8.1f}{percentile(times, 99):>8.1f}" if times else f"{'-':>8}{'-':>8}"
            lines.append(f"{kind:<18}{self.counts[kind]:>6}{len(times):>10}{figures}")
        return lines

    def warnings(self) -> list[str]:
        """Say which aims were missed."""
        return [
            f"warning: {kind} took up to {max(self.times[kind]):.1f} s, the aim is {aim:.0f} s"
            for kind, aim in AIMS_SECONDS.items()
            if self.times[kind] and max(self.times[kind]) > aim
        ]

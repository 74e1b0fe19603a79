"""The whole pipeline, from a search to validated contacts, on worlds of growing size and on slow sites.

python -m benchmarks.whole [SIZE [LATENCY_SECONDS]]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from benchmarks.whole_processes import Sampler
from sandbox import serving
from sandbox.world import World

SIZES = (100, 1_000, 3_000)
SLOW_HOSTS, SLOW_SECONDS = 230, 0.2  # some of the businesses have no site
SHOWN = ("worker", "postgres", "valkey", "recovery", "clock", "web")

ENDED = """
SELECT extract(epoch FROM (SELECT min(created_at) FROM contacts) - search.created_at)::float8,
       extract(epoch FROM (SELECT max(finished_at) FROM work) - search.created_at)::float8,
       (SELECT count(*) FROM contacts)::int,
       (SELECT count(*) FROM work WHERE stage = 'page_curation' AND status = 'Completed')::int,
       (SELECT extract(epoch FROM max(finished_at) - min(started_at)) FROM work
        WHERE stage = 'page_curation' AND status = 'Completed')::float8,
       (SELECT count(*) FROM work)::int
FROM searches search"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took."""

    businesses: int
    latency: float
    first_contact_s: float
    seconds: float
    contacts: int
    pages: int
    pages_per_s: float
    hops: int
    cpu_seconds: dict[str, float]
    peak_mib: dict[str, float]

    @property
    def contacts_per_s(self) -> float:
        return self.contacts / self.seconds

    def line(self) -> str:
        """Write it on one line."""
        return (
            f"whole: businesses={self.businesses} latency_ms={self.latency * 1000:.0f}"
            f" first_contact_s={self.first_contact_s:.1f} seconds={self.seconds:.1f} contacts={self.contacts}"
            f" contacts_per_s={self.contacts_per_s:.1f} pages={self.pages} pages_per_s={self.pages_per_s:.1f}"
            f" hops={self.hops}"
        )

    def processes(self) -> str:
        """Write CPU and memory by kind of process."""
        parts = [
            f"{kind} {self.cpu_seconds[kind]:.1f} s / {self.peak_mib[kind]:.0f} MiB"
            for kind in SHOWN
            if kind in self.cpu_seconds
        ]
        return "  CPU and most memory of one process: " + ", ".join(parts)


def measure(businesses: int, latency: float = 0.0) -> Measured:
    """Run one search over a world of its own, on servers of its own, as the demo does."""
    world = World(businesses, town="Austin, TX", category="dentist")
    with _environment(world, latency):
        from cli import run
        from cli.demo import PLAY_MONEY
        from cli.machine import check_before_start, servers
        from pipeline import searches
        from pipeline.search_order import Order

        check_before_start()
        with servers() as parts, run.workers(parts) as check, Sampler(os.environ["SCRAPERSKY_DIR"]) as sampler:
            searches.start(
                Order("dentists", "Austin, TX", provider="sandbox", max_places=businesses, budget_usd=PLAY_MONEY)
            )
            _wait_for_the_end(check)
            first, seconds, contacts, pages, reading, hops = _ended()
    return Measured(
        businesses, latency, first, seconds, contacts, pages, pages / reading, hops,
        sampler.cpu_seconds(), sampler.peak_mib,
    )  # fmt: skip


@contextmanager
def _environment(world: World, latency: float) -> Iterator[None]:
    from cli.demo import HASTE, NOT_OURS
    from pipeline import database
    from settings import settings, use

    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="scrapersky-bench-") as root, serving(world, latency=latency) as served:
        own = {"SCRAPERSKY_DIR": root, "SANDBOX_ADDRESS": f"{served.address[0]}:{served.address[1]}"}
        use(HASTE | own | {"LOG_LEVEL": "WARNING"}, without=NOT_OURS)
        try:
            yield
        finally:
            database.use(None)
            os.environ.clear()
            os.environ.update(before)
            settings.cache_clear()


def _wait_for_the_end(check: Callable[[], None]) -> None:
    """Ask little, so that the asking does not count."""
    while _one("SELECT count(*) FROM work WHERE status IN ('Queued', 'Processing')")[0]:
        check()
        time.sleep(0.5)


def _one(sql: str) -> tuple[Any, ...]:
    from pipeline.database import database_url

    with psycopg.connect(database_url(), autocommit=True) as connection:
        row = connection.execute(sql.encode()).fetchone()
    return row or ()


def _ended() -> tuple[float, float, int, int, float, int]:
    first, seconds, contacts, pages, reading, hops = _one(ENDED)
    return first, seconds, contacts, pages, reading, hops


def main() -> None:
    """Measure one world, or every size and then slow sites, each in a process of its own."""
    if sys.argv[1:]:
        _print(measure(int(sys.argv[1]), float(sys.argv[2]) if sys.argv[2:] else 0.0))
        return
    for size, latency in [*((size, 0.0) for size in SIZES), (SLOW_HOSTS, SLOW_SECONDS)]:
        subprocess.run([sys.executable, "-m", "benchmarks.whole", str(size), str(latency)], check=True)


def _print(measured: Measured) -> None:
    sys.stdout.write(f"{measured.processes()}\n{measured.line()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

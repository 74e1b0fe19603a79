"""Measure the engine beside a bare chain: throughput, hand-off latency, growth with history, messages in the broker."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import redis

import embedded
from settings import PROJECT_ROOT, settings

ITEMS = int(os.environ.get("BENCH_ITEMS", "1500"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
HISTORY = int(os.environ.get("BENCH_HISTORY", "1000000"))
QUEUED = int(os.environ.get("BENCH_QUEUED", "200000"))
HOPS = 6
PROCESSES, THREADS = 2, 4
PATIENCE_SECONDS = 180.0


@contextmanager
def workers(*modules: str) -> Iterator[None]:
    """Run Dramatiq worker processes, the same way for both chains."""
    command = [sys.executable, "-m", "dramatiq", *modules, "--skip-logging"]
    command += ["--processes", str(PROCESSES), "--threads", str(THREADS)]
    with subprocess.Popen(command, cwd=PROJECT_ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


class Bench:
    """One run of every measurement on one pair of servers."""

    def __init__(self, servers: embedded.Servers) -> None:
        self.database: psycopg.Connection[Any] = psycopg.connect(servers.database_url, autocommit=True)
        self.broker = redis.Redis.from_url(servers.broker_url)

    def one(self, sql: str, *values: Any) -> Any:
        row = self.database.execute(sql.encode(), values).fetchone()
        return row[0] if row else None

    def wait(self, condition: Callable[[], bool], what: str, pause: float = 0.02) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > until:
                raise SystemExit(f"engine: gave up waiting for {what}")
            time.sleep(pause)

    def bare_hops_per_second(self, tag: str) -> float:
        from benchmarks.bare_chain import ACTORS

        names = [f"{tag}-{number}" for number in range(ITEMS)]
        ids = self.database.execute(
            b"INSERT INTO bare (hop, name) SELECT 1, unnest(%s::text[]) RETURNING id", (names,)
        ).fetchall()
        started = time.perf_counter()
        for (row_id,) in ids:
            ACTORS[1].send(row_id)
        self.wait(lambda: self._bare_done(tag) == ITEMS, "the bare chain")
        return ITEMS * HOPS / (time.perf_counter() - started)

    def _bare_done(self, tag: str) -> int:
        return int(
            self.one("SELECT count(*) FROM bare WHERE hop = 6 AND status = 'Completed' AND name LIKE %s", f"{tag}-%")
        )

    def add(self, tag: str, many: int) -> None:
        self.database.execute(
            b"INSERT INTO puppets (tenant_id, name) SELECT %s, %s || '-' || n FROM generate_series(1, %s) n",
            (settings().default_tenant_id, tag, many),
        )
        self.database.execute(
            b"INSERT INTO work (tenant_id, stage, entity_id) SELECT tenant_id, 'hop_1', id FROM puppets WHERE name LIKE %s",
            (f"{tag}-%",),
        )

    def ring(self) -> None:
        from benchmarks.engine_chain import STAGES
        from pipeline import doorbell, window

        doorbell.ring(window.fill(STAGES[0]))

    def engine_hops_per_second(self, tag: str) -> float:
        before = self._engine_done()
        self.add(tag, ITEMS)
        started = time.perf_counter()
        self.ring()
        self.wait(lambda: self._engine_done() - before == ITEMS, "the engine's chain")
        return ITEMS * HOPS / (time.perf_counter() - started)

    def _engine_done(self) -> int:
        return int(self.one("SELECT count(*) FROM work WHERE stage = 'hop_6' AND status = 'Completed'"))

    def handoffs_ms(self, walks: int = 60) -> list[float]:
        """Send single items through an idle machine and read each hand-off from the rows."""
        for number in range(walks):
            before = self._engine_done()
            self.add(f"walk{number}", 1)
            self.ring()
            self.wait(lambda before=before: self._engine_done() > before, "a walk", pause=0.3)  # type: ignore[misc]
        rows = self.database.execute(
            b"SELECT extract(epoch FROM child.started_at - parent.finished_at)::float8 * 1000 FROM work child "
            b"JOIN work parent ON parent.id = child.parent_id JOIN puppets ON puppets.id = child.entity_id "
            b"WHERE puppets.name LIKE 'walk%'"
        ).fetchall()
        return [row[0] for row in rows]

    def broker_messages(self) -> int:
        keys = [key for key in self.broker.scan_iter("scrapersky:*") if b".XQ" not in key]
        return sum(int(self.broker.hlen(key.decode())) for key in keys)


def main() -> None:
    with embedded.temporary() as servers:
        os.environ |= {
            "DATABASE_URL": servers.database_url,
            "REDIS_URL": servers.broker_url,
            "STAGE_MODULES": "benchmarks.engine_chain",
            "LOG_LEVEL": "WARNING",
            "dramatiq_worker_timeout": "100",
            "dramatiq_queue_prefetch": str(THREADS),
        }
        settings.cache_clear()
        _prepare(servers)
        bench = Bench(servers)
        ratio_of(bench)


def _prepare(servers: embedded.Servers) -> None:
    from benchmarks.bare_chain import TABLE
    from migrations import upgrade
    from pipeline import database
    from tests.puppets.model import create_tables

    upgrade(servers.database_url)
    create_tables(database.engine())
    with psycopg.connect(servers.database_url, autocommit=True) as connection:
        connection.execute(TABLE.encode())


def ratio_of(bench: Bench) -> None:
    bare, engine = [], []
    for number in range(ROUNDS + 1):
        with workers("benchmarks.bare_chain"):
            bench.bare_hops_per_second(f"warm{number}") if number == 0 else None
            bare.append(bench.bare_hops_per_second(f"bare{number}"))
        with workers("dramatiq_config", "pipeline.loaded"):
            engine.append(bench.engine_hops_per_second(f"engine{number}"))
        print(
            f"round {number}: bare {bare[-1]:.0f} engine {engine[-1]:.0f} ratio {engine[-1] / bare[-1]:.2f}", flush=True
        )
    with workers("dramatiq_config", "pipeline.loaded"):
        h = bench.handoffs_ms(20)
        print(statistics.median(h), max(h))


if __name__ == "__main__":
    main()

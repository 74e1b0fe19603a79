"""The ground a benchmark stands on: private servers, a migrated database, worker processes, waiting for conditions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import redis
from sqlalchemy.engine import make_url

import embedded
from settings import PROJECT_ROOT, settings

PROCESSES, THREADS = 2, 4
PATIENCE_SECONDS = 60.0


@contextmanager
def private_servers(stage_modules: str) -> Iterator[embedded.Servers]:
    """Start servers of our own and point this process and its children at them."""
    with embedded.temporary() as servers:
        os.environ |= {
            "DATABASE_URL": servers.database_url,
            "REDIS_URL": servers.broker_url,
            "STAGE_MODULES": stage_modules,
            "LOG_LEVEL": "WARNING",
            "dramatiq_worker_timeout": "100",
            "dramatiq_queue_prefetch": str(THREADS),
        }
        settings.cache_clear()
        yield servers


@contextmanager
def workers(*modules: str, **environment: str) -> Iterator[None]:
    """Run Dramatiq worker processes, the same way for every chain."""
    command = [sys.executable, "-m", "dramatiq", *modules, "--skip-logging"]
    command += ["--processes", str(PROCESSES), "--threads", str(THREADS)]
    with subprocess.Popen(
        command, cwd=PROJECT_ROOT, env=os.environ | environment, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def prepare(url: str) -> None:
    """Migrate a database and add the puppets' table and the bare chain's."""
    from benchmarks.bare_chain import TABLE
    from migrations import upgrade
    from models.connect import connect_engine
    from tests.puppets.model import create_tables

    upgrade(url)
    engine = connect_engine(url)
    create_tables(engine)
    engine.dispose()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE.encode())


def another_database(url: str, name: str) -> str:
    """Create a second database on the same server and give its URL."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def wait(condition: Callable[[], bool], what: str, pause: float = 0.05) -> None:
    """Wait for a condition, and end the benchmark when it never comes."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise SystemExit(f"engine: gave up waiting for {what}")
        time.sleep(pause)


class Ledger:
    """Reads and writes rows beside the engine."""

    def __init__(self, url: str) -> None:
        self.connection: psycopg.Connection[Any] = psycopg.connect(url, autocommit=True)

    def one(self, sql: str, *values: Any) -> Any:
        row = self.connection.execute(sql.encode(), values).fetchone()
        return row[0] if row else None

    def run(self, sql: str, *values: Any) -> None:
        self.connection.execute(sql.encode(), values)

    def add_puppets(self, tag: str, many: int) -> None:
        """Queue `many` new entities for the first hop."""
        tenant = settings().default_tenant_id
        self.run(
            "WITH new AS (INSERT INTO puppets (tenant_id, name) SELECT %s, %s || '-' || n FROM generate_series(1, %s) n"
            " RETURNING id, tenant_id)"
            " INSERT INTO work (tenant_id, stage, entity_id) SELECT tenant_id, 'hop_1', id FROM new",
            tenant,
            tag,
            many,
        )


def broker_messages(client: redis.Redis) -> int:
    """Count the messages in the broker, of every stage, now and delayed."""
    lists = [key for key in client.scan_iter("scrapersky:*") if client.type(key) == b"list"]
    return sum(int(client.llen(key)) for key in lists)

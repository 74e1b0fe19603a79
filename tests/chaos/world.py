"""The world that breaks: private servers, a database that notes every move of every row, and a way to ask it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psycopg
import redis

import embedded
from embedded import processes
from migrations import upgrade
from models.connect import connect_engine
from settings import settings

PATIENCE_SECONDS = 60.0
PID_FILES: dict[embedded.Part, str] = {"postgres": "postgres/data/postmaster.pid", "valkey": "valkey/valkey.pid"}

# `finishes`: every transition to an end. `moves`: every other change of status: claims, retries, rescues.
NOTE_TRANSITIONS = """
CREATE TABLE finishes (work_id bigint, stage text, entity_id bigint, status text, token bigint,
                       at timestamptz DEFAULT clock_timestamp());
CREATE TABLE moves (work_id bigint, status text, token bigint, at timestamptz DEFAULT clock_timestamp());
CREATE FUNCTION note_transition() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.status IN ('Completed', 'Filtered', 'Error') THEN
        INSERT INTO finishes VALUES (NEW.id, NEW.stage, NEW.entity_id, NEW.status, NEW.token);
    ELSE
        INSERT INTO moves VALUES (NEW.id, NEW.status, NEW.token);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER note_transition AFTER UPDATE OF status ON work
FOR EACH ROW EXECUTE FUNCTION note_transition();
CREATE INDEX ON finishes (work_id);
CREATE INDEX ON moves (work_id);
"""


@dataclass(frozen=True)
class World:
    """The servers below one directory, which may be away at any moment."""

    root: Path
    servers: embedded.Servers
    settings: Mapping[str, str]

    @property
    def control(self) -> Path:
        return self.root / "control"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database, on a connection of its own, waiting while it is away; for statements that may repeat."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with psycopg.connect(self.servers.database_url, autocommit=True) as connection:
                    cursor = connection.execute(sql.encode(), values or None)
                    return cursor.fetchall() if cursor.description else []
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def rows_after(self, preparation: str, sql: str) -> list[tuple[Any, ...]]:
        """Ask on a connection that has run something else first."""
        with psycopg.connect(self.servers.database_url, autocommit=True) as connection:
            connection.execute(preparation.encode())
            return connection.execute(sql.encode()).fetchall()

    def one(self, sql: str, *values: Any) -> Any:
        return self.rows(sql, *values)[0][0]

    def broker(self) -> redis.Redis:
        return redis.Redis.from_url(self.servers.broker_url)

    def kill(self, part: embedded.Part) -> None:
        """SIGKILL a server and wait until it is gone."""
        pid = processes.recorded_pid(self.root / PID_FILES[part])
        if pid is None:
            raise LookupError(f"{part} does not run")
        os.kill(pid, signal.SIGKILL)
        processes.wait_until(lambda: not processes.is_alive(pid), 10)

    def stop(self, part: embedded.Part) -> None:
        embedded.stop(self.root, [part])

    def bring_back(self, part: embedded.Part) -> float:
        """Start a server again and give the time at which it took connections."""
        embedded.start(self.root, [part])
        return time.time()


@contextmanager
def world(values: Mapping[str, str]) -> Iterator[World]:
    """Create a world and take everything down after it, also when this process is killed."""
    root = Path(mkdtemp(prefix="scrapersky-chaos-"))
    with embedded.temporary(root=root) as servers:
        urls = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.broker_url}
        made = World(root, servers, {**values, **urls})
        made.control.mkdir()
        made.logs.mkdir()
        os.environ |= made.settings  # before anything that reads them is imported
        settings.cache_clear()
        _prepare(made)
        yield made


def _prepare(made: World) -> None:
    from tests.puppets.model import create_tables

    upgrade(made.servers.database_url)
    engine = connect_engine(made.servers.database_url)
    create_tables(engine)
    engine.dispose()
    made.rows(NOTE_TRANSITIONS)

"""A database with work in it, and real worker processes that do it on a made-up internet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from embedded import Servers
from sandbox import Served, serving
from sandbox.world import World
from tests.chaos.processes import Crew, environment

TENANT = "550e8400-e29b-41d4-a716-446655440000"
# A dead worker is noticed soon, so that a test that kills one is short.
SHORT_LEASES = {"LEASE_BEAT_SECONDS": "1", "LEASE_GRACE_SECONDS": "2", "LEASE_EXPIRY_SECONDS": "3"}


class CrewAtWork:
    """Rows to look at, and the processes that change them."""

    def __init__(self, url: str, crew: Crew) -> None:
        self.url = url
        self.crew = crew

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with psycopg.connect(self.url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def many(self, what: str) -> int:
        return int(self.rows(f"SELECT count(*) AS many FROM {what}")[0]["many"])

    def is_over(self) -> bool:
        return self.many("work WHERE status IN ('Queued', 'Processing')") == 0


@contextmanager
def crew_on(world: World, servers: Servers, url: str, directory: Path, **more: str) -> Iterator[tuple[Crew, Served]]:
    """Serve a world and give a crew that has yet to be started; both are gone afterwards."""
    with serving(world) as served:
        own = {"DATABASE_URL": url, "REDIS_URL": servers.broker_url, "WORKER_PROCESSES": "2"}
        own |= {"SANDBOX_ADDRESS": f"127.0.0.1:{served.address[1]}"} | SHORT_LEASES | more
        crew = Crew(environment(str(directory), **own), directory)
        try:
            yield crew, served
        finally:
            crew.kill_rest()

"""A small house for tests of real worker processes: one fresh database, an empty broker, a few puppets."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from tests.chaos.lies import message
from tests.chaos.processes import MARK, Crew, environment, marked, start, wait_until

TENANT = "550e8400-e29b-41d4-a716-446655440000"


class House:
    """Adds puppets, rings for them by hand and looks at their rows; everything it starts carries its mark."""

    def __init__(self, database_url: str, broker_url: str, directory: Path, **values: str) -> None:
        urls = {"DATABASE_URL": database_url, "REDIS_URL": broker_url}
        self.database_url = database_url
        self.directory = directory
        self.env = environment(str(directory), STAGE_MODULES="tests.puppets", **urls) | values
        self.crew = Crew(self.env, directory)
        self.broker = redis.Redis.from_url(broker_url)
        self.broker.flushall()

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a command whose words are logged."""
        return start(command, self.env, self.directory / "log")

    def add(self, name: str, *, stage: str = "first", host: str | None = None, **part: Any) -> int:
        """Put a puppet on stage and ring for it; gives the work id."""
        values = {"tenant": TENANT, "name": name, "host": host, "script": Jsonb({stage: part}), "stage": stage}
        if host:
            self.rows("INSERT INTO hosts (host) VALUES (%(host)s) ON CONFLICT DO NOTHING", values)
        (row,) = self.rows(
            """WITH puppet AS (INSERT INTO puppets (tenant_id, name, host, script)
                               VALUES (%(tenant)s, %(name)s, %(host)s, %(script)s) RETURNING id)
               INSERT INTO work (tenant_id, stage, entity_id, lane, auto, sent_at, sends)
               SELECT %(tenant)s, %(stage)s, id, %(host)s, false, clock_timestamp(), 1 FROM puppet RETURNING id""",
            values,
        )
        self.broker.rpush(f"scrapersky:{stage}", message(stage, row["id"]))
        return int(row["id"])

    def rows(self, sql: str, values: Any = None) -> list[dict[str, Any]]:
        with psycopg.connect(self.database_url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def work(self, work_id: int) -> dict[str, Any]:
        return self.rows("SELECT * FROM work WHERE id = %s", (work_id,))[0]

    def wait_for(self, status: str, *work_ids: int, seconds: float = 20.0) -> None:
        """Wait until every row has the status."""
        has_come = wait_until(lambda: all(self.work(each)["status"] == status for each in work_ids), seconds)
        assert has_come, f"not {status}: {[self.work(each) for each in work_ids]}\n{self.log()}"

    def leases(self) -> list[int]:
        return [row["pid"] for row in self.rows("SELECT pid FROM workers WHERE queues <> '{sweeps}'")]

    def wait_until_empty(self, seconds: float = 15.0) -> None:
        """Wait until no process of ours is left."""
        assert wait_until(lambda: not marked(self.env[MARK]), seconds), f"{marked(self.env[MARK])}\n{self.log()}"

    def log(self) -> str:
        return "\n".join(file.read_text(errors="replace") for file in self.directory.glob("*log"))

    def close(self) -> None:
        """End everything, however the test went."""
        self.crew.kill_rest()
        self.broker.flushall()
        self.broker.close()

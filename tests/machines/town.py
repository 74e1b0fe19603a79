"""A small made-up town, one search through it, and what must be true at its end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from cli.demo import HASTE
from pipeline import database
from sandbox.world import World
from scheduling import invariants
from settings import PROJECT_ROOT
from tests.chaos.world import NOTE_TRANSITIONS

TENANT = "550e8400-e29b-41d4-a716-446655440000"
TOWN, CATEGORY, SEED = "Austin, TX", "dentist", 5
OPEN = "status IN ('Queued', 'Processing')"
ENDED_TWICE = "SELECT work_id FROM finishes GROUP BY work_id HAVING count(*) > 1"

# Death is noticed soon, and nobody's work is called poison for our kills.
FAST = HASTE | {
    "ENVIRONMENT": "test",
    "LEASE_BEAT_SECONDS": "0.5",
    "LEASE_GRACE_SECONDS": "1.5",
    "LEASE_EXPIRY_SECONDS": "2",
    "RING_AGAIN_SECONDS": "2",
    "CRASHES_BEFORE_POISON": "50",
}


class Town:
    """The database in which a search runs, and questions about it."""

    def __init__(self, database_url: str, businesses: int) -> None:
        self.url = database_url
        self.world = World(businesses, SEED, town=TOWN, category=CATEGORY)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(NOTE_TRANSITIONS.encode())

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with psycopg.connect(self.url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def many(self, what: str, *values: Any) -> int:
        return int(self.rows(f"SELECT count(*) AS many FROM {what}", *values)[0]["many"])

    def search(self) -> None:
        """Store a search and its work; workers ring for what they find when they start."""
        self.rows(
            "WITH search AS (INSERT INTO searches (tenant_id, what, where_text, provider, mode, max_places)"
            f" VALUES (%s, 'dentists', %s, 'sandbox', 'auto', {len(self.world)}) RETURNING tenant_id, id)"
            " INSERT INTO work (tenant_id, stage, entity_id, auto) SELECT tenant_id, 'search', id, true FROM search",
            TENANT,
            TOWN,
        )

    def done(self) -> int:
        return self.many(f"work WHERE NOT {OPEN}")

    def is_over(self) -> bool:
        return self.many(f"work WHERE {OPEN}") == 0

    def still_open(self) -> list[dict[str, Any]]:
        """List what has not ended, for the message of a test that fails."""
        return self.rows(f"SELECT id, stage, status, reason, due_at, sent_at, sends FROM work WHERE {OPEN} LIMIT 20")

    def check(self) -> None:
        """Nothing ended twice, everything let go of its lane, and what must always hold does."""
        assert self.rows(ENDED_TWICE) == []
        assert self.rows("SELECT host FROM hosts WHERE inflight <> 0") == []
        database.use(self.url)
        try:
            assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []
        finally:
            database.use(None)

    def score(self, env: Mapping[str, str]) -> str:
        """Compare the contacts with the truth and give the last line."""
        program = str(Path(sys.executable).with_name("scrapersky"))
        size = ["--businesses", str(len(self.world)), "--seed", str(SEED), "--town", TOWN, "--category", CATEGORY]
        own = {**env, "DATABASE_URL": self.url, "PYTHONPATH": str(PROJECT_ROOT)}
        said = subprocess.run(
            [program, "sandbox", "score", *size], env=own, cwd=PROJECT_ROOT, capture_output=True, text=True
        )
        return said.stdout.rstrip().rpartition("\n")[2] or said.stderr

"""Puts puppets on stage, answers their bells, and looks at the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from models.work import DEFAULT_PRIORITY
from pipeline import lease, queue, run, window
from pipeline.claim import claim
from pipeline.database import statement, transaction
from pipeline.doorbell import Ring
from pipeline.stage import Stage, Turn, stage_named
from settings import settings
from tests.puppets import first


class Bells:
    """A doorbell whose messages can be answered, lost, doubled and shuffled."""

    def __init__(self) -> None:
        self.rings: list[Ring] = []

    def ring(self, rings: Iterable[Ring]) -> int:
        new = list(rings)
        self.rings += new
        return len(new)

    def take(self) -> list[Ring]:
        taken, self.rings = self.rings, []
        return taken


class Stagehand:
    """The test's hands: add puppets, run what rings, read rows."""

    def __init__(self, bells: Bells) -> None:
        self.bells = bells

    def add(
        self, *names: str, stage: Stage = first, host: str | None = None, auto: bool = True, **script: Any
    ) -> list[int]:
        """Create puppets and queue a stage's work for them; give the work ids in order."""
        ids = [self.puppet(name, host=host, **script) for name in names]
        added = self.queue(stage, *ids, auto=auto)
        self.ring(stage)
        return added

    def puppet(self, name: str, *, host: str | None = None, **script: Any) -> int:
        """Create a puppet, or change its script, and give its id."""
        sql = (
            "INSERT INTO puppets (tenant_id, name, host, script) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (tenant_id, name) DO UPDATE SET script = EXCLUDED.script RETURNING id"
        )
        return int(self.rows(sql, settings().default_tenant_id, name, host, Jsonb(script))[0]["id"])

    def queue(self, stage: Stage, *ids: int, auto: bool = True, priority: int = DEFAULT_PRIORITY) -> list[int]:
        """Queue a stage's work for puppets, without ringing."""
        with transaction() as (_, connection):
            return queue.add(connection, stage, ids, auto=auto, priority=priority)

    def claim(self, work_id: int, stage: Stage = first) -> Turn:
        """Claim work for this process and hold the turn."""
        turn = claim(stage, work_id, lease.current().id)
        assert turn is not None
        return turn

    def hold(self, name: str, stage: Stage = first, **given: Any) -> Turn:
        """Add a puppet and claim its work."""
        (work_id,) = self.add(name, stage=stage, **given)
        self.bells.take()
        return self.claim(work_id, stage)

    def ring(self, stage: Stage) -> list[Ring]:
        """Refill a stage's window and ring for what came in."""
        rings = window.fill(stage)
        self.bells.ring(rings)
        return rings

    def answer_all(self, rounds: int = 100) -> None:
        """Answer every ring, and the rings that follow, until the house is quiet."""
        for _ in range(rounds):
            taken = self.bells.take()
            if not taken:
                return
            for ring in taken:
                run.answer(stage_named(ring.stage), ring.work_id)
        raise AssertionError("the bells never stop ringing")

    def work(self, work_id: int) -> dict[str, Any]:
        return self.rows("SELECT * FROM work WHERE id = %s", work_id)[0]

    def status(self, work_id: int) -> tuple[str, str | None]:
        row = self.work(work_id)
        return row["status"], row["reason"]

    def failures(self, work_id: int) -> list[tuple[str, str]]:
        rows = self.rows("SELECT kind, reason FROM failures WHERE work_id = %s ORDER BY id", work_id)
        return [(row["kind"], row["reason"]) for row in rows]

    def picture(self) -> list[Sequence[dict[str, Any]]]:
        """Everything that a finish could change."""
        tables = ("work", "puppets", "hosts", "failures")
        return [self.rows(f"SELECT * FROM {table} ORDER BY 1") for table in tables]

    def counts(self) -> dict[str, int]:
        """Count work by stage and status, such as {'first Completed': 1}."""
        rows = self.rows("SELECT stage || ' ' || status AS what, count(*)::int AS n FROM work GROUP BY 1 ORDER BY 1")
        return {row["what"]: row["n"] for row in rows}

    def rows(self, sql: str, *values: Any) -> Sequence[dict[str, Any]]:
        with statement() as connection:
            return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

    def execute(self, sql: str, *values: Any) -> int:
        with statement() as connection:
            return connection.execute(sql.encode(), values).rowcount

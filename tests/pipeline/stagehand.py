"""Puts puppets on stage, answers their bells, and looks at the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from pipeline import queue, run, window
from pipeline.database import statement, transaction
from pipeline.doorbell import Ring
from pipeline.stage import Stage, stage_named
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
        with transaction() as (_, connection):
            ids = [
                connection.execute(
                    b"INSERT INTO puppets (tenant_id, name, host, script) VALUES (%s, %s, %s, %s)"
                    b" ON CONFLICT (tenant_id, name) DO UPDATE SET script = EXCLUDED.script RETURNING id",
                    (settings().default_tenant_id, name, host, Jsonb(script)),
                ).fetchone()[0]  # type: ignore[index]
                for name in names
            ]
            added = queue.add(connection, stage, ids, auto=auto)
        self.ring(stage)
        return added

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

"""Progress: what has become of everything that descends from something, and the one word for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from psycopg.rows import dict_row

from models.work import WORK_STATUSES
from pipeline.database import statement
from pipeline.hold import HELD_UNTIL
from pipeline.stage import all_stages

Row = dict[str, Any]
Counts = Mapping[str, Mapping[str, int]]

# A word that only the counting knows: Queued, and held by a person.
HELD = "Held"
STATUS = f"CASE WHEN work.status = 'Queued' AND work.due_at = {HELD_UNTIL} THEN '{HELD}' ELSE work.status END AS status"

# OFFSET 0 keeps the planner on the index of parents: it cannot know how few rows a step brings, and would read the
# whole table at each. UNION, not UNION ALL: a loop in the lineage, which nothing should make, still ends.
LINEAGE = f"""
WITH RECURSIVE lineage AS (
    SELECT owner, id, stage, status FROM ({{roots}}) AS roots
    UNION
    SELECT lineage.owner, child.id, child.stage, child.status FROM lineage CROSS JOIN LATERAL (
        SELECT id, stage, {STATUS} FROM work WHERE parent_id = lineage.id OFFSET 0) AS child)"""

COUNT = "SELECT owner, stage, status, count(*)::int AS many FROM lineage GROUP BY owner, stage, status"

REASONS = """
SELECT work.stage, work.status, coalesce(work.reason, '') AS reason, count(*)::int AS many,
       (array_agg(work.id ORDER BY work.id))[1] AS work_id,
       (array_agg(work.entity_id ORDER BY work.id))[1] AS entity_id,
       (array_agg(work.error ORDER BY work.id))[1] AS error
FROM lineage JOIN work ON work.id = lineage.id
WHERE work.status IN ('Filtered', 'Error', 'Cancelled') OR (work.status = 'Completed' AND work.reason IS NOT NULL)
GROUP BY work.stage, work.status, work.reason ORDER BY many DESC, work.stage, work.status, work.reason"""

OPEN = """
SELECT work.stage, lineage.status, work.reason, count(*)::int AS many,
       (array_agg(work.error ORDER BY work.due_at))[1] AS error,
       extract(epoch FROM min(work.due_at) - clock_timestamp())::float8 AS due_in_seconds
FROM lineage JOIN work ON work.id = lineage.id WHERE work.status IN ('Queued', 'Processing')
GROUP BY work.stage, lineage.status, work.reason ORDER BY work.stage, lineage.status DESC, many DESC"""

NAME_OF = "SELECT to_jsonb(entity) ->> 'name' FROM {table} AS entity WHERE id = %s"


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts by stage and status, in pipeline order; what waits for a person to decide, and how much of the queued is
    held, by stage."""

    counts: Counts = field(default_factory=dict)
    waiting: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)

    def of(self, status: str) -> int:
        return sum(counts[status] for counts in self.counts.values())

    @property
    def open_stages(self) -> set[str]:
        return {stage for stage, counts in self.counts.items() if counts["Queued"] or counts["Processing"]}

    @property
    def held_stages(self) -> set[str]:
        """The stages of which nothing goes on before a person says so."""
        return {stage for stage, many in self.held.items() if many == self.counts[stage]["Queued"]}

    def status(self, *, paused: Collection[str], source: Collection[str] = ()) -> str:
        """Put it into one word; `source` are the stages without whose whole result it is not complete."""
        if self.open_stages:
            return self._open_status(paused)
        if self._is_spoilt_by("Error", source):
            return "Error"
        if self._is_spoilt_by("Cancelled", source):
            return "Cancelled"
        return "ManualReview" if any(self.waiting.values()) else "Completed"

    def _open_status(self, paused: Collection[str]) -> str:
        if not self.of("Processing") and self.open_stages <= set(paused) | self.held_stages:
            return "Paused"
        untouched = self.of("Queued") == sum(sum(counts.values()) for counts in self.counts.values())
        return "Queued" if untouched else "InProgress"

    def _is_spoilt_by(self, status: str, source: Collection[str]) -> bool:
        """One site of a thousand that fails is a line in the report; a part that was never searched is a failure."""
        return any(
            counts[status] > (0 if stage in source else counts["Completed"] + counts["Filtered"])
            for stage, counts in self.counts.items()
        )


def count(roots: str, values: Mapping[str, Any]) -> dict[int, Progress]:
    """Count everything below the roots, by owner, stage and status; `roots` gives owner, id, stage and STATUS."""
    found: dict[int, dict[str, dict[str, int]]] = {}
    held: dict[int, dict[str, int]] = {}
    for row in _rows(LINEAGE.format(roots=roots) + COUNT, values):
        stages = found.setdefault(row["owner"], {})
        counts = stages.setdefault(row["stage"], dict.fromkeys(WORK_STATUSES, 0))
        if row["status"] == HELD:
            held.setdefault(row["owner"], {})[row["stage"]] = row["many"]
        counts["Queued" if row["status"] == HELD else row["status"]] += row["many"]
    order = [stage.name for stage in all_stages()]
    return {
        owner: Progress({name: stages[name] for name in _sorted(stages, order)}, held=held.get(owner, {}))
        for owner, stages in found.items()
    }


def _sorted(names: Collection[str], order: Sequence[str]) -> list[str]:
    return [name for name in order if name in names] + sorted(set(names) - set(order))


def reasons_given(roots: str, values: Mapping[str, Any]) -> list[Row]:
    """Count the reasons of all that ended without going on, each with an example by name."""
    found = _rows(LINEAGE.format(roots=roots) + REASONS, values)
    tables = {stage.name: stage.table for stage in all_stages()}
    for row in found:
        row["name"] = _name_of(tables[row["stage"]], row["entity_id"]) if row["stage"] in tables else None
    return found


def still_open(roots: str, values: Mapping[str, Any]) -> list[Row]:
    """Count what waits or runs, and what it waits for."""
    return _rows(LINEAGE.format(roots=roots) + OPEN, values)


def _name_of(table: str, entity_id: int) -> str | None:
    with statement() as connection:
        row = connection.execute(NAME_OF.format(table=table).encode(), (entity_id,)).fetchone()
    return row[0] if row else None


def _rows(sql: str, values: Mapping[str, Any]) -> list[Row]:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

"""Pause, resume or cancel a search with everything below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reasons
from pipeline import doorbell, lanes, searches, window
from pipeline.database import statement
from pipeline.hold import HELD_UNTIL
from pipeline.progress import LINEAGE
from pipeline.selection import CANCEL
from pipeline.stage import all_stages

# A running row finishes; that it is held is inherited by its children.
HOLD = f"""
UPDATE work SET due_at = {HELD_UNTIL}, sent_at = NULL, sends = 0
FROM lineage WHERE work.id = lineage.id AND work.status IN ('Queued', 'Processing') AND work.due_at < {HELD_UNTIL}
RETURNING work.stage, work.lane"""

LET_GO = f"""
UPDATE work SET due_at = clock_timestamp()
FROM lineage WHERE work.id = lineage.id AND work.status IN ('Queued', 'Processing') AND work.due_at = {HELD_UNTIL}
RETURNING work.stage, work.lane"""

OPEN = """
id IN (SELECT lineage.id FROM lineage) AND status IN ('Queued', 'Processing')"""


def pause(search_id: int) -> int:
    """Hold everything of a search that is open and all that will come of it; give how many rows that was."""
    return _until_none_is_left(HOLD, search_id)


def resume(search_id: int) -> int:
    """Let go what was held of a search; give how many rows that was."""
    return _until_none_is_left(LET_GO, search_id)


def cancel(search_id: int) -> int:
    """End everything of a search that is open; give how many rows that was."""
    return _until_none_is_left(CANCEL.format(condition=OPEN).replace("WITH chosen", ", chosen", 1), search_id)


def _until_none_is_left(sql: str, search_id: int) -> int:
    """Go over the lineage again as long as there was something: a row that just finished may have left children."""
    searches.one(search_id)
    values = searches.values_of([search_id]) | {"cancelled": reasons.CANCELLED}
    statement_of_all = LINEAGE.format(roots=searches.ROOTS) + sql
    many = 0
    while rows := _run(statement_of_all, values):
        many += len(rows)
        _ring(rows)
    return many


def _run(sql: str, values: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    with statement() as connection:
        return connection.execute(sql.encode(), values).fetchall()


def _ring(rows: list[tuple[str, str | None]]) -> None:
    """Let others have the room that is free now, and ring for what may go on."""
    rings = lanes.release({lane for _, lane in rows if lane is not None})
    touched = {name for name, _ in rows}
    for stage in all_stages():
        rings += window.fill(stage) if stage.name in touched else []
    doorbell.ring(rings)

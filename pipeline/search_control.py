"""Pause, resume, retry or cancel a search with everything below it."""

from __future__ import annotations

from uuid import UUID

import reasons
from pipeline import doorbell, lanes, searches, window
from pipeline.database import transaction
from pipeline.hold import HELD_UNTIL
from pipeline.owner import Note
from pipeline.progress import LINEAGE
from pipeline.selection import CANCEL, RETRY
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

FAILED = """
id IN (SELECT lineage.id FROM lineage) AND status = 'Error'"""


def pause(search_id: int, *, tenant_id: UUID | None = None, note: Note | None = None) -> int:
    """Hold everything of a search that is open and all that will come of it; give how many rows that was."""
    return _until_none_is_left(HOLD, search_id, tenant_id, note)


def resume(search_id: int, *, tenant_id: UUID | None = None, note: Note | None = None) -> int:
    """Let go what was held of a search; give how many rows that was."""
    return _until_none_is_left(LET_GO, search_id, tenant_id, note)


def cancel(search_id: int, *, tenant_id: UUID | None = None, note: Note | None = None) -> int:
    """End everything of a search that is open; give how many rows that was."""
    return _until_none_is_left(_below(CANCEL, OPEN), search_id, tenant_id, note)


def retry(search_id: int, *, tenant_id: UUID | None = None, note: Note | None = None) -> int:
    """Start anew what failed of a search; give how many rows that was."""
    searches.check_exists(search_id, tenant_id)
    return _once(_below(RETRY, FAILED), search_id, note)  # what fails anew at once is not retried in a circle


def _below(sql: str, condition: str) -> str:
    """Narrow a statement about work to a lineage, of which it is the next part."""
    return sql.format(condition=condition).replace("WITH chosen", ", chosen", 1)


def _until_none_is_left(sql: str, search_id: int, tenant_id: UUID | None, note: Note | None) -> int:
    """Go over the lineage again as long as there was something: a row that just finished may have left children."""
    searches.check_exists(search_id, tenant_id)
    many = 0
    while found := _once(sql, search_id, note):
        many, note = many + found, None
    return many


def _once(sql: str, search_id: int, note: Note | None) -> int:
    values = searches.values_of([search_id]) | {"cancelled": reasons.CANCELLED}
    with transaction() as (_, connection):
        rows = connection.execute((LINEAGE.format(roots=searches.ROOTS) + sql).encode(), values).fetchall()
        if note:
            note(connection, search_id)
    if rows:
        _ring(rows)
    return len(rows)


def _ring(rows: list[tuple[str, str | None]]) -> None:
    """Let others have the room that is free now, and ring for what may go on."""
    rings = lanes.release({lane for _, lane in rows if lane is not None})
    touched = {name for name, _ in rows}
    for stage in all_stages():
        rings += window.fill(stage) if stage.name in touched else []
    doorbell.ring(rings)

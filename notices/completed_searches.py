"""Completed searches: tell of each search when nothing that descends from it is open, once for each time it was run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from notices import outbox
from notices.outbox import Notice
from notices.search_facts import facts_of
from pipeline import progress, searches
from pipeline.database import Connection, statement, transaction
from pipeline.progress import Progress
from pipeline.search_view import View, look

Row = dict[str, Any]

EVENT = "search.completed"
SEARCHES_A_LOOK = 20
LISTENS = "is_active AND events @> '[\"search.completed\"]'"

# Without anybody who listens nothing is looked at; `looked_at` comes before the look, so that a search which is run
# again meanwhile is told of again.
CANDIDATES = f"""
SELECT search.id, search.tenant_id, search.announced_at, root.queued_at, clock_timestamp() AS looked_at
FROM searches search JOIN work root ON root.stage = %(stage)s AND root.entity_id = search.id
WHERE root.status NOT IN ('Queued', 'Processing')
  AND (search.announced_at IS NULL OR search.announced_at < root.queued_at)
  AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.tenant_id = search.tenant_id AND {LISTENS})
ORDER BY search.id""".encode()

ENDED_AT = (
    progress.LINEAGE.format(roots=searches.ROOTS)
    + " SELECT max(work.finished_at) FROM lineage JOIN work ON work.id = lineage.id"
).encode()

ANNOUNCE = b"""
UPDATE searches SET announced_at = %(looked_at)s
WHERE id = %(id)s AND announced_at IS NOT DISTINCT FROM %(announced_at)s"""

# Who began to listen after it was over is not told of it.
LISTENING = f"""
SELECT id, url FROM webhooks WHERE tenant_id = %(tenant_id)s AND {LISTENS} AND told_from <= %(ended_at)s
ORDER BY id FOR SHARE""".encode()


def tell() -> int:
    """Queue messages about every search that is complete, and give how many."""
    with statement() as connection:
        found = connection.cursor(row_factory=dict_row).execute(CANDIDATES, {"stage": searches.STAGE}).fetchall()
    parts = [found[at : at + SEARCHES_A_LOOK] for at in range(0, len(found), SEARCHES_A_LOOK)]
    return sum(_announce(row) for part in parts for row in _closed(part))


def _closed(rows: Sequence[Row]) -> list[Row]:
    """Give those of which nothing is open any more."""
    counts = progress.count(searches.ROOTS, searches.values_of([row["id"] for row in rows]))
    return [row for row in rows if not counts.get(row["id"], Progress()).open_stages]


def _announce(row: Row) -> int:
    view = look(row["id"], newest=0, tenant_id=row["tenant_id"])
    if view.is_open:
        return 0
    with transaction() as (_, connection):
        if connection.execute(ANNOUNCE, row).rowcount == 0:
            return 0
        return _queue(connection, row, view)


def _queue(connection: Connection, row: Row, view: View) -> int:
    ended_at = connection.execute(ENDED_AT, searches.values_of([row["id"]])).fetchone()
    values = row | {"ended_at": ended_at[0] if ended_at else row["looked_at"]}
    notice = Notice(f"{row['id']}@{_moment(row['queued_at'])}", facts_of(view))
    listening = connection.execute(LISTENING, values).fetchall()
    return sum(len(outbox.add(connection, webhook_id, url, EVENT, [notice])) for webhook_id, url in listening)


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")

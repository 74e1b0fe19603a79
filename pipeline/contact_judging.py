"""Judging anew: contacts of a page that has not changed, where nobody has judged them yet or that was long ago."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy.orm import Session

from pipeline import contact_store
from pipeline.contact_store import Sheet, half_stale
from pipeline.stage import Turn

# Work that is there already keeps its parent: it would be missing from the page that had handed it on.
JUDGE = """
INSERT INTO work (tenant_id, stage, entity_id, auto, priority, parent_id)
SELECT parent.tenant_id, 'contact_validation', contacts.id, parent.auto, parent.priority, parent.id
FROM work parent, contacts
WHERE parent.id = %(work)s AND contacts.kind IN ('email', 'phone')
  AND contacts.id = ANY(ARRAY(SELECT contact_id FROM sightings WHERE {here} AND gone_at IS NULL))
ORDER BY contacts.id
ON CONFLICT (stage, entity_id) DO UPDATE SET
    status = 'Queued', due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0,
    attempts = 0, crashes = 0, started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
WHERE work.status IN ('Completed', 'Filtered', 'Error') AND work.finished_at <= clock_timestamp() - %(old)s"""


def see_unchanged(session: Session, turn: Turn, sheet: Sheet) -> None:
    """Note that a turn's page or homepage shows what it did, and queue that for validation; the sweeper rings."""
    entity: Any = turn.entity
    contact_store.see_again(session, sheet, entity.fetched_at)
    if turn.auto:
        values = sheet.values() | {"work": turn.work_id, "old": half_stale()}
        driver = session.connection().connection.driver_connection
        driver.execute(_statement(sheet.here), values)  # type: ignore[union-attr]


@cache
def _statement(here: str) -> bytes:
    return JUDGE.format(here=here).encode()

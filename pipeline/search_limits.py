"""The limits of a search, which a person may change at any time: how much it may cost, how many places it brings."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

import reasons
from models.work import FINISHED
from pipeline import doorbell, progress, searches, window
from pipeline.database import transaction
from pipeline.hold import unless_held
from pipeline.owner import Note, tenant_of
from pipeline.search_order import check_budget, check_most
from pipeline.stage import stage_named

SET = b"""
UPDATE searches SET budget_usd = coalesce(%(usd)s, budget_usd), max_places = coalesce(%(places)s, max_places),
       updated_at = now()
WHERE tenant_id = %(tenant)s AND id = %(id)s"""

HURRY = (
    progress.LINEAGE.format(roots=searches.ROOTS)
    + f"""
UPDATE work SET due_at = {unless_held("clock_timestamp()")}, sent_at = NULL, sends = 0, reason = NULL, error = NULL
FROM lineage WHERE work.id = lineage.id AND work.status = 'Queued' AND work.reason = %(budget)s RETURNING work.stage"""
).encode()

# What ended because there were enough places is asked again once there are not.
REOPEN = (
    progress.LINEAGE.format(roots=searches.ROOTS)
    + """
UPDATE work SET status = 'Queued', due_at = clock_timestamp(), queued_at = clock_timestamp(), sent_at = NULL, sends = 0,
       attempts = 0, crashes = 0, started_at = NULL, finished_at = NULL, reason = NULL, error = NULL
FROM lineage WHERE work.id = lineage.id AND work.status = ANY(%(ended)s) AND work.reason = %(enough)s
  AND EXISTS (SELECT 1 FROM searches WHERE id = ANY(%(ids)s) AND max_places > (
      SELECT count(*) FROM search_places WHERE search_id = searches.id))
RETURNING work.stage"""
).encode()


def set_limits(
    search_id: int,
    *,
    budget_usd: Decimal | None = None,
    max_places: int | None = None,
    tenant_id: UUID | None = None,
    note: Note | None = None,
) -> int:
    """Change what is given, and let go what waited for money or had ended with enough places; give how much."""
    if budget_usd is not None:
        check_budget(budget_usd)
    if max_places is not None:
        check_most(max_places)
    searches.check_exists(search_id, tenant_id)
    values = {"usd": budget_usd, "places": max_places, "tenant": tenant_of(tenant_id), "id": search_id}
    known = searches.values_of([search_id]) | {"budget": reasons.BUDGET, "enough": reasons.ENOUGH_PLACES}
    with transaction() as (_, connection):
        connection.execute(SET, values)
        rows = connection.execute(HURRY, known).fetchall() if budget_usd is not None else []
        if max_places is not None:
            rows += connection.execute(REOPEN, known | {"ended": list(FINISHED)}).fetchall()
        if note:
            note(connection, search_id)
    for name in sorted({name for (name,) in rows}):
        doorbell.ring(window.fill(stage_named(name)))
    return len(rows)

"""The choice of a domain's pages: the best of all its sitemaps, whatever order those were imported in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from errors import LateFinish
from models.page import CHOSEN, OVER_BUDGET
from pipeline.finish import FENCE
from pipeline.hosts import row_of
from pipeline.stage import Turn
from settings import settings

# Work on a domain's sitemaps, by the domain or by one of them.
SITEMAP_WORK = """
SELECT status, due_at, finished_at FROM work
WHERE (stage = 'sitemap_analysis' AND entity_id = {domain})
   OR (stage = 'sitemap_import' AND entity_id IN (SELECT id FROM sitemap_files WHERE domain_id = {domain}))"""

# One statement, so that open work and pages are seen at the same moment. A page that a person has put aside is not
# chosen over his head. The order has no ties, since an address is there once.
CHOOSE = f"""
WITH ours AS (SELECT 1 FROM work WHERE {FENCE}),
open AS (
    SELECT count(*) AS many, min(CASE status WHEN 'Queued' THEN due_at ELSE clock_timestamp() END) AS due_at
    FROM ({SITEMAP_WORK.format(domain="%(domain)s")}) AS own WHERE status IN ('Queued', 'Processing')),
free AS (SELECT 1 FROM ours, open WHERE open.many = 0),
best AS (
    SELECT id FROM pages WHERE domain_id = %(domain)s AND decision_reason IN ('{CHOSEN}', '{OVER_BUDGET}')
        AND vanished_at IS NULL AND curation_status NOT IN ('Not a Fit', 'Archived') AND EXISTS (SELECT 1 FROM free)
    ORDER BY score DESC, depth, url LIMIT %(most)s),
dropped AS (
    UPDATE pages SET decision_reason = '{OVER_BUDGET}', updated_at = now()
    WHERE domain_id = %(domain)s AND decision_reason = '{CHOSEN}' AND id NOT IN (SELECT id FROM best)
      AND EXISTS (SELECT 1 FROM free)),
chosen AS (
    UPDATE pages SET decision_reason = '{CHOSEN}', updated_at = now()
    WHERE id IN (SELECT id FROM best) AND decision_reason <> '{CHOSEN}')
SELECT EXISTS (SELECT 1 FROM ours), open.many, open.due_at, statement_timestamp(), ARRAY(SELECT id FROM best)
FROM open""".encode()

ENDED_SINCE = text(f"""
SELECT count(*) FROM ({SITEMAP_WORK.format(domain=":domain")}) AS own
WHERE status NOT IN ('Queued', 'Processing') AND finished_at >= :since""")


@dataclass(frozen=True, slots=True)
class Choice:
    """The pages chosen for a domain, and when; none while work on its sitemaps is open, which is due at `due_at`."""

    domain_id: int
    open: int
    due_at: datetime | None
    made_at: datetime
    page_ids: tuple[int, ...]


def choose(turn: Turn, domain_id: int) -> Choice:
    """Choose the best pages, up to the domain's budget, unless more of them may yet come."""
    own: dict[str, Any] = {"id": turn.work_id, "token": turn.token, "worker": turn.worker_id}
    row = row_of(CHOOSE, own | {"domain": domain_id, "most": settings().pages_per_domain})
    if row is None or not row[0]:
        raise LateFinish(f"work {turn.work_id} is no longer ours at token {turn.token}")
    _, still_open, due_at, made_at, page_ids = row
    return Choice(domain_id, still_open, due_at, made_at, tuple(page_ids))


def is_outdated(session: Session, choice: Choice) -> bool:
    """Tell whether a sitemap's work has ended since the choice was made.

    Asked in the transaction that ends the choosing. A sitemap's work that ends after it starts the choosing anew.
    """
    values = {"domain": choice.domain_id, "since": choice.made_at}
    return bool(session.execute(ENDED_SINCE, values).scalar_one())

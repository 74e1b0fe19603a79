"""The choice of a domain's pages: the best of all its sitemaps, whatever order those were imported in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from errors import LateFinish
from models.page import CHOSEN, HOMEPAGE_READ, OVER_BUDGET
from pipeline.contact_store import half_stale
from pipeline.finish import FENCE
from pipeline.hosts import row_of
from pipeline.stage import Turn
from settings import settings

# Work on a domain's sitemaps, by the domain or by one of them.
SITEMAP_WORK = """
SELECT status, due_at, finished_at FROM work
WHERE (stage = 'sitemap_analysis' AND entity_id = {domain})
   OR (stage = 'sitemap_import' AND entity_id IN (SELECT id FROM sitemap_files WHERE domain_id = {domain}))"""

# A page is visited again when its sitemaps say that it has changed since it was read. Those that say nothing, or a day
# that was not over then, or one in the future, are believed neither way: then it is visited when it was long ago.
HAS_CHANGED = "pages.lastmod > pages.fetched_at AND pages.lastmod <= clock_timestamp()"
MAY_HAVE_CHANGED = """(pages.fetched_at IS NULL OR pages.lastmod IS NULL
    OR pages.lastmod > pages.fetched_at - interval '1 day') AND visit.finished_at < clock_timestamp() - %(old)s"""

# The work on a page's visit: looked up page by page, whatever the planner knows of their number.
VISIT = """LEFT JOIN LATERAL (
        SELECT id, status, finished_at FROM work WHERE stage = 'page_curation' AND entity_id = pages.id OFFSET 0
    ) AS visit ON true"""

# A page that no sitemap lists any longer may be there all the same. While contacts are known from it, it is visited
# once more, and its answer decides about them.
VANISHED_WITH_CONTACTS = f"""
    SELECT pages.id FROM pages {VISIT}
    WHERE pages.vanished_at > pages.fetched_at AND (visit.finished_at IS NULL OR visit.finished_at < pages.vanished_at)
      AND pages.curation_status NOT IN ('Not a Fit', 'Archived') AND EXISTS (SELECT 1 FROM free)
      AND pages.id = ANY(ARRAY(
          SELECT seen.page_id FROM contacts CROSS JOIN LATERAL (
              SELECT page_id FROM sightings WHERE contact_id = contacts.id AND gone_at IS NULL OFFSET 0) AS seen
          WHERE contacts.domain_id = %(domain)s AND seen.page_id IS NOT NULL))"""

# One statement, so that open work and pages are seen at the same moment. A page that a person has put aside is not
# chosen over his head. The order has no ties, since an address is there once.
CHOOSE = f"""
WITH ours AS (SELECT 1 FROM work WHERE {FENCE}),
open AS (
    SELECT count(*) AS many, min(CASE status WHEN 'Queued' THEN due_at ELSE clock_timestamp() END) AS due_at
    FROM ({SITEMAP_WORK.format(domain="%(domain)s")}) AS own WHERE status IN ('Queued', 'Processing')),
free AS (SELECT 1 FROM ours, open WHERE open.many = 0),
home AS (
    SELECT id, decision_reason FROM pages WHERE domain_id = %(domain)s AND url = ANY(%(homepages)s)
        AND vanished_at IS NULL AND EXISTS (SELECT 1 FROM free)),
best AS (
    SELECT id FROM pages WHERE domain_id = %(domain)s AND decision_reason IN ('{CHOSEN}', '{OVER_BUDGET}')
        AND vanished_at IS NULL AND curation_status NOT IN ('Not a Fit', 'Archived') AND EXISTS (SELECT 1 FROM free)
        AND id NOT IN (SELECT id FROM home)
    ORDER BY score DESC, depth, url LIMIT %(most)s),
dropped AS (
    UPDATE pages SET decision_reason = '{OVER_BUDGET}', updated_at = now()
    WHERE domain_id = %(domain)s AND decision_reason = '{CHOSEN}' AND id NOT IN (SELECT id FROM best)
      AND id NOT IN (SELECT id FROM home) AND EXISTS (SELECT 1 FROM free)),
chosen AS (
    UPDATE pages SET decision_reason = '{CHOSEN}', updated_at = now()
    WHERE id IN (SELECT id FROM best) AND decision_reason <> '{CHOSEN}'),
read AS (
    UPDATE pages SET decision_reason = '{HOMEPAGE_READ}', updated_at = now()
    WHERE id IN (SELECT id FROM home WHERE decision_reason IS DISTINCT FROM '{HOMEPAGE_READ}')),
visits AS (
    SELECT pages.id, visit.status, visit.id IS NULL OR ({HAS_CHANGED}) OR ({MAY_HAVE_CHANGED}) AS is_due
    FROM pages {VISIT}
    WHERE pages.id IN (SELECT id FROM best))
SELECT EXISTS (SELECT 1 FROM ours), open.many, open.due_at, statement_timestamp(), ARRAY(SELECT id FROM best),
       ARRAY(SELECT id FROM visits WHERE is_due UNION {VANISHED_WITH_CONTACTS}),
       EXISTS (SELECT 1 FROM visits WHERE status IN ('Queued', 'Processing')), EXISTS (SELECT 1 FROM home)
FROM open""".encode()

ENDED_SINCE = text(f"""
SELECT count(*) FROM ({SITEMAP_WORK.format(domain=":domain")}) AS own
WHERE status NOT IN ('Queued', 'Processing') AND finished_at >= :since""")


@dataclass(frozen=True, slots=True)
class Choice:
    """The pages chosen for a domain, and when; none while work on its sitemaps is open, which is due at `due_at`.

    `due_ids` are those to be visited now, `is_visiting` tells whether some are under way, `has_homepage` whether the
    homepage is among its pages and was read already.
    """

    domain_id: int
    open: int
    due_at: datetime | None
    made_at: datetime
    page_ids: tuple[int, ...]
    due_ids: tuple[int, ...] = ()
    is_visiting: bool = False
    has_homepage: bool = False


def choose(turn: Turn, domain_id: int, homepages: Sequence[str] = ()) -> Choice:
    """Choose the best pages, up to the domain's budget, unless more of them may yet come.

    `homepages` are the addresses of a homepage that was read already.
    """
    own: dict[str, Any] = {"id": turn.work_id, "token": turn.token, "worker": turn.worker_id}
    given = {"domain": domain_id, "homepages": list(homepages), "most": settings().pages_per_domain}
    row = row_of(CHOOSE, own | given | {"old": half_stale()})
    if row is None or not row[0]:
        raise LateFinish(f"work {turn.work_id} is no longer ours at token {turn.token}")
    _, still_open, due_at, made_at, page_ids, due_ids, is_visiting, has_homepage = row
    return Choice(domain_id, still_open, due_at, made_at, tuple(page_ids), tuple(due_ids), is_visiting, has_homepage)


def is_outdated(session: Session, choice: Choice) -> bool:
    """Tell whether a sitemap's work has ended since the choice was made.

    Asked in the transaction that ends the choosing. A sitemap's work that ends after it starts the choosing anew.
    """
    values = {"domain": choice.domain_id, "since": choice.made_at}
    return bool(session.execute(ENDED_SINCE, values).scalar_one())

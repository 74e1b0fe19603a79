"""The page store: a sitemap's pages in whole chunks, each only while the work is ours; and what none lists now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import reasons
from errors import Filtered, LateFinish
from models.page import CHOSEN, LOW_SCORE, OVER_BUDGET, VANISHED
from pipeline.claim import WITHOUT_WAITING_FOR_DISK
from pipeline.database import Connection, transaction
from pipeline.erased import DOMAIN_IS_ERASED
from pipeline.finish import FENCE
from pipeline.hosts import row_of, rows_of
from pipeline.patience import patiently
from pipeline.stage import Turn
from settings import settings

CHUNK = 5_000

# Held until the chunk is stored: whoever takes the work away waits for it, so no chunk is stored after that. A chunk
# need not wait for the disk: the finish does, and whatever was committed before it is on the disk by then.
OURS = f"SELECT id, {WITHOUT_WAITING_FOR_DISK} FROM work WHERE {FENCE} FOR SHARE".encode()

RUN = f"SELECT name, clock_timestamp(), {DOMAIN_IS_ERASED} FROM domains WHERE id = %(domain)s".encode()

LISTED_NOW = """
ON CONFLICT (sitemap_file_id, page_id) DO UPDATE SET listed_at = EXCLUDED.listed_at
WHERE sitemap_pages.listed_at < EXCLUDED.listed_at"""

# Rows that say what is known already are left as they are: importing a sitemap again writes only what is new. Several
# sitemaps may list a page. What is kept of that does not depend on which of them comes first.
STORE = f"""
WITH stored AS (
INSERT INTO pages (tenant_id, domain_id, sitemap_file_id, url, host, kind, score, depth, lastmod, decision_reason)
SELECT %(tenant)s, %(domain)s, %(sitemap)s, url, %(host)s, kind, score, depth, lastmod,
       CASE WHEN score >= %(floor)s THEN '{OVER_BUDGET}' ELSE '{LOW_SCORE}' END
FROM unnest(%(urls)s::text[], %(kinds)s::text[], %(scores)s::float8[], %(depths)s::int2[], %(lastmods)s::timestamptz[])
    AS given (url, kind, score, depth, lastmod)
ON CONFLICT (domain_id, url) DO UPDATE SET
    sitemap_file_id = least(pages.sitemap_file_id, EXCLUDED.sitemap_file_id),
    lastmod = greatest(pages.lastmod, EXCLUDED.lastmod), vanished_at = NULL, updated_at = now(),
    kind = EXCLUDED.kind, score = EXCLUDED.score, depth = EXCLUDED.depth,
    decision_reason = CASE WHEN pages.decision_reason = '{CHOSEN}' AND EXCLUDED.decision_reason = '{OVER_BUDGET}'
                           THEN '{CHOSEN}' ELSE EXCLUDED.decision_reason END
WHERE pages.vanished_at IS NOT NULL OR pages.decision_reason IS NULL
   OR pages.sitemap_file_id IS DISTINCT FROM least(pages.sitemap_file_id, EXCLUDED.sitemap_file_id)
   OR pages.lastmod IS DISTINCT FROM greatest(pages.lastmod, EXCLUDED.lastmod)
   OR (pages.kind, pages.score, pages.depth) <> (EXCLUDED.kind, EXCLUDED.score, EXCLUDED.depth)
   OR (pages.decision_reason = '{LOW_SCORE}') <> (EXCLUDED.decision_reason = '{LOW_SCORE}')
RETURNING id)
INSERT INTO sitemap_pages (sitemap_file_id, page_id, tenant_id, listed_at)
SELECT %(sitemap)s, id, %(tenant)s, %(run)s FROM stored {LISTED_NOW}""".encode()

# The pages that were known and stay as they are. A statement of its own, which also sees those that the import of
# another sitemap has added meanwhile.
LIST = f"""
INSERT INTO sitemap_pages (sitemap_file_id, page_id, tenant_id, listed_at)
SELECT %(sitemap)s, pages.id, %(tenant)s, %(run)s
FROM unnest(%(urls)s::text[]) given (url) JOIN pages ON pages.domain_id = %(domain)s AND pages.url = given.url
{LISTED_NOW}""".encode()

STALE = b"""
SELECT page_id FROM sitemap_pages
WHERE sitemap_file_id = %(sitemap)s AND page_id > %(after)s AND listed_at < %(run)s ORDER BY page_id LIMIT %(most)s"""

# The pages are locked first: whoever lists one of them at this moment is waited for, or waits and finds it vanished.
LOCK_PAGES = b"SELECT id FROM pages WHERE id = ANY(%(pages)s) ORDER BY id FOR UPDATE"
UNLIST = b"""
DELETE FROM sitemap_pages WHERE sitemap_file_id = %(sitemap)s AND page_id = ANY(%(pages)s) AND listed_at < %(run)s"""
VANISH = f"""
UPDATE pages SET vanished_at = CASE WHEN other.id IS NULL THEN now() END, sitemap_file_id = other.id,
       decision_reason = CASE WHEN other.id IS NULL THEN '{VANISHED}' ELSE decision_reason END, updated_at = now()
FROM (SELECT stale.id AS page_id, min(sitemap_pages.sitemap_file_id) AS id FROM unnest(%(pages)s::bigint[]) stale (id)
      LEFT JOIN sitemap_pages ON sitemap_pages.page_id = stale.id GROUP BY 1) AS other
WHERE pages.id = other.page_id AND (other.id IS NULL OR pages.sitemap_file_id IS DISTINCT FROM other.id)""".encode()


class FoundPage(NamedTuple):
    """One page as a sitemap lists it."""

    url: str
    kind: str
    score: float
    depth: int
    lastmod: datetime | None


@dataclass(frozen=True, slots=True)
class Run:
    """One reading of one sitemap, from its turn's claim to its end; `started_at` is the database's clock."""

    turn: Turn
    sitemap_id: int
    domain_id: int
    host: str
    started_at: datetime

    @property
    def values(self) -> dict[str, Any]:
        """The parameters that every statement of the run shares."""
        own = {"id": self.turn.work_id, "token": self.turn.token, "worker": self.turn.worker_id}
        entity = {"sitemap": self.sitemap_id, "domain": self.domain_id, "tenant": self.turn.tenant_id}
        return own | entity | {"host": self.host, "run": self.started_at}


def begin(turn: Turn, sitemap_id: int, domain_id: int) -> Run:
    """Begin to read a sitemap."""
    row = row_of(RUN, {"domain": domain_id})
    if row is None:
        raise LateFinish(f"domain {domain_id} is gone, and its sitemap {sitemap_id} with it")
    name, started_at, is_erased = row
    if is_erased:
        raise Filtered(reasons.ERASED)
    return Run(turn, sitemap_id, domain_id, name, started_at)


def store(run: Run, pages: Sequence[FoundPage]) -> int:
    """Store a chunk of a sitemap's pages; give how many of them this reading had not listed before.

    Raises LateFinish, with nothing of the chunk stored, when the work is no longer ours.
    """
    # One order for all: two imports that store the same pages at once would otherwise wait for each other in a circle.
    found = sorted({page.url: page for page in pages}.values())
    values = run.values | _columns(found) | {"floor": settings().page_score_floor}
    return patiently(partial(_store, run, values, len(found)))


def _columns(found: Sequence[FoundPage]) -> dict[str, str]:
    """Write each column as PostgreSQL writes arrays: the driver would take a third of an import's time for that."""
    urls, kinds, scores, depths, lastmods = zip(*found, strict=True)
    return {
        "urls": '{"' + '","'.join(urls) + '"}',
        "kinds": "{" + ",".join(kinds) + "}",
        "scores": "{" + ",".join(map(repr, scores)) + "}",
        "depths": "{" + ",".join(map(str, depths)) + "}",
        "lastmods": "{" + ",".join("NULL" if at is None else f'"{at}"' for at in lastmods) + "}",
    }


def _store(run: Run, values: dict[str, Any], many: int) -> int:
    with transaction() as (_, connection):
        _check_ours(connection, run, values)
        listed = connection.execute(STORE, values).rowcount
        return listed if listed == many else listed + connection.execute(LIST, values).rowcount


def _check_ours(connection: Connection, run: Run, values: dict[str, Any]) -> None:
    if connection.execute(OURS, values).fetchone() is None:
        raise LateFinish(f"work {run.turn.work_id} is no longer ours at token {run.turn.token}")


def unlist(run: Run) -> int:
    """Forget what the sitemap listed before and no longer does; what no other lists has vanished. Give how many."""
    many, after = 0, 0
    while pages := _stale(run, after):
        many, after = many + patiently(partial(_unlist, run, pages)), pages[-1]
    return many


def _stale(run: Run, after: int) -> list[int]:
    return [page for (page,) in rows_of(STALE, run.values | {"after": after, "most": CHUNK})]


def _unlist(run: Run, pages: list[int]) -> int:
    values = run.values | {"pages": pages}
    with transaction() as (_, connection):
        _check_ours(connection, run, values)
        connection.execute(LOCK_PAGES, values)
        gone = connection.execute(UNLIST, values).rowcount
        connection.execute(VANISH, values)
        return gone

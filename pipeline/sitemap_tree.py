"""The tree of a domain's sitemaps: which an index has brought, which are known, and how many more may come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from pipeline.hosts import row_of, rows_of
from pipeline.stage import Turn

KNOWN = b"""
SELECT (SELECT count(*) FROM sitemap_files WHERE domain_id = %(domain)s),
       ARRAY(SELECT url FROM sitemap_files WHERE domain_id = %(domain)s AND url = ANY(%(urls)s))"""

# A sitemap belongs to the index that brought it first, so indexes that name each other do not start each other for
# ever. One that has run since this work was queued is not asked for twice.
BROUGHT_BY = b"""
SELECT child.id FROM sitemap_files child
LEFT JOIN work ON work.stage = %(stage)s AND work.entity_id = child.id
WHERE child.parent_id = %(sitemap)s AND child.id <> %(sitemap)s
  AND (work.finished_at IS NULL OR work.finished_at < (SELECT queued_at FROM work WHERE id = %(work)s))
ORDER BY child.id"""

KEEP = text("""
UPDATE sitemap_files SET kind = coalesce(:kind, kind), status_code = :status_code, size_bytes = :size_bytes,
       url_count = :url_count, left_out = CAST(:left_out AS jsonb), truncated = :truncated, etag = :etag,
       last_modified = :last_modified, content_hash = :content_hash, fetched_at = clock_timestamp(), updated_at = now(),
       imported_at = CASE WHEN :truncated THEN imported_at ELSE clock_timestamp() END
WHERE id = :sitemap""")

NOTE_VISIT = text("UPDATE sitemap_files SET fetched_at = clock_timestamp() WHERE id = :sitemap")


def known_among(domain_id: int, urls: Sequence[str]) -> tuple[int, set[str]]:
    """Count a domain's sitemaps, and tell which of these addresses are among them."""
    row = row_of(KNOWN, {"domain": domain_id, "urls": list(urls)})
    return (row[0], set(row[1])) if row else (0, set())


def brought_by(turn: Turn) -> list[int]:
    """Give the sitemaps that an index brought and that have not been read since its own work was queued."""
    values = {"sitemap": turn.entity_id, "work": turn.work_id, "stage": turn.stage.name}
    return [child for (child,) in rows_of(BROUGHT_BY, values)]


def keep(session: Session, sitemap_id: int, facts: Mapping[str, Any] | None) -> None:
    """Note what was read, or only that somebody looked, on the sitemap."""
    if facts is None:
        session.execute(NOTE_VISIT, {"sitemap": sitemap_id})
    else:
        session.execute(KEEP, {**facts, "sitemap": sitemap_id})

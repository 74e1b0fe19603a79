"""SitemapFile → Page: read it while it arrives, store its pages chunk by chunk, and hand further sitemaps on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import BinaryIO, cast

from sqlalchemy.orm import Session

import reasons
from errors import Filtered, Final, Trouble
from fetching.response import Body
from fetching.web import Web
from models import SitemapFile
from pipeline import page_store, sitemap_tree
from pipeline.declare import stage
from pipeline.sitemap_reading import Reading
from pipeline.stage import Child, Done, Snapshot, Turn
from pipeline.visit import visit
from services.page_url import normalise
from services.sitemap import Refused, SitemapEntry, read
from settings import settings

MOST_DEPTH = 5
UNLIMITED = 2**40  # bytes: the reader ends a file that is too long where it may no longer read on
AT_ONCE = timedelta(0)


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Note on the sitemap what was read."""
    sitemap_tree.keep(session, turn.entity_id, done.value.facts() if isinstance(done.value, Reading) else None)


@stage(
    entity=SitemapFile,
    successors=("page_ranking", "sitemap_import"),
    lane="host",
    save=keep,
    attempts=5,
    time_limit=timedelta(minutes=20),
    sweep_defaults={"interval_minutes": 1, "batch_size": 20, "max_instances": 1},
)
def sitemap_import(sitemap: Snapshot, turn: Turn) -> Done:
    """Store the pages that a sitemap lists; hand on its domain to be ranked, and the sitemaps that it names."""
    reading = Reading(page_store.begin(turn, sitemap.id, sitemap.domain_id))
    if sitemap.method == "homepage_links":
        reading.take_all(_links(sitemap))
        return _done(sitemap, turn, reading)
    try:
        with _opened(sitemap, turn) as body:
            if body.is_not_modified:
                return Done([*_brought_before(turn), _ranking(reading)], reason=reasons.UNCHANGED)
            _read_file(body, turn, reading)
    except Final as trouble:
        if trouble.reason == reasons.NOT_FOUND and sitemap.imported_at is not None:
            return _without_pages(reading, reasons.NOT_FOUND)
        raise
    return _done(sitemap, turn, reading)


def _links(sitemap: Snapshot) -> Iterator[SitemapEntry]:
    """Give the homepage's own links, which are here already: nobody need be asked."""
    urls = (normalise(str(link), sitemap.url) for link in sitemap.links)
    return (SitemapEntry(url) for url in urls if url is not None)


def _opened(sitemap: Snapshot, turn: Turn) -> AbstractContextManager[Body]:
    """Ask for the file; once it was imported whole, only if it has changed."""
    is_known = sitemap.imported_at is not None
    return Web(visit(turn)).stream(
        sitemap.url,
        max_bytes=UNLIMITED,
        total_seconds=settings().sitemap_max_seconds,
        etag=sitemap.etag if is_known else None,
        last_modified=sitemap.last_modified if is_known else None,
    )


def _read_file(body: Body, turn: Turn, reading: Reading) -> None:
    hashed = Hashed(body)
    reader = read(cast(BinaryIO, hashed), url=body.url, max_bytes=settings().sitemap_max_bytes)
    reading.note_answer(body.status, body.etag, body.last_modified)
    try:
        reading.take_all(reader)
    except Refused as refused:
        if not reading.found:
            raise Filtered(refused.reason, value=reading.cut(refused.reason)) from refused
        reading.cut(refused.reason)
    except Trouble as trouble:
        if not reading.found or turn.attempt < turn.stage.attempts:
            raise
        reading.cut(trouble.reason)  # there is no other try, and some pages are better than none
    if reader.truncated:
        reading.cut(reasons.TRUNCATED)
    reading.note_file(reader.kind, skipped=reader.skipped, size=hashed.size, digest=hashed.digest())


def _done(sitemap: Snapshot, turn: Turn, reading: Reading) -> Done:
    reading.flush()
    if not (reading.listed or reading.sitemaps):
        return _without_pages(reading, next(iter(reading.left_out), reasons.EMPTY_SITEMAP))
    if not reading.cut_short:
        page_store.unlist(reading.run)
    hashed = reading.marks["content_hash"]
    is_same = sitemap.imported_at is not None and hashed is not None and hashed == sitemap.content_hash
    children = [*_sitemaps(sitemap, turn, reading)]
    if reading.listed:
        children.append(_ranking(reading))
    reason = reading.cut_short or (reasons.UNCHANGED if is_same else None)
    if not children:
        reason = reason or next(iter(reading.left_out), reasons.NO_NEW_CHILDREN)
    return Done(children, reason=reason, value=reading)


def _without_pages(reading: Reading, reason: str) -> Done:
    """End a sitemap that lists nothing of the domain; when it did before, what is left must be chosen from anew."""
    if reading.cut_short or not page_store.unlist(reading.run):
        raise Filtered(reason, value=reading)
    return Done([_ranking(reading)], reason=reason, value=reading)


def _ranking(reading: Reading) -> Child:
    """Have the domain's pages ranked; again, when that was done before these were there."""
    return Child(entity_id=reading.run.domain_id, stage="page_ranking", again_after=AT_ONCE)


def _sitemaps(sitemap: Snapshot, turn: Turn, reading: Reading) -> list[Child]:
    """Hand on the sitemaps that an index names: those that are not known yet, and those that it brought before."""
    if not reading.sitemaps:
        return []
    many, known = sitemap_tree.known_among(sitemap.domain_id, list(reading.sitemaps))
    wanted = [entry for url, entry in reading.sitemaps.items() if url not in known]
    room = max(settings().sitemap_max_files - many, 0) if sitemap.depth < MOST_DEPTH else 0
    if wanted[room:]:
        reason = reasons.TOO_MANY_SITEMAPS if sitemap.depth < MOST_DEPTH else reasons.TOO_DEEP
        reading.left_out[reason] += len(wanted) - room
    own = {"domain_id": sitemap.domain_id, "host": reading.run.host, "parent_id": sitemap.id}
    own |= {"method": "sitemap_index", "depth": sitemap.depth + 1}
    rows = [own | {"url": entry.url, "lastmod": entry.lastmod} for entry in wanted[:room]]
    return [*(Child(row=row, stage=turn.stage.name) for row in rows), *_brought_before(turn)]


def _brought_before(turn: Turn) -> list[Child]:
    """Have the sitemaps read again that an index brought in an earlier run: they may change while it does not."""
    known = sitemap_tree.brought_by(turn)
    return [Child(entity_id=child, stage=turn.stage.name, again_after=AT_ONCE) for child in known]


class Hashed:
    """A file that counts and hashes what is read from it."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.size = 0
        self._hash = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """Read at most so many bytes."""
        part = self.body.read(size) or b""
        self.size += len(part)
        self._hash.update(part)
        return part

    def digest(self) -> str:
        """Give the hash of what was read."""
        return self._hash.hexdigest()

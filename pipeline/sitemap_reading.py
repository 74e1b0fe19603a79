"""One reading of one sitemap: its entries pass by, pages are stored in chunks, and what is left out is counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import reasons
from errors import Snooze
from pipeline import lease, page_store
from pipeline.children import clean
from pipeline.page_store import CHUNK, FoundPage, Run
from services.host import registrable_domain
from services.page import classify
from services.sitemap import ChildSitemap, SitemapEntry
from settings import settings

LONGEST_MARK = 1024  # an ETag that is longer is not worth keeping


class Reading:
    """Holds a chunk of pages and the further sitemaps, which are few; never the whole list."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.found = self.listed = 0
        self.left_out: Counter[str] = Counter()
        self.sitemaps: dict[str, ChildSitemap] = {}
        self.cut_short: str | None = None  # the reason why it was not read to its end
        self.about: dict[str, Any] = {"kind": None, "status_code": None, "size_bytes": None}
        self.marks: dict[str, str | None] = {"etag": None, "last_modified": None, "content_hash": None}
        self._chunk: list[FoundPage] = []
        self._most_urls, self._most_sitemaps = settings().sitemap_max_urls, settings().sitemap_max_files
        self._origin, self._is_own = "", False

    def take_all(self, entries: Iterable[SitemapEntry | ChildSitemap]) -> None:
        """Take entries as they come, up to the limit."""
        for entry in entries:
            if self.found >= self._most_urls:
                self.cut(reasons.TOO_MANY_URLS)
                return
            self.found += 1
            if not self._is_ours(entry.url):
                self.left_out[reasons.OTHER_DOMAIN] += 1
            elif isinstance(entry, ChildSitemap):
                self._take_sitemap(entry)
            else:
                self._take_page(entry)

    def _is_ours(self, url: str) -> bool:
        """Tell whether an address belongs to the domain; the next one is mostly of the same host."""
        origin = url[: url.find("/", 8)]
        if origin != self._origin:
            host = origin.partition("://")[2].partition(":")[0]
            self._origin, self._is_own = origin, registrable_domain(host) == self.run.host
        return self._is_own

    def _take_page(self, entry: SitemapEntry) -> None:
        page = classify(entry.url)
        self._chunk.append(FoundPage(entry.url, page.kind, page.score, page.depth, entry.lastmod))
        if len(self._chunk) >= CHUNK:
            self.flush()

    def _take_sitemap(self, entry: ChildSitemap) -> None:
        if len(self.sitemaps) < self._most_sitemaps or entry.url in self.sitemaps:
            self.sitemaps[entry.url] = entry
        else:
            self.left_out[reasons.TOO_MANY_SITEMAPS] += 1

    def flush(self) -> None:
        """Store the pages that wait; what is stored stays, so a worker that is told to stop may do so here."""
        if lease.current().draining.is_set():
            raise Snooze(reasons.DRAINED, until=datetime.now(UTC))
        if self._chunk:
            self.listed += page_store.store(self.run, self._chunk)
            self._chunk.clear()

    def cut(self, reason: str) -> Reading:
        """Note that there was more, and why it was not read; the first reason is the one."""
        self.cut_short = self.cut_short or reason
        return self

    def note_answer(self, status: int, etag: str | None, last_modified: str | None) -> None:
        """Keep what is sent back with the next visit."""
        self.about["status_code"] = status
        self.marks |= {"etag": etag, "last_modified": last_modified}

    def note_file(self, kind: str | None, *, skipped: int, size: int, digest: str) -> None:
        """Note what the file was, once it has been read."""
        self.about |= {"kind": kind, "size_bytes": size}
        self.marks["content_hash"] = digest
        if skipped:
            self.left_out[reasons.BAD_ADDRESS] = skipped

    def facts(self) -> Mapping[str, Any]:
        """Give what is stored of the sitemap; what was not read whole is to be read again, so it gets no marks."""
        marks = {
            name: clean(mark) if mark and not self.cut_short and len(mark) <= LONGEST_MARK else None
            for name, mark in self.marks.items()
        }
        counts = {"url_count": self.listed, "left_out": json.dumps(self.left_out)}
        return self.about | marks | counts | {"truncated": self.cut_short is not None}

"""Sitemap XML: urlset, index, RSS and Atom as entries, each given as soon as it ends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from services.page_url import normalise
from services.sitemap_date import moment
from services.sitemap_entry import HOSTILE, NOT_A_SITEMAP, ChildSitemap, Kind, Refused, SitemapEntry
from services.sitemap_markup import Markup, Token, resolve

# The file's kind by its outermost element; some files have lost it and begin with what it holds.
ROOTS: dict[str, Kind] = {
    "urlset": "standard",
    "sitemapindex": "index",
    "rss": "feed",
    "rdf": "feed",
    "feed": "feed",
    "url": "standard",
    "sitemap": "index",
    "channel": "feed",
}
ENTRIES = {"standard": ("url", "sitemap"), "index": ("sitemap", "url"), "feed": ("item", "entry")}
FIELDS = {
    "standard": {"loc": "loc", "lastmod": "lastmod", "priority": "priority", "changefreq": "changefreq"},
    "index": {"loc": "loc", "lastmod": "lastmod"},
    "feed": {
        "link": "loc",
        "guid": "guid",
        "pubdate": "lastmod",
        "updated": "lastmod",
        "dc:date": "lastmod",
        "published": "published",
        "modified": "lastmod",
    },
}
EXTENSIONS: dict[str, Kind] = {"image": "image", "video": "video", "news": "news"}
WEB_PAGES = frozenset(("html", "head", "body", "script"))
FREQUENCIES = frozenset(("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"))
LONGEST_TEXT = 16 * 1024
PATIENCE = 1000  # tokens without any element of a sitemap
XINCLUDE = "/XInclude"

# A whole entry as nearly everybody writes it, any extensions last; all else goes tag by tag.
_USUAL = re.compile(
    r"\s*+<url>\s*+<loc>([^<]*+)</loc>"
    r"(?:\s*+<lastmod>([^<]*+)</lastmod>)?+(?:\s*+<changefreq>([^<]*+)</changefreq>)?+"
    r"(?:\s*+<priority>([^<]*+)</priority>)?+\s*+((?:</?[a-z]++:[a-z]++[^<>]*+>[^<]*+)*+)</url>"
)
_HREF = re.compile(r"\bhref\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')", re.IGNORECASE)
_REL = re.compile(r"\brel\s*+=\s*+[\"']?+\s*+(?!alternate\b)[a-z]", re.IGNORECASE)
_NO_LINK = re.compile(r"\bispermalink\s*+=\s*+[\"']?+\s*+false", re.IGNORECASE)


class Xml:
    """Reads entries from markup and counts what it could not use."""

    def __init__(self, markup: Markup, url: str) -> None:
        self.markup, self.url = markup, url
        self.root_kind: Kind | None = None
        self.root, self.is_ended, self.skipped = "", False, 0  # is_ended: the outermost element was closed
        self.patience = PATIENCE
        self.entries, self.extensions = 0, Counter[str]()
        self._forget()

    def _forget(self) -> None:
        self.entry, self.depth, self.field = "", 0, ""
        self.values: dict[str, str] = {}
        self.seen: set[str] = set()
        self.text: list[str] = []
        self.length = 0

    @property
    def kind(self) -> Kind | None:
        """Name a list after an extension that at least half of its pages have; a page may well have one picture."""
        if self.root_kind != "standard" or not self.extensions:
            return self.root_kind
        (name, times), *_ = self.extensions.most_common(1)
        return EXTENSIONS[name] if times * 2 >= self.entries else "standard"

    def read(self) -> Iterator[SitemapEntry | ChildSitemap]:
        """Give the entries to the end of the outermost element or of the text."""
        while not self.is_ended and (token := self.markup.token()) is not None:
            if self.field and token.text:
                self._hear(token.text)
            if token.name and (ended := self._end(token) if token.is_end else self._start(token)):
                yield ended
            if not self.entry and self._is_list():
                yield from self._usual()
        if self.root_kind is None:
            raise Refused(NOT_A_SITEMAP)
        if "loc" in self.values and (last := self._finish()):
            yield last

    def _is_list(self) -> bool:
        """Tell whether usual entries may follow; what never becomes a sitemap is not read to its end."""
        if self.root_kind is None:
            self.patience -= 1
            if not self.patience:
                raise Refused(NOT_A_SITEMAP)
        return self.root_kind == "standard" and not self.markup.until

    def _usual(self) -> Iterator[SitemapEntry]:
        """Take entries whole as long as they look usual."""
        base = self.url
        while True:
            for found in self.markup.runs(_USUAL):
                loc, lastmod, changefreq, priority, more = found.groups()
                if more:
                    self._extend(more)
                self.entries += 1
                url = normalise(resolve(loc), base)
                if url is None:
                    self.skipped += 1
                    continue
                yield SitemapEntry(url, moment(lastmod or ""), _priority(priority or ""), _frequency(changefreq or ""))
            if not self.markup.refill():
                return

    def _extend(self, more: str) -> None:
        """Count the extensions of an entry that was taken whole."""
        for name in EXTENSIONS:
            if f":{name}" in more:
                self.extensions[name] += 1
        if ":include" in more.lower() or XINCLUDE in more:
            raise Refused(HOSTILE)

    def _hear(self, text: str) -> None:
        if self.length <= LONGEST_TEXT:
            self.length += len(text)
            self.text.append(text)

    def _start(self, tag: Token) -> SitemapEntry | ChildSitemap | None:
        prefix, _, local = tag.name.rpartition(":")
        if local == "include" or XINCLUDE in tag.attributes:
            raise Refused(HOSTILE)
        if self.root_kind is None:
            self._begin(local, tag)
        finished = None
        if self.root_kind is not None and local in ENTRIES[self.root_kind] and self._is_ours(prefix):
            finished = self._finish() if self.entry else None
            self._forget()
            self.entry = tag.name
        elif self.entry:
            self._inside(tag, prefix, local)
        return finished

    def _is_ours(self, prefix: str) -> bool:
        """Tell an entry from an element of an extension that has the same name."""
        return not self.entry or self.entry.rpartition(":")[0] == prefix

    def _begin(self, local: str, tag: Token) -> None:
        """Take an element for the outermost one; what stands before it is a server's muttering."""
        if local in WEB_PAGES:
            raise Refused(NOT_A_SITEMAP)
        self.root_kind = ROOTS.get(local)
        if self.root_kind is not None:
            self.root = tag.name if local not in ("url", "sitemap") else ""

    def _inside(self, tag: Token, prefix: str, local: str) -> None:
        self._close()
        if self.depth == 0:
            self._child(tag, prefix, local)
        if not tag.is_empty:
            self.depth += 1
        else:
            self.field = ""

    def _child(self, tag: Token, prefix: str, local: str) -> None:
        """Listen to a field that is the entry's own; an image's address is not the page's."""
        fields = FIELDS[self.root_kind or "standard"]
        name = local if prefix == self.entry.rpartition(":")[0] else tag.name
        if local in EXTENSIONS:
            self.seen.add(local)
        if name == "link" and self.root_kind == "feed" and (href := _HREF.search(tag.attributes)):
            if not _REL.search(tag.attributes):
                self.values.setdefault("loc", resolve(href[1] or href[2] or ""))
        elif name in fields and not (name == "guid" and _NO_LINK.search(tag.attributes)):
            self.field = fields[name]

    def _end(self, tag: Token) -> SitemapEntry | ChildSitemap | None:
        if self.root and tag.name == self.root:
            self.is_ended = True
        if not self.entry:
            return None
        self._close()
        if tag.name == self.entry or self.is_ended:
            finished = self._finish()
            self._forget()
            return finished
        self.depth = max(0, self.depth - 1)
        return None

    def _close(self) -> None:
        """Keep what a field said, the first time that it said anything."""
        if not self.field:
            return
        text = resolve("".join(self.text)).strip() if self.length <= LONGEST_TEXT else ""
        if text:
            self.values.setdefault(self.field, text)
        self.field, self.length = "", 0
        self.text.clear()

    def _finish(self) -> SitemapEntry | ChildSitemap | None:
        self.entries += 1
        self.extensions.update(self.seen)
        values = self.values
        url = normalise(values.get("loc") or values.get("guid") or "", self.url)
        if url is None:
            self.skipped += 1
            return None
        lastmod = moment(values.get("lastmod") or values.get("published") or "")
        if self.root_kind == "index" or self.entry.endswith("sitemap"):
            return ChildSitemap(url, lastmod)
        return SitemapEntry(
            url, lastmod, _priority(values.get("priority", "")), _frequency(values.get("changefreq", ""))
        )


@lru_cache(maxsize=256)
def _priority(text: str) -> float | None:
    try:
        number = float(text.strip().replace(",", ".")) if len(text) <= 16 else -1.0
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


@lru_cache(maxsize=256)
def _frequency(text: str) -> str | None:
    word = text.strip().lower()
    return word if word in FREQUENCIES else None

"""Sitemap: any stream of bytes to the pages and further sitemaps it names, in constant memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Protocol

from services.sitemap_bytes import Packed, Text
from services.sitemap_entry import NOT_A_SITEMAP, ChildSitemap, Kind, Refused, SitemapEntry
from services.sitemap_markup import Markup
from services.sitemap_text import Lines, looks_listed
from services.sitemap_xml import ROOTS, Xml

__all__ = ["MOST_BYTES", "ChildSitemap", "Kind", "Reader", "Refused", "SitemapEntry", "read"]

MOST_BYTES = 1 << 30  # unpacked; twenty times what the protocol allows

_MARKUP = re.compile(rf"(?i)<(?:[\w.-]{{1,64}}:)?(?:{'|'.join(ROOTS)})[\s/>]|<!(?:doctype|entity)\b")


class Body(Protocol):
    """What reads the text of one kind of file."""

    skipped: int
    is_ended: bool

    @property
    def kind(self) -> Kind | None: ...

    def read(self) -> Iterator[SitemapEntry | ChildSitemap]: ...


class Reader(Iterator[SitemapEntry | ChildSitemap]):
    """The entries of one sitemap; what it says of the whole file is final after the last of them."""

    def __init__(self, stream: BinaryIO, url: str, max_bytes: int) -> None:
        self.url = url
        self._text = Text(stream, max_bytes)
        self._body: Body | None = None
        self._entries = self._read()

    @property
    def kind(self) -> Kind | None:
        """Name what the file is; None before the first entry was asked for."""
        return self._body.kind if self._body else None

    @property
    def truncated(self) -> bool:
        """Tell whether the file should have gone on."""
        return self._text.is_cut or not (self._body and self._body.is_ended)

    @property
    def skipped(self) -> int:
        """Count the entries without an address that can be used."""
        return self._body.skipped if self._body else 0

    def __iter__(self) -> Iterator[SitemapEntry | ChildSitemap]:
        return self._entries

    def __next__(self) -> SitemapEntry | ChildSitemap:
        return next(self._entries)

    def _read(self) -> Iterator[SitemapEntry | ChildSitemap]:
        pieces = self._text.pieces()
        try:
            head = next(pieces)
        except Packed as packed:
            raise Refused(NOT_A_SITEMAP) from packed
        whole = chain((head,), pieces)
        if _MARKUP.search(head):
            self._body = Xml(Markup(whole), self.url)
        elif looks_listed(head):
            self._body = Lines(whole, self.url)
        else:
            raise Refused(NOT_A_SITEMAP)
        yield from self._body.read()


def read(stream: BinaryIO, *, url: str, max_bytes: int = MOST_BYTES) -> Reader:
    """Read a sitemap, index, text list or feed, packed or not, as it comes; `url` is where it was found.

    Damaged files are read as far as they go, and the reader then says `truncated`. Iterating raises Refused for what
    is no sitemap and for XML that declares entities, a document type or inclusions; errors of the stream pass through.
    """
    return Reader(stream, url, max_bytes)

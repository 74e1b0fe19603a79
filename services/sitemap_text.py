"""Sitemap text: one address a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.page_url import normalise
from services.sitemap_entry import Kind, SitemapEntry

LONGEST_LINE = 16 * 1024
LINES_LOOKED_AT = 20

_LINE_END = re.compile(r"[\r\n]")
_ADDRESS = re.compile(r"(?i)https?://[^\s<>\"]+")


def looks_listed(head: str) -> bool:
    """Tell a list from prose: at least half of its first lines are addresses."""
    lines = [line for line in map(str.strip, _LINE_END.split(head, 200)[:200]) if line and not line.startswith("#")]
    lines = lines[:LINES_LOOKED_AT]
    return bool(lines) and sum(_ADDRESS.fullmatch(line) is not None for line in lines) * 2 >= len(lines)


class Lines:
    """Reads a list of addresses and counts the lines that are none."""

    kind: Kind = "text"

    def __init__(self, pieces: Iterator[str], url: str) -> None:
        self.pieces, self.url = pieces, url
        self.skipped, self.is_ended = 0, False

    def read(self) -> Iterator[SitemapEntry]:
        """Give the addresses to the end."""
        for line in self._lines():
            if not line or line.startswith("#"):
                continue
            url = normalise(line, self.url) if _ADDRESS.fullmatch(line) or line.startswith("/") else None
            if url is None:
                self.skipped += 1
            else:
                yield SitemapEntry(url)
        self.is_ended = True

    def _lines(self) -> Iterator[str]:
        """Cut the text into lines; of one that has no end, no more is kept than shows that it is too long."""
        rest = ""
        for piece in self.pieces:
            *lines, rest = _LINE_END.split(rest + piece)
            yield from map(str.strip, lines)
            rest = rest[: LONGEST_LINE + 1]
        yield rest.strip()

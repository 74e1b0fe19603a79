"""Writers of well-formed sitemaps: list, index, text, RSS and Atom, each from a list of addresses."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import format_datetime
from html import escape

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PIECE = 1_000  # entries that are put together before they are sent


@dataclass(frozen=True, slots=True)
class Entry:
    """One address of a sitemap."""

    url: str
    changed: date
    title: str = ""


def urlset(entries: Iterable[Entry], *, namespace: str = NAMESPACE) -> bytes:
    """Write a plain sitemap."""
    rows = "".join(map(_url, entries))
    return f'{HEAD}<urlset xmlns="{namespace}">\n{rows}</urlset>\n'.encode()


def _url(entry: Entry) -> str:
    return f"<url><loc>{escape(entry.url)}</loc><lastmod>{entry.changed.isoformat()}</lastmod></url>\n"


def streamed_urlset(entries: Iterator[Entry]) -> Iterator[bytes]:
    """Write a big sitemap piece by piece."""
    yield f'{HEAD}<urlset xmlns="{NAMESPACE}">\n'.encode()
    rows: list[str] = []
    for entry in entries:
        rows.append(_url(entry))
        if len(rows) == PIECE:
            yield "".join(rows).encode()
            rows.clear()
    yield ("".join(rows) + "</urlset>\n").encode()


def index(entries: Iterable[Entry]) -> bytes:
    """Write an index of further sitemaps."""
    rows = "".join(
        f"<sitemap><loc>{escape(entry.url)}</loc><lastmod>{entry.changed.isoformat()}</lastmod></sitemap>\n"
        for entry in entries
    )
    return f'{HEAD}<sitemapindex xmlns="{NAMESPACE}">\n{rows}</sitemapindex>\n'.encode()


def zipped(sitemap: bytes) -> bytes:
    """Pack a sitemap as a .gz file, without a time in it, so that the same sitemap is the same file."""
    return gzip.compress(sitemap, mtime=0)


def text(entries: Iterable[Entry]) -> bytes:
    """Write one address a line."""
    return "".join(f"{entry.url}\n" for entry in entries).encode()


def rss(entries: Iterable[Entry], *, name: str, home: str) -> bytes:
    """Write an RSS feed."""
    rows = "".join(
        f"<item><title>{escape(entry.title)}</title><link>{escape(entry.url)}</link>"
        f"<guid>{escape(entry.url)}</guid><pubDate>{_mail_date(entry.changed)}</pubDate></item>\n"
        for entry in entries
    )
    top = f"<title>{escape(name)}</title><link>{escape(home)}</link><description>{escape(name)}</description>"
    return f'{HEAD}<rss version="2.0"><channel>{top}\n{rows}</channel></rss>\n'.encode()


def atom(entries: Iterable[Entry], *, name: str, home: str) -> bytes:
    """Write an Atom feed."""
    rows = "".join(
        f'<entry><title>{escape(entry.title)}</title><link href="{escape(entry.url)}"/><id>{escape(entry.url)}</id>'
        f"<updated>{entry.changed.isoformat()}T08:30:00Z</updated></entry>\n"
        for entry in entries
    )
    top = f"<title>{escape(name)}</title><id>{escape(home)}</id><updated>2026-01-01T00:00:00Z</updated>"
    return f'{HEAD}<feed xmlns="http://www.w3.org/2005/Atom">{top}\n{rows}</feed>\n'.encode()


def _mail_date(day: date) -> str:
    return format_datetime(datetime(day.year, day.month, day.day, 8, 30, tzinfo=UTC))

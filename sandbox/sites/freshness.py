"""When a page last changed, its ETag, and the short answer for a visitor who has it already."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache

from sandbox.message import Reply, Request

FIRST_DAY = date(2024, 1, 2)
DAYS = 700


def changed_on(host: str, path: str) -> date:
    """Say on which day a page last changed: a function of its address, so sitemap and header agree."""
    return _day(zlib.crc32(f"{host}{path}".encode()) % DAYS)


@lru_cache(maxsize=DAYS)
def _day(number: int) -> date:
    return FIRST_DAY + timedelta(days=number)


@lru_cache(maxsize=DAYS)
def _http_date(day: date) -> str:
    return format_datetime(datetime(day.year, day.month, day.day, 8, 30, tzinfo=UTC), usegmt=True)


def dated(request: Request, host: str, reply: Reply) -> Reply:
    """Add ETag and Last-Modified to a good reply, or answer 304 when the visitor's copy is still right."""
    if reply.status != 200:
        return reply
    # What is streamed is a function of its address, as all is here; it need not be made to be told from others.
    body = reply.body if isinstance(reply.body, bytes) else f"{host}{request.path}".encode()
    etag = f'"{len(body):x}-{zlib.crc32(body):08x}"'
    day = changed_on(host, request.path)
    headers = (("ETag", etag), ("Last-Modified", _http_date(day)))
    if _is_known(request.headers, etag, day):
        return Reply(304, b"", None, headers)
    return Reply(200, reply.body, reply.content_type, reply.headers + headers)


def _is_known(headers: Mapping[str, str], etag: str, day: date) -> bool:
    """If-None-Match wins over If-Modified-Since, as HTTP says."""
    known = headers.get("if-none-match")
    if known is not None:
        return known.strip() == "*" or etag in (tag.strip().removeprefix("W/") for tag in known.split(","))
    since = headers.get("if-modified-since")
    return since is not None and _is_not_before(since, day)


def _is_not_before(since: str, day: date) -> bool:
    try:
        moment = parsedate_to_datetime(since)
    except ValueError:
        return False
    return moment.replace(tzinfo=UTC) >= parsedate_to_datetime(_http_date(day))

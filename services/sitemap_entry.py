"""Sitemap entry: what a sitemap says of one page or of one further sitemap."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["index", "standard", "image", "video", "news", "text", "feed"]
HOSTILE, NOT_A_SITEMAP = "hostile-xml", "not-a-sitemap"


class Refused(ValueError):
    """A file that is not read, or not read on; `reason` is hostile-xml or not-a-sitemap."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One page: its address is absolute http(s) and spelt the one way it is stored."""

    url: str
    lastmod: datetime | None = None
    priority: float | None = None  # 0 to 1
    changefreq: str | None = None


@dataclass(frozen=True, slots=True)
class ChildSitemap:
    """One further sitemap that an index names."""

    url: str
    lastmod: datetime | None = None

"""Sitemap file: a list of a site's addresses, or the links of its homepage where there is none."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import (
    EMPTY_LIST,
    EMPTY_OBJECT,
    MAX_URL_BYTES,
    Base,
    Curated,
    Numbered,
    OwnedByTenant,
    Timed,
    at_most,
    vocabulary,
)

SITEMAP_KINDS = ("index", "standard", "image", "video", "news", "text", "feed")
SITEMAP_METHODS = ("robots_txt", "common_path", "html_link", "sitemap_index", "homepage_links", "manual")


class SitemapFile(Numbered, OwnedByTenant, Curated, Timed, Base):
    """One sitemap of a domain, fetched in the lane `host`.

    A site without one gets a single row with method `homepage_links` and kind `text`, whose `links` are the list.
    `etag`, `last_modified` and `content_hash` are those of the last file that was imported whole, at `imported_at`.
    `left_out` counts, by reason, the addresses that did not become pages.
    """

    __tablename__ = "sitemap_files"
    natural_key: ClassVar[tuple[str, ...]] = ("domain_id", "url")

    domain_id: Mapped[int] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("sitemap_files.id", ondelete="SET NULL"))
    url: Mapped[str] = mapped_column(at_most(MAX_URL_BYTES, "url"))
    host: Mapped[str]
    kind: Mapped[str] = mapped_column(vocabulary("kind", SITEMAP_KINDS), server_default="standard")
    method: Mapped[str] = mapped_column(vocabulary("method", SITEMAP_METHODS), server_default="manual")
    depth: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    links: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    lastmod: Mapped[datetime | None]
    status_code: Mapped[int | None] = mapped_column(SmallInteger)
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]  # the header as sent, to be sent back unchanged
    content_hash: Mapped[str | None]
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    url_count: Mapped[int | None]
    left_out: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)
    truncated: Mapped[bool] = mapped_column(server_default=text("false"))
    fetched_at: Mapped[datetime | None]
    imported_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("domain_id", "url"),
        CheckConstraint("host <> ''", name="host"),
        Index(None, "tenant_id", "curation_status"),
        Index(None, "parent_id", postgresql_where=text("parent_id IS NOT NULL")),
    )

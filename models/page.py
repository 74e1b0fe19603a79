"""Page: one address of a site, how promising it looks, and what was seen there."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import MAX_URL_BYTES, Base, Curated, Numbered, OwnedByTenant, Timed, at_most, vocabulary

PAGE_KINDS = (
    "home",
    "contact",
    "about",
    "team",
    "location",
    "legal",
    "careers",
    "services",
    "pricing",
    "blog",
    "product",
    "media",
    "other",
)


class Page(Numbered, OwnedByTenant, Curated, Timed, Base):
    """One page of a domain, fetched in the lane `host`; `decision_reason` says why it was or was not queued."""

    __tablename__ = "pages"
    natural_key: ClassVar[tuple[str, ...]] = ("domain_id", "url")

    domain_id: Mapped[int] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"))
    sitemap_file_id: Mapped[int | None] = mapped_column(ForeignKey("sitemap_files.id", ondelete="SET NULL"), index=True)
    url: Mapped[str] = mapped_column(at_most(MAX_URL_BYTES, "url"))
    host: Mapped[str]
    kind: Mapped[str] = mapped_column(vocabulary("kind", PAGE_KINDS), server_default="other")
    score: Mapped[float] = mapped_column(server_default=text("0"))
    depth: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    decision_reason: Mapped[str | None]
    lastmod: Mapped[datetime | None]
    status_code: Mapped[int | None] = mapped_column(SmallInteger)
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]  # the header as sent, to be sent back unchanged
    content_hash: Mapped[str | None]
    title: Mapped[str | None]
    canonical_url: Mapped[str | None]
    language: Mapped[str | None]
    word_count: Mapped[int | None]
    has_contact_form: Mapped[bool | None]
    fetched_at: Mapped[datetime | None]
    vanished_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("domain_id", "url"),
        CheckConstraint("host <> ''", name="host"),
        Index(None, "tenant_id", "curation_status"),
    )

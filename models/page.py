"""Page: one address of a site, how promising it looks, and what was seen there."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import MAX_URL_BYTES, Base, Curated, Numbered, Timed, at_most, vocabulary

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

# Why a page is, or is not, among those that a domain's budget is spent on: `pages.decision_reason`.
CHOSEN, OVER_BUDGET, LOW_SCORE, VANISHED = "chosen", "over-budget", "low-score", "vanished"
HOMEPAGE_READ = "homepage-read"

# The ranking looks at these alone, best first, so a million posts that nobody wants cost it nothing.
PROMISING = text(f"decision_reason IN ('{CHOSEN}', '{OVER_BUDGET}')")


class Page(Numbered, Curated, Timed, Base):
    """One page of a domain, fetched in the lane `host`; `decision_reason` says why it was or was not queued.

    Of its owners only the domain is a foreign key: each more would add a fifth to what it takes to store a page.
    """

    __tablename__ = "pages"
    natural_key: ClassVar[tuple[str, ...]] = ("domain_id", "url")

    tenant_id: Mapped[UUID] = mapped_column(sort_order=-1)
    domain_id: Mapped[int] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"))
    sitemap_file_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
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
        Index(None, "tenant_id", "score", "id"),
        Index("ix_pages_promising", "domain_id", text("score DESC"), "depth", "url", postgresql_where=PROMISING),
        Index("ix_pages_chosen", "domain_id", postgresql_where=text(f"decision_reason = '{CHOSEN}'")),
    )


class SitemapPage(Base):
    """This sitemap lists this page, and did so when it was last read: a page that none lists has vanished.

    No foreign keys: checking them for every row would take longer than storing it, for millions of rows. Triggers
    on `pages` and `sitemap_files` delete what belongs to a deleted row.
    """

    __tablename__ = "sitemap_pages"

    sitemap_file_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    page_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, index=True)
    tenant_id: Mapped[UUID]
    listed_at: Mapped[datetime] = mapped_column(server_default=func.now())

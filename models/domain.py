"""Domain: a registrable domain, what its homepage says, and the businesses behind it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_LIST, EMPTY_OBJECT, Base, Curated, Numbered, OwnedByTenant, Timed, at_most


class Domain(Numbered, OwnedByTenant, Curated, Timed, Base):
    """One site by its registrable domain; `name` is also its lane.

    `blank_reason` says why the last visit brought no facts, or none of a business. `links` are the homepage's links to
    the site's own pages, `sitemap_links` those that look like sitemaps; `sitemap_tries` is where an unfinished search
    for sitemaps has come to.
    """

    __tablename__ = "domains"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "name")

    name: Mapped[str] = mapped_column(at_most(253, "name"))
    final_url: Mapped[str | None]
    status_code: Mapped[int | None] = mapped_column(SmallInteger)
    redirects_to_id: Mapped[int | None] = mapped_column(ForeignKey("domains.id", ondelete="SET NULL"))
    title: Mapped[str | None]
    description: Mapped[str | None]
    language: Mapped[str | None]
    favicon_url: Mapped[str | None]
    logo_url: Mapped[str | None]
    generator: Mapped[str | None]
    is_wordpress: Mapped[bool | None]
    wordpress_version: Mapped[str | None]
    technologies: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    analytics: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    widgets: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    booking_tools: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    social_profiles: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    links: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    sitemap_links: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    sitemap_tries: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)
    blank_reason: Mapped[str | None]
    etag: Mapped[str | None]
    last_modified: Mapped[str | None]  # the header as sent, to be sent back unchanged
    content_hash: Mapped[str | None]
    fetched_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("tenant_id", "name"),
        CheckConstraint("name <> '' AND name = lower(name)", name="name_lower_case"),
        CheckConstraint("redirects_to_id <> id", name="redirects_elsewhere"),
        Index(None, "tenant_id", "curation_status"),
        Index(None, "redirects_to_id", postgresql_where=text("redirects_to_id IS NOT NULL")),
    )


class LocalBusinessDomain(Numbered, OwnedByTenant, Timed, Base):
    """This business uses this domain; `website` is the address as the business gave it."""

    __tablename__ = "local_business_domains"
    natural_key: ClassVar[tuple[str, ...]] = ("local_business_id", "domain_id")

    local_business_id: Mapped[int] = mapped_column(ForeignKey("local_businesses.id", ondelete="CASCADE"))
    domain_id: Mapped[int] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"), index=True)
    website: Mapped[str | None]

    __table_args__ = (UniqueConstraint("local_business_id", "domain_id"),)

"""Sighting: the proof of a contact, where and how it was seen."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import MAX_URL_BYTES, Base, Numbered, OwnedByTenant, at_most


class Sighting(Numbered, OwnedByTenant, Base):
    """One contact seen at one address by one method.

    The address is part of the key, not the page: a homepage or a provider's entry proves a contact without a page row.
    `gone_at` is when the address was read again and no longer showed it.
    """

    __tablename__ = "sightings"
    natural_key: ClassVar[tuple[str, ...]] = ("contact_id", "url", "method")

    contact_id: Mapped[int] = mapped_column(ForeignKey("contacts.id", ondelete="CASCADE"))
    page_id: Mapped[int | None] = mapped_column(ForeignKey("pages.id", ondelete="SET NULL"))
    url: Mapped[str] = mapped_column(at_most(MAX_URL_BYTES, "url"))
    method: Mapped[str]
    snippet: Mapped[str | None]
    extractor_version: Mapped[str | None]
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    gone_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("contact_id", "url", "method"),
        Index(None, "page_id", postgresql_where=text("page_id IS NOT NULL")),
    )

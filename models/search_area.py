"""Search area: one page of one rectangle of a search, so that each call to a provider is stored on its own."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKey, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed


class SearchArea(Numbered, OwnedByTenant, Timed, Base):
    """One page of one rectangle. Nobody decides about it, so it never waits for a person.

    `found_before` counts what the rectangle's earlier pages brought, `found` what this one did. `is_full` is null until
    the rectangle's last page is in: true when it holds more than the provider lists, false when all of it was seen.
    `is_cut` tells that a full one was handed on to its parts.
    """

    __tablename__ = "search_areas"
    natural_key: ClassVar[tuple[str, ...]] = ("search_id", "south", "west", "north", "east", "page")

    search_id: Mapped[int] = mapped_column(ForeignKey("searches.id", ondelete="CASCADE"))
    south: Mapped[float]
    west: Mapped[float]
    north: Mapped[float]
    east: Mapped[float]
    depth: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    page: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    page_token: Mapped[str | None]
    found_before: Mapped[int] = mapped_column(server_default=text("0"))
    found: Mapped[int | None]
    is_full: Mapped[bool | None]
    is_cut: Mapped[bool] = mapped_column(server_default=text("false"))
    searched_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("search_id", "south", "west", "north", "east", "page"),
        CheckConstraint("south < north AND south >= -90 AND north <= 90", name="is_a_box"),
        CheckConstraint("page >= 0 AND depth >= 0", name="page_and_depth"),
    )

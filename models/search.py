"""Search: what is looked for and where; and which places each search found."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Numeric, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed, vocabulary

PROVIDERS = ("google", "openstreetmap", "list", "sandbox")
MODES = ("auto", "curated")


class Search(Numbered, OwnedByTenant, Timed, Base):
    """One request such as "dentists near Austin, TX", with its limits and what it has cost so far.

    No natural key: asking the same thing twice is two searches, each with its own bill.
    """

    __tablename__ = "searches"

    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    what: Mapped[str]
    where_text: Mapped[str | None]
    south: Mapped[float | None]
    west: Mapped[float | None]
    north: Mapped[float | None]
    east: Mapped[float | None]
    radius_meters: Mapped[int | None]
    provider: Mapped[str] = mapped_column(vocabulary("provider", PROVIDERS))
    mode: Mapped[str] = mapped_column(vocabulary("mode", MODES), server_default="auto")
    max_places: Mapped[int] = mapped_column(server_default=text("60"))
    budget_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 4))
    spent_usd: Mapped[Decimal] = mapped_column(Numeric(12, 4), server_default=text("0"))
    calls: Mapped[int] = mapped_column(server_default=text("0"))
    coverage: Mapped[float | None]  # share of the area searched to the end, 0 to 1
    searched_at: Mapped[datetime | None]
    announced_at: Mapped[datetime | None]  # when those who asked for it were told that it is complete

    __table_args__ = (
        # A box that crosses the antimeridian has its west edge east of its east edge, so only latitudes are ordered.
        CheckConstraint(
            "num_nonnulls(south, west, north, east) IN (0, 4) AND (south IS NULL OR south < north)",
            name="area_is_a_box",
        ),
        CheckConstraint("provider = 'list' OR where_text IS NOT NULL OR south IS NOT NULL", name="says_where"),
        CheckConstraint("radius_meters > 0", name="radius_meters"),
        CheckConstraint("max_places > 0", name="max_places"),
        CheckConstraint("budget_usd >= 0", name="budget_usd"),
        CheckConstraint("coverage BETWEEN 0 AND 1", name="coverage"),
        Index(None, "tenant_id", "created_at"),
    )


class SearchPlace(Numbered, OwnedByTenant, Base):
    """This search found this place: first when, last when, and how far down the list."""

    __tablename__ = "search_places"
    natural_key: ClassVar[tuple[str, ...]] = ("search_id", "place_id")

    search_id: Mapped[int] = mapped_column(ForeignKey("searches.id", ondelete="CASCADE"))
    place_id: Mapped[int] = mapped_column(ForeignKey("places.id", ondelete="CASCADE"), index=True)
    rank: Mapped[int | None]
    first_found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_found_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (UniqueConstraint("search_id", "place_id"),)

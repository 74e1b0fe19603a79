"""Place: a provider's entry for a spot on the map, as a search brought it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Index, Numeric, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import (
    EMPTY_LIST,
    Base,
    Curated,
    FromProvider,
    Numbered,
    OwnedByTenant,
    Timed,
    at_most,
    vocabulary,
)
from models.search import PROVIDERS

BUSINESS_STATUSES = ("operational", "closed-temporarily", "closed-permanently", "future-opening")


class Place(Numbered, OwnedByTenant, Curated, FromProvider, Timed, Base):
    """One place of one provider; all its facts but the provider's id may expire."""

    __tablename__ = "places"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "provider", "provider_place_id")

    provider: Mapped[str] = mapped_column(vocabulary("provider", PROVIDERS))
    provider_place_id: Mapped[str] = mapped_column(at_most(1024, "provider_place_id"))
    name: Mapped[str | None]
    address: Mapped[str | None]
    latitude: Mapped[float | None]
    longitude: Mapped[float | None]
    website: Mapped[str | None]
    phone: Mapped[str | None]
    main_category: Mapped[str | None]
    categories: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    rating: Mapped[Decimal | None] = mapped_column(Numeric(2, 1))
    review_count: Mapped[int | None]
    business_status: Mapped[str | None] = mapped_column(vocabulary("business_status", BUSINESS_STATUSES))
    raw: Mapped[dict[str, Any] | None]

    __table_args__ = (
        UniqueConstraint("tenant_id", "provider", "provider_place_id"),
        CheckConstraint("latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180", name="on_earth"),
        Index(None, "tenant_id", "curation_status"),
        Index(None, "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
    )

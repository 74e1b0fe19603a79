"""Local business: everything known about the business at a place."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, ForeignKey, Index, Numeric, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import (
    EMPTY_LIST,
    EMPTY_OBJECT,
    Base,
    Curated,
    FromProvider,
    Numbered,
    OwnedByTenant,
    Timed,
    vocabulary,
)
from models.place import BUSINESS_STATUSES


class LocalBusiness(Numbered, OwnedByTenant, Curated, FromProvider, Timed, Base):
    """The business at one place. `opening_hours` maps a weekday to its `["09:00", "17:00"]` spans."""

    __tablename__ = "local_businesses"
    natural_key: ClassVar[tuple[str, ...]] = ("place_id",)

    place_id: Mapped[int] = mapped_column(ForeignKey("places.id", ondelete="CASCADE"))
    name: Mapped[str | None]
    formatted_address: Mapped[str | None]
    street: Mapped[str | None]
    city: Mapped[str | None]
    region: Mapped[str | None]
    postal_code: Mapped[str | None]
    country_code: Mapped[str | None]
    phone: Mapped[str | None]
    website: Mapped[str | None]
    main_category: Mapped[str | None]
    categories: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    rating: Mapped[Decimal | None] = mapped_column(Numeric(2, 1))
    review_count: Mapped[int | None]
    price_level: Mapped[int | None] = mapped_column(SmallInteger)
    opening_hours: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)
    latitude: Mapped[float | None]
    longitude: Mapped[float | None]
    utc_offset_minutes: Mapped[int | None] = mapped_column(SmallInteger)
    business_status: Mapped[str | None] = mapped_column(vocabulary("business_status", BUSINESS_STATUSES))
    scanned_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("place_id"),
        CheckConstraint("country_code ~ '^[A-Z]{2}$'", name="country_code"),
        CheckConstraint("phone ~ '^[+][0-9]{2,15}$'", name="phone_is_e164"),
        CheckConstraint("price_level BETWEEN 0 AND 4", name="price_level"),
        CheckConstraint("latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180", name="on_earth"),
        Index(None, "tenant_id", "curation_status"),
        Index(None, "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
    )

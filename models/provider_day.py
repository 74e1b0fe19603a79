"""Provider day: what one provider was asked on one day, and what that cost."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sqlalchemy import Date, Numeric, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ProviderDay(Base):
    """The calls and money of one provider on one day of UTC, of all searches together."""

    __tablename__ = "provider_days"

    provider: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    calls: Mapped[int] = mapped_column(server_default=text("0"))
    usd: Mapped[Decimal] = mapped_column(Numeric(12, 4), server_default=text("0"))

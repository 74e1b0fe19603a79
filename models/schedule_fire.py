"""Schedule fire: this schedule has fired for this moment, whichever clock was first."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from sqlalchemy import ForeignKey, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, vocabulary

FIRE_RESULTS = ("queued", "still-running", "no-entity", "missed", "error")


class ScheduleFire(Numbered, OwnedByTenant, Base):
    """One firing, by the clock or by hand; its natural key lets only one of several clocks act."""

    __tablename__ = "schedule_fires"
    natural_key: ClassVar[tuple[str, ...]] = ("schedule_id", "fire_at")

    schedule_id: Mapped[int] = mapped_column(ForeignKey("schedules.id", ondelete="CASCADE"))
    fire_at: Mapped[datetime]
    fired_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    result: Mapped[str | None] = mapped_column(vocabulary("result", FIRE_RESULTS))
    queued_count: Mapped[int] = mapped_column(server_default=text("0"))
    error: Mapped[str | None]
    by_hand: Mapped[bool] = mapped_column(server_default=text("false"))

    __table_args__ = (UniqueConstraint("schedule_id", "fire_at"),)

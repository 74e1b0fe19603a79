"""Schedule: do this again, at these times."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed, vocabulary

ACTIONS = ("run", "refresh")
CATCH_UPS = ("skip", "last", "all")
SHORTEST_INTERVAL_SECONDS, LONGEST_INTERVAL_SECONDS = 60, 366 * 24 * 3600
LONGEST_GRACE_SECONDS = 7 * 24 * 3600


class Schedule(Numbered, OwnedByTenant, Timed, Base):
    """A person's standing order, by cron line or by interval from `starts_at`.

    A firing runs the work of `stage` for `entity_id` again, or refreshes what that search has found. What was missed by
    less than `misfire_grace_seconds` is caught up: not at all, the last of it, or all of it. Every tick up to
    `settled_until` has fired, was missed, or was never owed.
    """

    __tablename__ = "schedules"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "name")

    name: Mapped[str]
    stage: Mapped[str]
    entity_id: Mapped[int] = mapped_column(BigInteger)
    action: Mapped[str] = mapped_column(vocabulary("action", ACTIONS), server_default="run")
    cron: Mapped[str | None]
    interval_seconds: Mapped[int | None]
    starts_at: Mapped[datetime] = mapped_column(server_default=func.now())
    settled_until: Mapped[datetime] = mapped_column(server_default=func.now())
    timezone: Mapped[str] = mapped_column(server_default="UTC")
    enabled: Mapped[bool] = mapped_column(server_default=text("true"))
    misfire_grace_seconds: Mapped[int] = mapped_column(server_default=text("3600"))
    catch_up: Mapped[str] = mapped_column(vocabulary("catch_up", CATCH_UPS), server_default="last")
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    __table_args__ = (
        UniqueConstraint("tenant_id", "name"),
        CheckConstraint("num_nonnulls(cron, interval_seconds) = 1", name="cron_or_interval"),
        CheckConstraint(
            f"interval_seconds BETWEEN {SHORTEST_INTERVAL_SECONDS} AND {LONGEST_INTERVAL_SECONDS}",
            name="interval_seconds",
        ),
        CheckConstraint(f"misfire_grace_seconds BETWEEN 0 AND {LONGEST_GRACE_SECONDS}", name="misfire_grace_seconds"),
    )

"""Schedule: do this stage's work on this entity again, at these times."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed


class Schedule(Numbered, OwnedByTenant, Timed, Base):
    """A person's standing order; a firing queues the work of `stage` for `entity_id` again."""

    __tablename__ = "schedules"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "name")

    name: Mapped[str]
    stage: Mapped[str]
    entity_id: Mapped[int] = mapped_column(BigInteger)
    cron: Mapped[str]
    timezone: Mapped[str] = mapped_column(server_default="UTC")
    enabled: Mapped[bool] = mapped_column(server_default=text("true"))
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    __table_args__ = (UniqueConstraint("tenant_id", "name"),)

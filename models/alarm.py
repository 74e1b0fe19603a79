"""Alarm: something an operator should look at, since when, and whether it is over."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class Alarm(Base):
    """One rule that rang for one subject (a stage, a search); it began, and when it is over, it has ended."""

    __tablename__ = "alarms"

    name: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True, server_default="")
    says: Mapped[str]
    began_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    seen_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    ended_at: Mapped[datetime | None]

"""Meter: what the workers have counted, for metrics and rates."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base

NONE = text("0")


class Meter(Base):
    """A count that only grows, over all workers and restarts; `label` is a reason, a kind or a bucket's upper edge."""

    __tablename__ = "meters"

    name: Mapped[str] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True, server_default="")
    value: Mapped[float] = mapped_column(server_default=NONE)


class StageMinute(Base):
    """What of a tenant a stage has ended in one minute, for rates and the last hour's course."""

    __tablename__ = "stage_minutes"

    stage: Mapped[str] = mapped_column(primary_key=True)
    minute: Mapped[datetime] = mapped_column(primary_key=True, index=True)
    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    completed: Mapped[int] = mapped_column(server_default=NONE)
    filtered: Mapped[int] = mapped_column(server_default=NONE)
    error: Mapped[int] = mapped_column(server_default=NONE)
    retried: Mapped[int] = mapped_column(server_default=NONE)
    seconds: Mapped[float] = mapped_column(server_default=NONE)

"""Job: what runs on a clock, when it ran last and how that went."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, vocabulary

JOB_KINDS = ("sweeper", "clock")
JOB_RESULTS = ("executed", "error", "missed")


class Job(Base):
    """A sweeper of periodiq, or a job of APScheduler in a clock process, as it last said of itself."""

    __tablename__ = "jobs"

    name: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(vocabulary("kind", JOB_KINDS))
    trigger: Mapped[str | None]
    next_run_at: Mapped[datetime | None]
    last_run_at: Mapped[datetime | None]
    last_seconds: Mapped[float | None]
    last_result: Mapped[str | None] = mapped_column(vocabulary("last_result", JOB_RESULTS))
    last_detail: Mapped[str | None]
    reported_by: Mapped[str | None]
    reported_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())

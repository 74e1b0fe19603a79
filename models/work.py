"""Work: the machine's state, one row per stage and entity; and who does it, what failed, who may go."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    Interval,
    SmallInteger,
    String,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, DOMAIN
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import BigInteger, Text

from errors import MAX_ERROR_CHARACTERS
from models.base import Base, Numbered, one_of

WORK_STATUSES = ("Queued", "Processing", "Completed", "Filtered", "Error", "Cancelled")
FINISHED = ("Completed", "Filtered", "Error", "Cancelled")
FAILURE_KINDS = ("passing", "final", "crash", "deadline", "late-finish")
HIGHEST_PRIORITY, DEFAULT_PRIORITY, LOWEST_PRIORITY = 0, 5, 9

# Domains, not table checks: Postgres parses a table's checks anew for every statement, a fifth of a hop's cost.
STATUS = DOMAIN("work_status", Text(), check=one_of("VALUE", WORK_STATUSES), constraint_name="work_status_is_known")
PRIORITY = DOMAIN(
    "work_priority",
    SmallInteger(),
    check=f"VALUE BETWEEN {HIGHEST_PRIORITY} AND {LOWEST_PRIORITY}",
    constraint_name="work_priority_is_known",
)

# A queue-like table: leave room in each page for the next version of a row, and clean up often.
QUEUE_STORAGE = {
    "fillfactor": 70,
    "autovacuum_vacuum_scale_factor": 0.02,
    "autovacuum_vacuum_threshold": 1000,
    "autovacuum_vacuum_insert_scale_factor": 0.1,
    "autovacuum_vacuum_cost_delay": 0,
    "autovacuum_analyze_scale_factor": 0.05,
}

QUEUED_UNSENT = text("status = 'Queued' AND sent_at IS NULL")
QUEUED_SENT = text("status = 'Queued' AND sent_at IS NOT NULL")
PROCESSING = text("status = 'Processing'")
FAILED = text("status = 'Error'")
LANE_BUSY = text("lane IS NOT NULL AND sent_at IS NOT NULL AND status IN ('Queued', 'Processing')")


class Work(Numbered, Base):
    """One stage's work on one entity. The row is the message; the broker only rings."""

    __tablename__ = "work"

    # No foreign key: every insert would lock the tenant's row, which all workers share.
    tenant_id: Mapped[UUID]
    stage: Mapped[str]
    entity_id: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[str] = mapped_column(STATUS, server_default="Queued")
    auto: Mapped[bool] = mapped_column(server_default=text("true"))
    priority: Mapped[int] = mapped_column(PRIORITY, server_default=text(str(DEFAULT_PRIORITY)))
    lane: Mapped[str | None]
    due_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    queued_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    sent_at: Mapped[datetime | None]
    sends: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    token: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    crashes: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    worker_id: Mapped[UUID | None]
    started_at: Mapped[datetime | None]
    deadline_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    reason: Mapped[str | None]
    error: Mapped[str | None] = mapped_column(String(MAX_ERROR_CHARACTERS))
    parent_id: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        UniqueConstraint("stage", "entity_id"),
        Index("ix_work_parent", "parent_id"),
        Index("ix_work_waiting", "stage", "lane", "priority", "due_at", postgresql_where=QUEUED_UNSENT),
        Index("ix_work_rung", "stage", "sent_at", postgresql_where=QUEUED_SENT),
        Index("ix_work_processing", "deadline_at", postgresql_where=PROCESSING),
        Index("ix_work_lane_busy", "lane", postgresql_where=LANE_BUSY),
        # Holds all that dead letters are counted by, and lists a group's in the order in which they ended.
        Index(
            "ix_work_failed",
            "tenant_id",
            "stage",
            "reason",
            text("coalesce(finished_at, '-infinity'::timestamptz)"),
            "id",
            postgresql_include=["lane", "finished_at"],
            postgresql_where=FAILED,
        ),
        {"postgresql_with": QUEUE_STORAGE},
    )


class TokenMark(Base):
    """The greatest token seen on a row, against which the next check compares: tokens only grow."""

    __tablename__ = "token_marks"

    work_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    token: Mapped[int] = mapped_column(BigInteger)


class Failure(Numbered, Base):
    """One thing that went wrong with one piece of work: the history behind its last error."""

    __tablename__ = "failures"

    work_id: Mapped[int] = mapped_column(ForeignKey("work.id", ondelete="CASCADE"), index=True)
    attempt: Mapped[int] = mapped_column(SmallInteger)
    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)
    kind: Mapped[str]
    reason: Mapped[str]
    error: Mapped[str | None]

    __table_args__ = (CheckConstraint(one_of("kind", FAILURE_KINDS), name="kind"),)


class Worker(Base):
    """The lease of one worker process: alive until `expires_at`; `buried_at` is when a peer has noticed its end."""

    __tablename__ = "workers"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    queues: Mapped[list[Any]] = mapped_column(ARRAY(Text()))
    started_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    beat_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    expires_at: Mapped[datetime]
    buried_at: Mapped[datetime | None]


class StageControl(Base):
    """An operator's hand on a stage: paused or not, why, and how much of it may be in the broker."""

    __tablename__ = "stage_controls"

    stage: Mapped[str] = mapped_column(primary_key=True)
    paused: Mapped[bool] = mapped_column(server_default=text("false"))
    window: Mapped[int | None]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    note: Mapped[str | None]


class Host(Base):
    """A lane: politeness towards one site across all workers. `inflight` counts its Processing rows.

    `gap` adapts to how the host answers, never below the `crawl_delay` that its robots.txt asks for.
    """

    __tablename__ = "hosts"

    host: Mapped[str] = mapped_column(primary_key=True)
    next_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    inflight: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    cap: Mapped[int] = mapped_column(SmallInteger, server_default=text("1"))
    gap: Mapped[timedelta] = mapped_column(Interval(), server_default=text("interval '1 second'"))
    crawl_delay: Mapped[timedelta | None] = mapped_column(Interval())
    crawl_delay_at: Mapped[datetime | None]
    blocked_until: Mapped[datetime | None]
    # Under the full host name: www.foo.com and foo.com share a lane, but each has a robots.txt of its own.
    robots: Mapped[str | None]
    robots_state: Mapped[str | None]
    robots_status: Mapped[int | None] = mapped_column(SmallInteger)
    robots_at: Mapped[datetime | None]
    robots_failing_since: Mapped[datetime | None]
    robots_scheme: Mapped[str | None]

    __table_args__ = (CheckConstraint("inflight >= 0", name="inflight_not_negative"),)


class InvariantCheck(Base):
    """The last verdict on a rule that must always hold."""

    __tablename__ = "invariant_checks"

    name: Mapped[str] = mapped_column(primary_key=True)
    checked_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    violations: Mapped[int]
    detail: Mapped[str | None]

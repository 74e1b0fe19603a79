"""Operation: one decision on many rows, with what is needed to take it back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, BigInteger, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_OBJECT, Base, Numbered, OwnedByTenant

NO_IDS = text("'{}'::bigint[]")


class Operation(Numbered, OwnedByTenant, Base):
    """A decision: on which entity, which status, chosen how (`detail`); and the work it has queued."""

    __tablename__ = "operations"

    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    entity: Mapped[str]
    status: Mapped[str]
    detail: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)
    updated_count: Mapped[int] = mapped_column(server_default=text("0"))
    queued_count: Mapped[int] = mapped_column(server_default=text("0"))
    queued_work_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger()), server_default=NO_IDS)
    undone_at: Mapped[datetime | None]

    __table_args__ = (Index(None, "tenant_id", "id"),)


class OperationChange(Base):
    """The rows that an operation found in the same status, which is what they go back to."""

    __tablename__ = "operation_changes"

    operation_id: Mapped[int] = mapped_column(ForeignKey("operations.id", ondelete="CASCADE"), primary_key=True)
    before: Mapped[str] = mapped_column(primary_key=True)
    entity_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger()), server_default=NO_IDS)

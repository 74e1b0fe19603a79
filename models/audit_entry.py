"""Audit entry: who changed what, and how it was before."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_OBJECT, Base, Numbered, OwnedByTenant


class AuditEntry(Numbered, OwnedByTenant, Base):
    """One change by a person; `detail` holds enough to undo it. A change of many rows leaves `entity_id` null."""

    __tablename__ = "audit_entries"

    at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    api_key_id: Mapped[int | None] = mapped_column(ForeignKey("api_keys.id", ondelete="SET NULL"))
    action: Mapped[str]
    entity: Mapped[str]
    entity_id: Mapped[int | None] = mapped_column(BigInteger)
    detail: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)

    __table_args__ = (
        Index(None, "tenant_id", "at"),
        Index(None, "entity", "entity_id", postgresql_where=text("entity_id IS NOT NULL")),
    )

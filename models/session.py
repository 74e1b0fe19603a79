"""Session: one person's log-in on one device, until it ends or is revoked."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, OwnedByTenant

SHA256_HEX = "~ '^[0-9a-f]{64}$'"


class Session(OwnedByTenant, Base):
    """A log-in: its refresh token changes at every use, and only the present one is kept, as a hash.

    Each of its tokens names the session, so that one shown again is known for a copy, and the session ends.
    """

    __tablename__ = "sessions"

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=func.gen_random_uuid(), sort_order=-2)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    refresh_hash: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]

    __table_args__ = (
        Index(None, "user_id"),
        CheckConstraint(f"refresh_hash {SHA256_HEX}", name="refresh_is_hashed"),
    )

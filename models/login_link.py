"""Login link: a way in that works once, for who has no password yet."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant
from models.session import SHA256_HEX


class LoginLink(Numbered, OwnedByTenant, Base):
    """A link that lets its user set a password, once, until it expires; only its hash is kept."""

    __tablename__ = "login_links"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    token_hash: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    __table_args__ = (
        Index(None, "token_hash", unique=True),
        Index(None, "user_id"),
        CheckConstraint(f"token_hash {SHA256_HEX}", name="token_is_hashed"),
    )

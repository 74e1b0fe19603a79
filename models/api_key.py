"""API key: how a program calls us in the name of a user, with less than the user's rights."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_LIST, Base, Numbered, OwnedByTenant
from models.session import SHA256_HEX


class ApiKey(Numbered, OwnedByTenant, Base):
    """A named key, of which only the hash is kept; `prefix` is the part of it that may be shown.

    A key that was made with another key is revoked with that one: whoever copied the one may have made the other.
    """

    __tablename__ = "api_keys"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "name")

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    made_with_id: Mapped[int | None] = mapped_column(ForeignKey("api_keys.id", ondelete="SET NULL"))
    name: Mapped[str]
    prefix: Mapped[str]
    secret_hash: Mapped[str]
    scopes: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    used_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("tenant_id", "name"),
        Index(None, "secret_hash", unique=True),
        Index(None, "user_id"),
        Index(None, "made_with_id"),
        CheckConstraint(f"secret_hash {SHA256_HEX}", name="secret_is_hashed"),
    )

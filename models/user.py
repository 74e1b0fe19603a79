"""User: who may look, decide or administer."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, OwnedByTenant, Timed, at_most, vocabulary

ROLES = ("viewer", "curator", "admin")


class User(OwnedByTenant, Timed, Base):
    """A person, or the program itself; without a password nobody can log in as this user."""

    __tablename__ = "users"
    # Not per tenant: a person logs in with the address alone, so it must name one user.
    natural_key: ClassVar[tuple[str, ...]] = ("email",)

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=func.gen_random_uuid(), sort_order=-2)
    email: Mapped[str] = mapped_column(at_most(320, "email"))
    name: Mapped[str | None]
    password_hash: Mapped[str | None]
    role: Mapped[str] = mapped_column(vocabulary("role", ROLES), server_default="viewer")
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    last_login_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("email"),
        CheckConstraint("email = lower(email)", name="email_lower_case"),
        Index(None, "tenant_id"),
    )

"""Suppression: whom never to export or push, known only by a hash."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed, vocabulary

SUPPRESSION_KINDS = ("email", "phone", "domain", "person")


class Suppression(Numbered, OwnedByTenant, Timed, Base):
    """SHA-256 of the tenant's salt and the normalised value, in hex. The value itself is deliberately not kept.

    What is suppressed is never exported; what is erased is not even stored when it is found again.
    """

    __tablename__ = "suppressions"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "kind", "value_hash")

    kind: Mapped[str] = mapped_column(vocabulary("kind", SUPPRESSION_KINDS))
    value_hash: Mapped[str]
    reason: Mapped[str | None]
    is_erased: Mapped[bool] = mapped_column(server_default=text("false"))
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    __table_args__ = (
        UniqueConstraint("tenant_id", "kind", "value_hash"),
        Index("ix_suppressions_erased", "tenant_id", "value_hash", postgresql_where=text("is_erased")),
        CheckConstraint("value_hash ~ '^[0-9a-f]{64}$'", name="value_is_hashed"),
    )

"""Tenant: one customer; every other row belongs to one."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Timed


class Tenant(Timed, Base):
    """A customer. Its salt makes the hashes of its suppression list useless to anyone else."""

    __tablename__ = "tenants"

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=func.gen_random_uuid(), sort_order=-2)
    name: Mapped[str]
    suppression_salt: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid())

"""The puppet's table, and a record of visits to hosts; kept out of the product's own metadata."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Engine, MetaData, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Curated, Numbered


class PuppetBase(Base):
    __abstract__ = True
    metadata = MetaData()


class Puppet(Numbered, Curated, PuppetBase):
    """An entity whose script says what happens to it at each stage."""

    __tablename__ = "puppets"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "name")

    tenant_id: Mapped[UUID]
    name: Mapped[str]
    host: Mapped[str | None]
    script: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    applause: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (UniqueConstraint("tenant_id", "name"),)


class Visit(Numbered, PuppetBase):
    """One request that a puppet made to its host."""

    __tablename__ = "puppet_visits"

    host: Mapped[str]
    work_id: Mapped[int]
    token: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    ended_at: Mapped[datetime | None]


def create_tables(engine: Engine) -> None:
    """Add the puppets' tables to a migrated database."""
    PuppetBase.metadata.create_all(engine)

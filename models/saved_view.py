"""Saved view: how a person likes to see a table: what is in it, in which order, with which columns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_OBJECT, Base, Numbered, OwnedByTenant, Timed


class SavedView(Numbered, OwnedByTenant, Timed, Base):
    """A named view of one entity's table; `query` holds its conditions (`where`), `sort` and `columns`."""

    __tablename__ = "saved_views"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    entity: Mapped[str]
    name: Mapped[str]
    query: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)

    __table_args__ = (UniqueConstraint("user_id", "entity", "name"),)

"""Batch: rows a person submits into the middle of the pipeline, and what became of each."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, Numbered, OwnedByTenant, Timed, vocabulary

BATCH_KINDS = ("local_business", "domain", "sitemap_file", "page")
ITEM_RESULTS = ("added", "duplicate", "rejected")


class Batch(Numbered, OwnedByTenant, Timed, Base):
    """One submission; its status and progress are derived from the work of its items."""

    __tablename__ = "batches"

    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    kind: Mapped[str] = mapped_column(vocabulary("kind", BATCH_KINDS))
    name: Mapped[str | None]
    auto: Mapped[bool] = mapped_column(server_default=text("true"))

    __table_args__ = (Index(None, "tenant_id", "created_at"),)


class BatchItem(Numbered, OwnedByTenant, Base):
    """One row of a batch as it was written; `result` is null until it has been looked at.

    `stage` and `entity_id` name the work it led to, as in the work table. A duplicate names the entity that was there.
    """

    __tablename__ = "batch_items"
    natural_key: ClassVar[tuple[str, ...]] = ("batch_id", "row_number")

    batch_id: Mapped[int] = mapped_column(ForeignKey("batches.id", ondelete="CASCADE"))
    row_number: Mapped[int]
    raw: Mapped[str] = mapped_column(server_default="")
    result: Mapped[str | None] = mapped_column(vocabulary("result", ITEM_RESULTS))
    reason: Mapped[str | None]
    stage: Mapped[str | None]
    entity_id: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        UniqueConstraint("batch_id", "row_number"),
        CheckConstraint(
            "result <> 'added' OR (stage IS NOT NULL AND entity_id IS NOT NULL)", name="added_names_entity"
        ),
        CheckConstraint("result <> 'rejected' OR reason IS NOT NULL", name="rejected_has_reason"),
    )

"""Webhook: an address that wants to be told, and each thing it is told."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_LIST, EMPTY_OBJECT, MAX_URL_BYTES, Base, Numbered, OwnedByTenant, Timed, at_most

EVENTS = ("search.completed", "contact.found", "stage.failing", "webhook.test")


class Webhook(Numbered, OwnedByTenant, Timed, Base):
    """An address of a tenant's and the events it wants; `secret` signs what is sent and is shown only once.

    After a rotation the `previous_secret` signs too until `previous_until`. It is told of what happens after
    `told_from`; `told_until` is how far it has been told of contacts. See `notices`.
    """

    __tablename__ = "webhooks"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "url")

    url: Mapped[str] = mapped_column(at_most(MAX_URL_BYTES, "url"))
    secret: Mapped[str]
    previous_secret: Mapped[str | None]
    previous_until: Mapped[datetime | None]
    events: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    description: Mapped[str | None]
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    told_from: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    told_until: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    __table_args__ = (UniqueConstraint("tenant_id", "url"),)


class WebhookDelivery(Numbered, OwnedByTenant, Base):
    """One message to one webhook; its work row says whether it arrived. `subject` keeps it from being told twice."""

    __tablename__ = "webhook_deliveries"
    natural_key: ClassVar[tuple[str, ...]] = ("webhook_id", "event", "subject")

    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event: Mapped[str]
    subject: Mapped[str]
    message_id: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid())
    host: Mapped[str]
    payload: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT)
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    status_code: Mapped[int | None] = mapped_column(SmallInteger)
    delivered_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("webhook_id", "event", "subject"),
        CheckConstraint("host <> ''", name="host"),
        Index(None, "tenant_id", "id"),
        Index(None, "webhook_id", "id"),
    )

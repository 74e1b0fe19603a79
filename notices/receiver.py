"""Receiver: where a message goes and what signs it, and what is noted of how it answered."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

import reasons
from errors import Filtered
from models import Webhook, WebhookDelivery
from pipeline.database import statement

# A delivery goes with its webhook, so there is always one.
FIND = b"""
SELECT url, is_active, secret, CASE WHEN previous_until > clock_timestamp() THEN previous_secret END
FROM webhooks WHERE id = %s"""

NOTE = b"UPDATE webhook_deliveries SET status_code = %(status)s WHERE id = %(id)s"


@dataclass(frozen=True, slots=True)
class Receiver:
    """An address, and the secrets that its owner may check with."""

    url: str
    secrets: tuple[str, ...]


def find(webhook_id: int) -> Receiver:
    """Give where to send; raise Filtered when the webhook is switched off or gone."""
    with statement() as connection:
        row = connection.execute(FIND, (webhook_id,)).fetchone()
    if row is None:
        raise Filtered(reasons.WEBHOOK_GONE)
    url, is_active, *secrets = row
    if not is_active:
        raise Filtered(reasons.WEBHOOK_OFF)
    return Receiver(url, tuple(secret for secret in secrets if secret is not None))


def note_answer(delivery_id: int, status: int) -> None:
    """Keep how a receiver answered last, whatever becomes of the message."""
    with statement() as connection:
        connection.execute(NOTE, {"id": delivery_id, "status": status})


def note_arrival(session: Session, delivery_id: int) -> None:
    """Keep when a message has arrived."""
    arrived = update(WebhookDelivery).where(WebhookDelivery.id == delivery_id)
    session.execute(arrived.values(delivered_at=func.clock_timestamp()))


def switch_off(session: Session, delivery_id: int) -> None:
    """Tell the webhook of a message nothing more."""
    whose = select(WebhookDelivery.webhook_id).where(WebhookDelivery.id == delivery_id).scalar_subquery()
    session.execute(update(Webhook).where(Webhook.id == whose).values(is_active=False))

"""Outbox: what is to be told, stored and queued in the transaction that finds it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from notices.address import lane_of
from pipeline import doorbell, queue, window
from pipeline.database import Connection
from pipeline.stage import stage_named

STAGE = "webhook_delivery"

ADD = b"""
INSERT INTO webhook_deliveries (tenant_id, webhook_id, event, subject, host, payload)
SELECT webhooks.tenant_id, webhooks.id, %(event)s, given.subject, %(lane)s, given.payload
FROM webhooks, jsonb_to_recordset(%(notices)s) AS given(subject text, payload jsonb)
WHERE webhooks.id = %(webhook)s
ON CONFLICT (webhook_id, event, subject) DO NOTHING RETURNING id"""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell; the `subject` keeps a webhook from being told of it twice.

    The payload holds ids, counts and words of our own: what they stand for is read when it is sent.
    """

    subject: str
    payload: dict[str, Any]


def add(connection: Connection, webhook_id: int, url: str, event: str, notices: Sequence[Notice]) -> list[int]:
    """Queue messages to a webhook, without those that it was told; give their ids, and `ring` after the commit."""
    given = [{"subject": notice.subject, "payload": notice.payload} for notice in notices]
    values = {"webhook": webhook_id, "event": event, "lane": lane_of(webhook_id, url), "notices": Jsonb(given)}
    ids = [row[0] for row in connection.execute(ADD, values).fetchall()]
    queue.add(connection, stage_named(STAGE), ids)
    return ids


def ring() -> None:
    """Have what waits sent."""
    doorbell.ring(window.fill(stage_named(STAGE)))

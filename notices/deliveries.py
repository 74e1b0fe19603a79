"""Deliveries: what webhooks are told, one row for each message; its work row says whether it has arrived."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from psycopg.rows import dict_row

from accounts import audit
from accounts.caller import Caller
from errors import Conflict, NotFound
from models.work import FINISHED
from notices import outbox, webhooks
from notices.outbox import STAGE, Notice
from pipeline import curation, queue
from pipeline.database import Connection, statement, transaction
from pipeline.paging import Listed, pages_of
from pipeline.stage import stage_named

Row = dict[str, Any]

KEPT_DAYS = 30
MOST_FORGOTTEN = 500
AFTER_ALL = 2**63 - 1

SHOWN = f"""
SELECT told.id, told.webhook_id, told.event, 'msg_' || replace(told.message_id::text, '-', '') AS message_id,
       told.created_at, told.delivered_at, told.status_code, work.status, work.attempts, work.reason, work.error,
       CASE WHEN work.status = 'Queued' THEN work.due_at END AS next_try_at, webhook.is_active
FROM webhook_deliveries told JOIN webhooks webhook ON webhook.id = told.webhook_id
JOIN work ON work.stage = '{STAGE}' AND work.entity_id = told.id
WHERE told.tenant_id = %(tenant)s"""
LIST = f"""
{SHOWN} AND told.webhook_id = %(webhook)s AND told.id < %(before)s ORDER BY told.id DESC LIMIT %(most)s""".encode()
ONE = f"{SHOWN} AND told.id = %(id)s".encode()
COUNT = b"SELECT count(*) FROM webhook_deliveries WHERE tenant_id = %(tenant)s AND webhook_id = %(webhook)s"

# Only the oldest are looked at, so that it costs the same however many there are.
FORGET = f"""
WITH oldest AS (SELECT id, created_at FROM webhook_deliveries ORDER BY id LIMIT {MOST_FORGOTTEN}),
ended AS (
    SELECT oldest.id, work.id AS work_id FROM oldest JOIN work ON work.stage = '{STAGE}' AND work.entity_id = oldest.id
    WHERE oldest.created_at < clock_timestamp() - interval '{KEPT_DAYS} days' AND work.status = ANY(%(ended)s)),
forgotten AS (DELETE FROM work WHERE id IN (SELECT work_id FROM ended))
DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM ended)""".encode()


def listed(caller: Caller, webhook_id: int, *, limit: int, cursor: str | None) -> Listed[Row]:
    """Give what a webhook was told, and how that went, the newest first."""
    webhooks.one(caller, webhook_id)
    pages = pages_of("deliveries", webhook_id)
    (before,) = pages.place(cursor, int)
    values = {"tenant": caller.tenant_id, "webhook": webhook_id, "before": before or AFTER_ALL, "most": limit + 1}
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(LIST, values).fetchall()
        total = connection.execute(COUNT, values).fetchone()
    return pages.listed(rows, limit, total[0] if total else 0, lambda row: (row["id"],))


def send_test(caller: Caller, webhook_id: int) -> Row:
    """Tell a webhook something that means nothing."""
    with transaction() as (_, connection):
        webhook = webhooks.hold(connection, caller, webhook_id)
        _refuse_inactive(webhook["is_active"])
        notice = Notice(uuid4().hex, {"webhook_id": webhook_id})
        (delivery_id,) = outbox.add(connection, webhook_id, webhook["url"], webhooks.TEST, [notice])
        audit.note(connection, caller, "test", webhooks.ENTITY, {}, entity_id=webhook_id)
    outbox.ring()
    return one(caller, delivery_id)


def redeliver(caller: Caller, delivery_id: int) -> Row:
    """Send a message again, under the same id, or now when it waits for its next try."""
    with transaction() as (_, connection):
        row = _one(connection, caller, delivery_id)
        _refuse_inactive(row["is_active"])
        stage, values = stage_named(STAGE), {"ids": [delivery_id]}
        if not queue.add(connection, stage, [delivery_id]):
            curation.hurry(connection, stage, "= ANY(%(ids)s)", values)
        audit.note(connection, caller, "redeliver", "webhook_deliveries", {}, entity_id=delivery_id)
    outbox.ring()
    return one(caller, delivery_id)


def one(caller: Caller, delivery_id: int) -> Row:
    """Give one message and how it fares."""
    with statement() as connection:
        return _one(connection, caller, delivery_id)


def forget_old() -> int:
    """Delete messages that ended long ago, and give how many."""
    with statement() as connection:
        return connection.execute(FORGET, {"ended": list(FINISHED)}).rowcount


def _one(connection: Connection, caller: Caller, delivery_id: int) -> Row:
    values = {"tenant": caller.tenant_id, "id": delivery_id}
    row = connection.cursor(row_factory=dict_row).execute(ONE, values).fetchone()
    if row is None:
        raise NotFound(f"There is no webhook delivery {delivery_id}.")
    return row


def _refuse_inactive(is_active: bool) -> None:
    if not is_active:
        raise Conflict("This webhook is switched off: set is_active first.")

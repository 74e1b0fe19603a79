"""Webhooks: add, list, change, remove them, and change their secret, each with its audit entry."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

import reasons
from accounts import audit
from accounts.caller import Caller
from errors import BadInput, Conflict, NotFound
from models.webhook import EVENTS
from notices import found_contacts, outbox
from notices.address import checked
from notices.outbox import STAGE
from pipeline import doorbell, lanes
from pipeline.database import Connection, statement, transaction
from pipeline.selection import CANCEL
from services.webhook_signature import KEY_BYTES, secret_of
from settings import settings

Row = dict[str, Any]

TEST = "webhook.test"
OF_INSTALLATION = "stage.failing"
# What a webhook may ask for; a test is sent by hand.
WANTED = tuple(event for event in EVENTS if event != TEST)
MOST = 50
ENTITY = "webhooks"
OLD_SECRET_HOURS = 24

SHOWN = "id, url, events, description, is_active, created_at, updated_at"
LIST = f"SELECT {SHOWN} FROM webhooks WHERE tenant_id = %(tenant)s ORDER BY id".encode()
ONE = f"SELECT {SHOWN} FROM webhooks WHERE tenant_id = %(tenant)s AND id = %(id)s".encode()
LOCK = ONE + b" FOR UPDATE"
COUNT = b"SELECT count(*) FROM webhooks WHERE tenant_id = %(tenant)s"

ADD = f"""
INSERT INTO webhooks (tenant_id, url, secret, events, description, created_by_id)
VALUES (%(tenant)s, %(url)s, %(secret)s, %(events)s, %(description)s, %(user)s) RETURNING {SHOWN}""".encode()

# It is told of what happens from now on when it begins to listen again, or to something more.
CHANGE = f"""
UPDATE webhooks SET url = %(url)s, events = %(events)s, description = %(description)s, is_active = %(is_active)s,
       told_from = CASE WHEN %(listens_anew)s THEN clock_timestamp() ELSE told_from END,
       told_until = CASE WHEN %(listens_anew)s THEN clock_timestamp() ELSE told_until END, updated_at = now()
WHERE id = %(id)s RETURNING {SHOWN}""".encode()

ROTATE = f"""
UPDATE webhooks SET previous_secret = secret, previous_until = clock_timestamp() + interval '{OLD_SECRET_HOURS} hours',
       secret = %(secret)s, updated_at = now()
WHERE tenant_id = %(tenant)s AND id = %(id)s RETURNING {SHOWN}""".encode()

OPEN = f"""
stage = '{STAGE}' AND status IN ('Queued', 'Processing')
AND entity_id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = %(id)s)"""
DELETE = b"DELETE FROM webhooks WHERE id = %(id)s"


def listed(caller: Caller) -> list[Row]:
    """Give a tenant's webhooks."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(LIST, {"tenant": caller.tenant_id}).fetchall()


def one(caller: Caller, webhook_id: int) -> Row:
    """Give one webhook of a tenant's."""
    with statement() as connection:
        return _row(connection, ONE, {"tenant": caller.tenant_id, "id": webhook_id})


def hold(connection: Connection, caller: Caller, webhook_id: int) -> Row:
    """Give one webhook of a tenant's, which stays as it is until the transaction ends."""
    return _row(connection, LOCK, {"tenant": caller.tenant_id, "id": webhook_id})


def add(caller: Caller, url: str, events: Sequence[str], description: str | None = None) -> Row:
    """Add a webhook, and give it with its secret, which is shown this once."""
    secret = secret_of(secrets.token_bytes(KEY_BYTES))
    values = {"tenant": caller.tenant_id, "url": checked(url), "secret": secret, "user": caller.user_id}
    values |= {"events": Jsonb(known_events(caller, events)), "description": description}
    with transaction() as (_, connection):
        _refuse_too_many(connection, caller)
        row = _written(connection, ADD, values)
        audit.note(connection, caller, "create", ENTITY, _told(row), entity_id=row["id"])
    return row | {"secret": secret}


def change(caller: Caller, webhook_id: int, changes: Mapping[str, Any]) -> Row:
    """Change what is given of a webhook."""
    if not changes:
        raise BadInput("Say what to change: url, events, description or is_active.")
    with transaction() as (_, connection):
        before = hold(connection, caller, webhook_id)
        after = before | _checked(caller, changes)
        anew = after["is_active"] and (not before["is_active"] or bool({*after["events"]} - {*before["events"]}))
        if anew and before["is_active"]:
            found_contacts.tell_one(connection, webhook_id)  # what it has yet to hear of the time before
        values = after | {"events": Jsonb(after["events"]), "listens_anew": anew}
        row = _written(connection, CHANGE, values)
        detail = {"before": {name: before[name] for name in changes}, "after": {name: row[name] for name in changes}}
        audit.note(connection, caller, "update", ENTITY, detail, entity_id=webhook_id)
    outbox.ring()
    return row


def rotate(caller: Caller, webhook_id: int) -> Row:
    """Give a webhook a new secret, shown this once; the old one signs beside it for a day."""
    secret = secret_of(secrets.token_bytes(KEY_BYTES))
    with transaction() as (_, connection):
        row = _row(connection, ROTATE, {"tenant": caller.tenant_id, "id": webhook_id, "secret": secret})
        audit.note(connection, caller, "rotate-secret", ENTITY, {}, entity_id=webhook_id)
    return row | {"secret": secret}


def remove(caller: Caller, webhook_id: int) -> None:
    """Remove a webhook with all that it was told; what it has yet to be told is cancelled."""
    with transaction() as (_, connection):
        before = hold(connection, caller, webhook_id)
        values = {"id": webhook_id, "cancelled": reasons.WEBHOOK_GONE}
        ended = connection.execute(CANCEL.format(condition=OPEN).encode(), values).fetchall()
        connection.execute(DELETE, values)
        audit.note(connection, caller, "delete", ENTITY, {"before": _told(before)}, entity_id=webhook_id)
    doorbell.ring(lanes.release({lane for _, lane in ended if lane is not None}))


def known_events(caller: Caller, events: Sequence[str]) -> list[str]:
    """Give the events in their order, or say which there are."""
    unknown = sorted({*events} - {*WANTED})
    if unknown or not events:
        found = f"There is no event {unknown[0][:40]!r}." if unknown else "A webhook wants at least one event."
        raise BadInput(f"{found} Use some of: {', '.join(WANTED)}.")
    if OF_INSTALLATION in events and caller.tenant_id != settings().default_tenant_id:
        raise BadInput(f"{OF_INSTALLATION} concerns the whole installation: only its own tenant can ask for it.")
    return [event for event in WANTED if event in events]


def _checked(caller: Caller, changes: Mapping[str, Any]) -> Row:
    made = dict(changes)
    if "url" in made:
        made["url"] = checked(made["url"])
    if "events" in made:
        made["events"] = known_events(caller, made["events"])
    return made


def _refuse_too_many(connection: Connection, caller: Caller) -> None:
    row = connection.execute(COUNT, {"tenant": caller.tenant_id}).fetchone()
    if row and row[0] >= MOST:
        raise Conflict(f"There are {MOST} webhooks already, which is the most: remove one first.")


def _row(connection: Connection, sql: bytes, values: Row) -> Row:
    row = connection.cursor(row_factory=dict_row).execute(sql, values).fetchone()
    if row is None:
        raise NotFound(f"There is no webhook {values['id']}.")
    return row


def _written(connection: Connection, sql: bytes, values: Row) -> Row:
    try:
        row = connection.cursor(row_factory=dict_row).execute(sql, values).fetchone()
    except UniqueViolation:
        raise Conflict("Another webhook has this URL already: change that one, or remove it first.") from None
    return row or {}


def _told(row: Row) -> Row:
    return {name: row[name] for name in ("url", "events", "description", "is_active")}

"""Found contacts: tell each webhook of every contact that was found since it listens, once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from psycopg.rows import dict_row

from notices import outbox
from notices.outbox import Notice
from pipeline.database import Connection, statement, transaction

EVENT = "contact.found"
MOST_A_MESSAGE = 100
MOST_AT_A_TIME = 10_000
# A contact counts from the beginning of the transaction that stores it, and is seen at its end.
OVERLAP = timedelta(minutes=15)

LISTENS = "is_active AND events @> '[\"contact.found\"]'"
LISTENING = f"SELECT id FROM webhooks WHERE {LISTENS} ORDER BY id".encode()
TAKE = f"""
SELECT tenant_id, url, told_from, told_until, now() AS now FROM webhooks
WHERE id = %(webhook)s AND {LISTENS} FOR UPDATE SKIP LOCKED""".encode()

FOUND = b"""
WITH told AS (
    SELECT each.id::bigint
    FROM webhook_deliveries sent, jsonb_array_elements_text(sent.payload -> 'contact_ids') AS each(id)
    WHERE sent.webhook_id = %(webhook)s AND sent.event = 'contact.found' AND sent.created_at > %(since)s)
SELECT id, created_at FROM contacts
WHERE tenant_id = %(tenant)s AND created_at > %(since)s AND created_at >= %(told_from)s AND gone_at IS NULL
  AND id NOT IN (SELECT id FROM told)
ORDER BY created_at, id LIMIT %(most)s"""

MARK = b"UPDATE webhooks SET told_until = %(until)s WHERE id = %(webhook)s"


def tell() -> int:
    """Queue messages to every webhook that listens, and give how many."""
    with statement() as connection:
        ids = [row[0] for row in connection.execute(LISTENING).fetchall()]
    many = 0
    for webhook_id in ids:
        with transaction() as (_, connection):
            many += tell_one(connection, webhook_id)
    return many


def tell_one(connection: Connection, webhook_id: int) -> int:
    """Queue messages to one webhook, unless somebody else is at it; give how many."""
    row = connection.cursor(row_factory=dict_row).execute(TAKE, {"webhook": webhook_id}).fetchone()
    if row is None:
        return 0
    values = {"webhook": webhook_id, "tenant": row["tenant_id"], "told_from": row["told_from"], "most": MOST_AT_A_TIME}
    found = connection.execute(FOUND, values | {"since": row["told_until"] - OVERLAP}).fetchall()
    outbox.add(connection, webhook_id, row["url"], EVENT, _notices([contact_id for contact_id, _ in found]))
    until = found[-1][1] if len(found) == MOST_AT_A_TIME else row["now"]
    connection.execute(MARK, {"webhook": webhook_id, "until": max(until, row["told_until"])})
    return -(-len(found) // MOST_A_MESSAGE)


def _notices(ids: Sequence[int]) -> list[Notice]:
    inorder = sorted(ids)
    parts = [inorder[at : at + MOST_A_MESSAGE] for at in range(0, len(inorder), MOST_A_MESSAGE)]
    return [Notice(f"{part[0]}-{part[-1]}", {"contact_ids": part}) for part in parts]

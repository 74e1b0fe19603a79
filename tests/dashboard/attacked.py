"""An attack in every text that a tenant's rows may hold."""

from __future__ import annotations

from typing import Any

import psycopg

from tests.api.planted import Planted

ATTACK = """attack{{7*7}}'"></title></textarea><script>hacked()</script><img src=x onerror=hacked()>&lt;b&gt;"""
ADDRESS = "javascript:hacked()//x.example/%0a<script>"
COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns
JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'character varying')
  AND table_name IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'tenant_id')
ORDER BY 1, 2"""
# Words of ours, which a stranger never writes.
OURS = {
    "stage", "status", "cron", "timezone", "role", "lane", "action", "entity", "provider", "kind", "secret_hash", "how",
    "prefix", "value_hash", "secret", "host", "subject", "owner_key", "catch_up", "mode", "event", "result", "reason",
}  # fmt: skip
ADDRESSES = {"website", "url", "final_url", "logo_url", "redirects_to"}
CHANGE = "UPDATE {table} SET {column} = %s WHERE tenant_id = %s"


def attack(own: Planted) -> int:
    """Write an attack into every text of a tenant's rows that takes one, and give how many columns do."""
    own.connection.execute("UPDATE users SET name = %s WHERE id = %s", (ATTACK, own.user_id))
    return spoil(own, ATTACK, ADDRESS)


def spoil(own: Planted, text: str, address: str | None = None) -> int:
    """Write a text, or an address where one belongs, into every column that takes it, and give how many do."""
    return sum(
        _try(own, each, address if address and each["column_name"] in ADDRESSES else text)
        for each in own.rows(COLUMNS)
        if each["column_name"] not in OURS and each["table_name"] not in ("users", "sessions")
    )


def _try(own: Planted, column: dict[str, Any], text: str) -> int:
    sql = CHANGE.format(table=column["table_name"], column=column["column_name"]).encode()
    try:
        return int(own.connection.execute(sql, (text, own.tenant)).rowcount > 0)
    # Only some words are allowed there, or shorter ones.
    except (psycopg.errors.IntegrityError, psycopg.errors.DataError):
        return 0

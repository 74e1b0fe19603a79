"""A town full of businesses, with everything that was found about them and all that the machine did: to look at."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
from psycopg.sql import quote

from tests.browser import town_found, town_machine


def fill(database_url: str, tenant: UUID, user: UUID) -> None:
    """Put the town into empty tables whose ids begin with one: the nth row of each has the number n."""
    meant = {
        "@tenant": _literal(tenant, "uuid"),
        "@user": _literal(user, "uuid"),
        "@hack": _literal(town_found.HACK, "text"),
        "@names": _literal(list(town_found.NAMES), "text[]"),
        "@sites": _literal(list(town_found.SITES), "text[]"),
    }
    with psycopg.connect(database_url, autocommit=True) as connection:
        for sql in (*town_found.statements(), *town_machine.statements()):
            for name, literal in meant.items():
                sql = sql.replace(name, literal)
            connection.execute(sql.encode())


def _literal(value: Any, kind: str) -> str:
    return f"({quote(value)}::{kind})"

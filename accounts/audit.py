"""Audit: who changed what, written in the transaction that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from accounts.caller import Caller
from pipeline.database import Connection
from settings import settings

ADD = b"""
INSERT INTO audit_entries (tenant_id, user_id, api_key_id, action, entity, entity_id, detail)
VALUES (%(tenant)s, %(user)s, %(key)s, %(action)s, %(entity)s, %(id)s, %(detail)s)"""


def note(
    connection: Connection,
    caller: Caller | None,
    action: str,
    entity: str,
    detail: Mapping[str, Any],
    *,
    entity_id: int | None = None,
    tenant_id: UUID | None = None,
) -> None:
    """Leave an entry; without a caller it was the person at the keyboard, for this or the default tenant."""
    values: dict[str, Any] = {"tenant": tenant_id or settings().default_tenant_id, "user": None, "key": None}
    if caller is not None:
        values = {"tenant": caller.tenant_id, "user": caller.user_id, "key": caller.api_key_id}
    told = {"action": action, "entity": entity, "id": entity_id, "detail": Jsonb(dict(detail))}
    connection.execute(ADD, values | told)

"""Audit: who changed what, written in the transaction that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, Unpack
from uuid import UUID

from psycopg.types.json import Jsonb

from accounts.caller import Caller
from pipeline.database import Connection
from settings import settings

ADD = b"""
INSERT INTO audit_entries (tenant_id, user_id, api_key_id, action, entity, entity_id, detail)
VALUES (%(tenant)s, %(user)s, %(key)s, %(action)s, %(entity)s, %(id)s, %(detail)s)"""


class By(TypedDict, total=False):
    """Who did it: a user, and the key that they did it with."""

    user_id: UUID | None
    api_key_id: int | None


def enter(
    connection: Connection,
    tenant_id: UUID,
    action: str,
    entity: str,
    detail: Mapping[str, Any],
    *,
    entity_id: int | None = None,
    **by: Unpack[By],
) -> None:
    """Leave an entry that says who did what, in the transaction that does it."""
    values = {"tenant": tenant_id, "user": by.get("user_id"), "key": by.get("api_key_id")}
    told = {"action": action, "entity": entity, "id": entity_id, "detail": Jsonb(dict(detail))}
    connection.execute(ADD, values | told)


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
    if caller is None:
        enter(connection, tenant_id or settings().default_tenant_id, action, entity, detail, entity_id=entity_id)
        return
    by: By = {"user_id": caller.user_id, "api_key_id": caller.api_key_id}
    enter(connection, caller.tenant_id, action, entity, detail, entity_id=entity_id, **by)

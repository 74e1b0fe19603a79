"""Keys: how programs call in the name of a user. A key is shown once; only its hash is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from accounts import audit
from accounts import keys_sql as sql
from accounts.caller import ROLE_SCOPES, SCOPES, Caller, Scope
from accounts.moments import utc
from errors import BadInput, Conflict, NotAllowed, NotFound
from pipeline.database import Connection, statement, transaction
from pipeline.paging import Listed, pages_of

MARK = "ssk_"
SHOWN = 12
LONGEST_NAME = 100
LONGEST_LIFE = timedelta(days=3653)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """The key that somebody wants; without scopes it may do all that its maker may."""

    name: str
    scopes: Collection[Scope] | None = None
    expires_at: datetime | None = None


def new_key() -> str:
    """Make a key that nobody can guess."""
    return MARK + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Hash what is long and random, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def find(key: str) -> Caller | None:
    """Give whose key this is, or None when it is none that counts."""
    with statement() as connection:
        row = connection.execute(sql.FIND, (hash_of(key),)).fetchone()
    if row is None:
        return None
    key_id, tenant_id, user_id, role, scopes = row
    allowed = ROLE_SCOPES[role] & {scope for scope in SCOPES if scope in scopes}
    return Caller(tenant_id, user_id, role, frozenset(allowed), api_key_id=key_id)


def list_keys(
    tenant_id: UUID, *, user_id: UUID | None = None, after: str | None = None, limit: int = 50, total: bool = True
) -> Listed[Row]:
    """Give a page of a tenant's keys, or of one user's, the newest first."""
    values: Row = {"tenant": tenant_id, "user": user_id, "most": limit + 1, "id": None}
    pages = pages_of("keys", user_id)
    (values["after"],) = pages.place(after, int)
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(sql.LIST, values).fetchall()
        many = _count(connection, values) if total else None
    return pages.listed(rows, limit, many, lambda row: (row["id"],))


def add(maker: Caller, wish: Wish, *, caller: Caller | None = None) -> tuple[Row, str]:
    """Make a key of the maker, and give its row and, for this once, the key itself."""
    scopes = _allowed(maker, wish)
    _check(wish)
    key = new_key()
    values = {
        "tenant": maker.tenant_id, "user": maker.user_id, "with": maker.api_key_id, "name": wish.name.strip(),
        "prefix": key[:SHOWN], "hash": hash_of(key), "scopes": Jsonb(scopes),
        "expires": wish.expires_at and utc(wish.expires_at),
    }  # fmt: skip
    with transaction() as (_, connection):
        key_id = _insert(connection, values)
        detail = {"name": values["name"], "user": str(maker.user_id), "scopes": scopes}
        audit.note(connection, caller, "create", "keys", detail, entity_id=key_id, tenant_id=maker.tenant_id)
        return _row(connection, maker.tenant_id, key_id), key


def revoke(
    tenant_id: UUID, key_id: int, *, user_id: UUID | None = None, caller: Caller | None = None
) -> Collection[str]:
    """End a key of the tenant, or of one of its users, and all that were made with it; give the names of those ended.

    Until nothing more is found, because a key that is made in this very moment appears only when it is there.
    """
    with transaction() as (_, connection):
        _row(connection, tenant_id, key_id, user_id)
        ended: list[str] = []
        while found := connection.execute(sql.REVOKE, {"tenant": tenant_id, "id": key_id}).fetchall():
            ended += [name for (name,) in found]
        if ended:
            audit.note(connection, caller, "revoke", "keys", {"names": ended}, entity_id=key_id, tenant_id=tenant_id)
    return ended


def id_of(tenant_id: UUID, name: str) -> int:
    """Find a key by its name."""
    with statement() as connection:
        row = connection.execute(sql.BY_NAME, (tenant_id, name)).fetchone()
    if row is None:
        raise NotFound(f"There is no key {name[:100]!r}: `scrapersky key list` shows which there are.")
    key_id: int = row[0]
    return key_id


def _allowed(maker: Caller, wish: Wish) -> list[str]:
    scopes = maker.scopes if wish.scopes is None else frozenset(wish.scopes)
    if unknown := sorted(scopes - SCOPES.keys()):
        raise BadInput(f"There is no scope {unknown[0][:40]!r}. Use some of: {', '.join(SCOPES)}.")
    if beyond := sorted(scopes - maker.scopes):
        raise NotAllowed(f"A key cannot do more than its maker, who may not {', '.join(beyond)}: leave that out.")
    return [scope for scope in SCOPES if scope in scopes]


def _check(wish: Wish) -> None:
    if not 0 < len(wish.name.strip()) <= LONGEST_NAME:
        raise BadInput(f"A key's name has 1 to {LONGEST_NAME} characters: choose another one.")
    now = datetime.now(UTC)
    if wish.expires_at is not None and not now < utc(wish.expires_at) < now + LONGEST_LIFE:
        raise BadInput("A key expires within ten years from now: name a time to come, or none.")


def _insert(connection: Connection, values: Row) -> int:
    try:
        row = connection.execute(sql.ADD, values).fetchone()
    except UniqueViolation:
        raise Conflict(
            f"There is a key {values['name']!r} already, perhaps a revoked one: choose another name."
        ) from None
    if row is None:
        raise NotAllowed("The key that asks for this has been revoked.")
    key_id: int = row[0]
    return key_id


def _row(connection: Connection, tenant_id: UUID, key_id: int, user_id: UUID | None = None) -> Row:
    values = {"tenant": tenant_id, "user": user_id, "id": key_id, "after": None, "most": 1}
    row = connection.cursor(row_factory=dict_row).execute(sql.LIST, values).fetchone()
    if row is None:
        raise NotFound(f"There is no key {key_id}.")
    return row


def _count(connection: Connection, values: Row) -> int:
    row = connection.execute(sql.COUNT, values).fetchone()
    return int(row[0]) if row else 0

"""Users: who may come in, made, changed and let go by an admin of their tenant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg.errors import UniqueViolation
from psycopg.rows import dict_row

from accounts import audit, emails, links, passwords, sessions
from accounts.caller import ROLE_SCOPES, Caller, Scope
from accounts.links import Link
from errors import BadInput, Conflict, NotFound
from pipeline.database import Connection, statement, transaction
from pipeline.paging import Listed, pages_of

LONGEST_NAME = 200
LAST_ADMIN = "This is the last admin who is active: make another user an admin first."
TAKEN_ALREADY = "There is a user with this address already: choose another one."
INACTIVE = "This user is not active, so a link would not let them in: activate them first."

Row = dict[str, Any]
PAGES = pages_of("users")

# Nobody logs in as the program itself.
PEOPLE = f"FROM users WHERE tenant_id = %(tenant)s AND email NOT LIKE '%%{emails.SYSTEM_SUFFIX}'"
SHOWN = """SELECT id, email, name, role, is_active, password_hash IS NOT NULL AS has_password, last_login_at,
       created_at, updated_at """

LIST = f"""
{SHOWN} {PEOPLE} AND (%(after)s::text IS NULL OR email > %(after)s) ORDER BY email LIMIT %(most)s""".encode()
COUNT = f"SELECT count(*) {PEOPLE}".encode()
ONE = f"{SHOWN} {PEOPLE} AND id = %(id)s".encode()
LOCKED = ONE + b" FOR NO KEY UPDATE"
BY_EMAIL = f"{SHOWN} {PEOPLE} AND email = %(email)s".encode()
OTHER_ADMINS = f"SELECT count(*) {PEOPLE} AND role = 'admin' AND is_active AND id <> %(id)s".encode()
NAMES = f"SELECT id, coalesce(nullif(name, ''), email) {PEOPLE} AND id = ANY(%(ids)s)".encode()

# So that two admins who let each other go do so one after the other.
LOCK_TENANT = b"SELECT id FROM tenants WHERE id = %(tenant)s FOR NO KEY UPDATE"

ADD = b"""
INSERT INTO users (tenant_id, email, name, role, password_hash)
VALUES (%(tenant)s, %(email)s, %(name)s, %(role)s, %(hash)s) RETURNING id"""

TAKEN = b"SELECT 1 FROM users WHERE email = %s"

CHANGE = b"""
UPDATE users SET name = %(name)s, role = %(role)s, is_active = %(is_active)s, updated_at = now()
WHERE id = %(id)s AND tenant_id = %(tenant)s"""


@dataclass(frozen=True, slots=True)
class Wish:
    """The user that somebody wants; without a password they get a link to set one."""

    email: str
    role: str = "viewer"
    name: str | None = None
    password: str | None = None


def list_users(tenant_id: UUID, *, after: str | None = None, limit: int = 50, total: bool = True) -> Listed[Row]:
    """Give a page of a tenant's users, by address."""
    (after,) = PAGES.place(after, str)
    values = {"tenant": tenant_id, "after": after, "most": limit + 1}
    with statement() as connection:
        rows = connection.cursor(row_factory=dict_row).execute(LIST, values).fetchall()
        many = _count(connection, COUNT, values) if total else None
    return PAGES.listed(rows, limit, many, lambda row: (row["email"],))


def get(tenant_id: UUID, user_id: UUID) -> Row:
    """Give one user of a tenant."""
    with statement() as connection:
        return _one(connection, ONE, {"tenant": tenant_id, "id": user_id})


def names_of(tenant_id: UUID, user_ids: Collection[UUID]) -> dict[UUID, str]:
    """Give the names of a tenant's users, or their addresses."""
    with statement() as connection:
        return dict(connection.execute(NAMES, {"tenant": tenant_id, "ids": list(user_ids)}).fetchall())


def by_email(tenant_id: UUID, email: str) -> Row:
    """Give the user of a tenant with this address."""
    with statement() as connection:
        return _one(connection, BY_EMAIL, {"tenant": tenant_id, "email": emails.normal(email)})


def add(tenant_id: UUID, wish: Wish, *, caller: Caller | None = None) -> tuple[Row, Link | None]:
    """Make a user, with a password or with a link to set one."""
    values = {"tenant": tenant_id, "email": emails.checked(wish.email), "role": _role(wish.role)}
    _refuse_giving_more(caller, wish.role)
    values |= {"name": _name(wish.name), "hash": wish.password and passwords.hash_password(wish.password)}
    with transaction() as (_, connection):
        user_id = _insert(connection, values)
        link = None if wish.password else links.make(connection, tenant_id, user_id)
        detail = {"user": str(user_id), "email": values["email"], "role": wish.role}
        audit.note(connection, caller, "create", "users", detail, tenant_id=tenant_id)
        return _one(connection, ONE, {"tenant": tenant_id, "id": user_id}), link


def check_free(email: str) -> None:
    """Refuse an address that some user of the installation has."""
    with statement() as connection:
        if connection.execute(TAKEN, (emails.checked(email),)).fetchone() is not None:
            raise Conflict(TAKEN_ALREADY)


def change(tenant_id: UUID, user_id: UUID, wanted: Mapping[str, Any], *, caller: Caller | None = None) -> Row:
    """Change name, role or is_active; who is let go is out at once, and a tenant keeps an admin."""
    values = {"tenant": tenant_id, "id": user_id}
    with transaction() as (_, connection):
        connection.execute(LOCK_TENANT, values)
        before = _one(connection, LOCKED, values)
        after = before | _checked(wanted)
        changed = {name: [before[name], after[name]] for name in wanted if before[name] != after[name]}
        if changed:
            _refuse_losing_the_last_admin(connection, before, after, values)
            if _allowed(after) - _allowed(before):
                _refuse_giving_more(caller, after["role"])
            connection.execute(CHANGE, values | {name: after[name] for name in ("name", "role", "is_active")})
            if not after["is_active"]:
                links.forget(connection, user_id)
                sessions.end_all(connection, user_id)
            detail = {"user": str(user_id), "email": before["email"], "changed": changed}
            audit.note(connection, caller, "update", "users", detail, tenant_id=tenant_id)
        return _one(connection, ONE, values)


def make_link(tenant_id: UUID, user_id: UUID, *, caller: Caller | None = None) -> Link:
    """Make a link with which a user sets a new password; links made before work no more."""
    with transaction() as (_, connection):
        user = _one(connection, LOCKED, {"tenant": tenant_id, "id": user_id})
        if not user["is_active"]:
            raise Conflict(INACTIVE)
        _refuse_giving_more(caller, user["role"])
        links.forget(connection, user_id)
        detail = {"user": str(user_id), "email": user["email"]}
        audit.note(connection, caller, "make-link", "users", detail, tenant_id=tenant_id)
        return links.make(connection, tenant_id, user_id)


def _checked(wanted: Mapping[str, Any]) -> Row:
    found: Row = dict(wanted)
    if "role" in found:
        found["role"] = _role(found["role"])
    if "name" in found:
        found["name"] = _name(found["name"])
    return found


def _role(role: str) -> str:
    if role not in ROLE_SCOPES:
        raise BadInput(f"There is no role {role[:40]!r}. Use one of: {', '.join(ROLE_SCOPES)}.")
    return role


def _name(name: str | None) -> str | None:
    written = " ".join((name or "").split())
    if len(written) > LONGEST_NAME:
        raise BadInput(f"A user's name has at most {LONGEST_NAME} characters: write a shorter one.")
    return written or None


def _allowed(user: Row) -> frozenset[Scope]:
    return ROLE_SCOPES[user["role"]] if user["is_active"] else frozenset()


def _refuse_giving_more(caller: Caller | None, role: str) -> None:
    """A key that may not do all that an admin may makes no admin, and no way in for one."""
    if caller is not None:
        caller.check_role(role)


def _refuse_losing_the_last_admin(connection: Connection, before: Row, after: Row, values: Row) -> None:
    was, stays = (user["role"] == "admin" and user["is_active"] for user in (before, after))
    if was and not stays and not _count(connection, OTHER_ADMINS, values):
        raise Conflict(LAST_ADMIN)


def _insert(connection: Connection, values: Row) -> UUID:
    try:
        row = connection.execute(ADD, values).fetchone()
    except UniqueViolation:
        raise Conflict(TAKEN_ALREADY) from None
    user_id: UUID = row[0] if row else UUID(int=0)
    return user_id


def _one(connection: Connection, sql: bytes, values: Row) -> Row:
    row = connection.cursor(row_factory=dict_row).execute(sql, values).fetchone()
    if row is None:
        raise NotFound("There is no such user.")
    return row


def _count(connection: Connection, sql: bytes, values: Row) -> int:
    row = connection.execute(sql, values).fetchone()
    return int(row[0]) if row else 0

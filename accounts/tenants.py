"""Tenants: customers who share an installation and see nothing of one another."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from accounts import audit, users
from accounts.links import Link
from errors import BadInput, Conflict
from pipeline.children import clean
from pipeline.database import statement, transaction

LONGEST_NAME = 200

# One at a time, so that two of one name cannot slip in together.
LOCK = b"LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE"
FIND = b"SELECT id FROM tenants WHERE lower(name) = lower(%s)"
ADD = b"INSERT INTO tenants (name) VALUES (%s) RETURNING id"
ALL = b"""
SELECT id::text, name, created_at, (SELECT count(*)::int FROM users WHERE tenant_id = tenants.id) AS users,
       (SELECT count(*)::int FROM searches WHERE tenant_id = tenants.id) AS searches
FROM tenants ORDER BY created_at, id"""


def add(name: str) -> UUID:
    """Add a tenant and give its id; two of one name would be mistaken for each other."""
    written = " ".join(clean(name).split())
    if not 1 <= len(written) <= LONGEST_NAME:
        raise BadInput(f"A tenant's name has 1 to {LONGEST_NAME} characters: choose another one.")
    with transaction() as (_, connection):
        connection.execute(LOCK)
        if connection.execute(FIND, (written,)).fetchone() is not None:
            raise Conflict(f"There is a tenant {written!r} already: choose another name.")
        row = connection.execute(ADD, (written,)).fetchone()
        tenant_id: UUID = row[0] if row else UUID(int=0)
        audit.note(connection, None, "create", "tenants", {"name": written}, tenant_id=tenant_id)
    return tenant_id


def add_with_admin(name: str, email: str) -> tuple[UUID, Link | None]:
    """Add a tenant and its first admin, and give the admin's way in; an address that is taken leaves no tenant."""
    users.check_free(email)
    tenant_id = add(name)
    _, link = users.add(tenant_id, users.Wish(email, "admin"))
    return tenant_id, link


def all_tenants() -> list[dict[str, Any]]:
    """Give every tenant, the oldest first."""
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(ALL).fetchall()

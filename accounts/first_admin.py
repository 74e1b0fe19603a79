"""First admin: who may come in when nobody can yet, on a machine that runs its own private database."""

from __future__ import annotations

from uuid import UUID

from accounts import audit, emails, links
from accounts.links import Link
from accounts.signing import is_private
from accounts.users import LOCK_TENANT
from pipeline.database import Connection, transaction
from settings import settings

EMAIL = "admin@localhost"

# Somebody who was added by hand has a link of their own.
SOMEBODY = f"""
SELECT 1 FROM users WHERE tenant_id = %(tenant)s AND email NOT LIKE '%%{emails.SYSTEM_SUFFIX}'
AND (email <> %(email)s OR password_hash IS NOT NULL OR NOT is_active) LIMIT 1""".encode()

ADD = b"""
INSERT INTO users (tenant_id, email, name, role) VALUES (%(tenant)s, %(email)s, 'Admin', 'admin')
ON CONFLICT (email) DO NOTHING RETURNING id"""

FIND = b"SELECT id FROM users WHERE tenant_id = %(tenant)s AND email = %(email)s"


def invite() -> Link | None:
    """Make an admin and a link to come in by, when the database is private and the tenant has no people; else None.

    A link that was shown before goes on working: several web processes start at once, and restart. The first that is
    used ends the others.
    """
    if not is_private():
        return None
    tenant_id = settings().default_tenant_id
    values: dict[str, object] = {"tenant": tenant_id, "email": EMAIL}
    with transaction() as (_, connection):
        connection.execute(LOCK_TENANT, values)
        if connection.execute(SOMEBODY, values).fetchone() is not None:
            return None
        admin_id = _admin(connection, values)
        return links.make(connection, tenant_id, admin_id) if admin_id else None


def _admin(connection: Connection, values: dict[str, object]) -> UUID | None:
    added = connection.execute(ADD, values).fetchone()
    if added is not None:
        audit.note(connection, None, "create", "users", {"user": str(added[0]), "email": EMAIL, "role": "admin"})
    row = connection.execute(FIND, values).fetchone()
    return row[0] if row else None

"""People who call: tenants, users and keys, made directly in the database, and a client for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID, uuid4

import httpx
import psycopg

from accounts.caller import ROLE_SCOPES
from accounts.keys import hash_of, new_key
from settings import settings

ADD_TENANT = "INSERT INTO tenants (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING"
ADD_USER = "INSERT INTO users (tenant_id, email, role) VALUES (%s, %s, %s) RETURNING id"
ADD_KEY = """
INSERT INTO api_keys (tenant_id, user_id, name, prefix, secret_hash, scopes)
VALUES (%s, %s, %s, %s, %s, to_jsonb(%s::text[]))"""


@dataclass
class Person:
    """A user with a key that allows all that the role does."""

    tenant_id: UUID
    user_id: UUID
    role: str
    key: str
    client: httpx.Client


@dataclass
class People:
    """Makes callers of any tenant and role, and closes their connections at the end."""

    url: str
    database_url: str
    made: list[Person] = field(default_factory=list)

    def person(self, role: str = "admin", tenant_id: UUID | None = None, scopes: list[str] | None = None) -> Person:
        """Make a user; without a tenant one of the installation's own, who is an operator when an admin."""
        tenant_id = tenant_id or settings().default_tenant_id
        key = new_key()
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            connection.execute(ADD_TENANT, (tenant_id, f"tenant {tenant_id}"))
            row = connection.execute(ADD_USER, (tenant_id, f"{uuid4().hex}@example.org", role)).fetchone()
            assert row is not None
            allowed = sorted(ROLE_SCOPES[role]) if scopes is None else scopes
            connection.execute(ADD_KEY, (tenant_id, row[0], uuid4().hex, key[:12], hash_of(key), allowed))
        client = httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {key}"}, timeout=60)
        made = Person(tenant_id, row[0], role, key, client)
        self.made.append(made)
        return made

    def stranger(self, role: str = "admin") -> Person:
        """Make a user of a tenant of their own."""
        return self.person(role, tenant_id=uuid4())

    def close(self) -> None:
        for person in self.made:
            person.client.close()

"""What the tests of searches, batches and exports share: rows put straight into the tables, and looked at there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from pipeline.database import statement

SITES = """
INSERT INTO domains (tenant_id, name)
SELECT %(tenant)s, 'site-' || nth || '.example' FROM generate_series(1, 100) nth"""
CONTACTS = """
INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value, confidence)
SELECT %(tenant)s, domains.id, 'domain:' || domains.id, 'email', 'mail-' || nth || '@' || domains.name, 0.9
FROM generate_series(1, %(many)s) nth
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = 'site-' || (nth %% 100 + 1) || '.example'"""
SIGHTINGS = """
INSERT INTO sightings (tenant_id, contact_id, url, method, snippet)
SELECT tenant_id, id, 'https://example.org/contact', 'mailto', repeat(md5(id::text), %(snippet)s)
FROM contacts WHERE tenant_id = %(tenant)s"""


def rows(sql: str, *values: Any) -> list[dict[str, Any]]:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()


def execute(sql: str, *values: Any) -> None:
    with statement() as connection:
        connection.execute(sql.encode(), values or None)


def many_contacts(tenant_id: UUID, many: int, *, snippet: int = 1) -> None:
    """Give a tenant contacts on a hundred sites, each with a proof of `snippet` times 32 characters."""
    values = {"tenant": tenant_id, "many": many, "snippet": snippet}
    for sql in (SITES, CONTACTS, SIGHTINGS):
        with statement() as connection:
            connection.execute(sql.encode(), values)


def audited(tenant_id: UUID) -> list[tuple[str, str]]:
    """Give what was noted of a tenant's people, in order."""
    found = rows("SELECT action, entity FROM audit_entries WHERE tenant_id = %s ORDER BY id", tenant_id)
    return [(row["action"], row["entity"]) for row in found]

"""A database for many tests, emptied before each: a clone for every test would cost most of its time."""

from __future__ import annotations

from models import Base
from pipeline.database import statement

# Children before parents; the system's own tenant and user stay.
KEPT = ("tenants", "users")
TABLES = [table.name for table in reversed(Base.metadata.sorted_tables) if table.name not in KEPT]
PUPPETS = ["puppets", "puppet_visits"]
DELETE = "".join(f"DELETE FROM {table};" for table in [*PUPPETS, *TABLES])
EMPTY = f"""
{DELETE}
DELETE FROM users WHERE email NOT LIKE 'system-%@scrapersky.invalid';
DELETE FROM tenants WHERE id NOT IN (SELECT tenant_id FROM users);
SELECT setval(seqrelid, 1, false) FROM pg_sequence WHERE seqrelid::regclass::text LIKE ANY (ARRAY['%_id_seq']);
""".encode()


def empty() -> None:
    """Leave nothing of the tests before in this process's database; ids count from one again."""
    with statement() as connection:
        connection.execute(EMPTY)

"""Suppressions of people: a name at an owner, so that an erased one is not stored again.

Revision ID: 0008
"""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE suppressions
            DROP CONSTRAINT ck_suppressions_kind,
            ADD CONSTRAINT ck_suppressions_kind CHECK (kind IN ('email', 'phone', 'domain', 'person'))
    """)

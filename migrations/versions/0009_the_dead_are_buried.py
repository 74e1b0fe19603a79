"""A dead worker is noticed once, also when it held no work: the rings it had fetched are gone with it.

Revision ID: 0009
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE workers ADD COLUMN buried_at timestamptz")

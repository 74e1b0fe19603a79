"""What robots.txt said and when, and the delay it asks for.

Revision ID: 0002
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE hosts
            ADD COLUMN crawl_delay interval,
            ADD COLUMN crawl_delay_at timestamptz,
            ADD COLUMN robots_state text,
            ADD COLUMN robots_status smallint,
            ADD COLUMN robots_failing_since timestamptz
    """)

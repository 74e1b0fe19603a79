"""Dead letters are counted and listed from an index of their own, which work that goes well never touches.

Revision ID: 0012
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE INDEX ix_work_failed ON work
            (tenant_id, stage, reason, coalesce(finished_at, '-infinity'::timestamptz), id)
        INCLUDE (lane, finished_at) WHERE status = 'Error'
    """)

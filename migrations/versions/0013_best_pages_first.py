"""The best pages come first in the tables, at once, however many there are.

Revision ID: 0013
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE INDEX ix_pages_tenant_id_score_id ON pages (tenant_id, score, id)")

"""Batches of businesses, beside those of domains, sitemaps and pages.

Revision ID: 0004
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE batches
            DROP CONSTRAINT ck_batches_kind,
            ADD CONSTRAINT ck_batches_kind CHECK (kind IN ('local_business', 'domain', 'sitemap_file', 'page'))
    """)

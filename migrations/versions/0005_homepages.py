"""What a homepage leads to, how far the search for sitemaps has come, and under which scheme a robots.txt was asked for.

Revision ID: 0005
"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE domains
            ADD COLUMN last_modified text,
            ADD COLUMN links jsonb NOT NULL DEFAULT '[]'::jsonb,
            ADD COLUMN sitemap_links jsonb NOT NULL DEFAULT '[]'::jsonb,
            ADD COLUMN sitemap_tries jsonb NOT NULL DEFAULT '{}'::jsonb
    """)
    op.execute("ALTER TABLE hosts ADD COLUMN robots_scheme text")

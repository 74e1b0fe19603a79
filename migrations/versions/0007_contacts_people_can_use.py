"""Verdicts with several reasons, sightings that are gone, and suppressions that are erasures.

Revision ID: 0007
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE contacts ADD COLUMN verdict_reasons jsonb NOT NULL DEFAULT '[]'::jsonb")
    op.execute("""
        UPDATE contacts SET verdict_reasons = jsonb_build_array(verdict_reason) WHERE verdict_reason IS NOT NULL
    """)
    op.execute("ALTER TABLE contacts DROP COLUMN verdict_reason")
    op.execute("ALTER TABLE sightings ADD COLUMN gone_at timestamptz")
    op.execute("ALTER TABLE suppressions ADD COLUMN is_erased boolean NOT NULL DEFAULT false")
    op.execute("CREATE INDEX ix_suppressions_erased ON suppressions (tenant_id, value_hash) WHERE is_erased")

"""Which sitemap lists which page, what an import left out, and indexes for choosing a domain's pages.

Revision ID: 0006
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        ALTER TABLE sitemap_files
            ADD COLUMN left_out jsonb NOT NULL DEFAULT '{}'::jsonb,
            ADD COLUMN imported_at timestamptz
    """)
    op.execute("""
        CREATE TABLE sitemap_pages (
            sitemap_file_id bigint NOT NULL,
            page_id bigint NOT NULL,
            tenant_id uuid NOT NULL,
            listed_at timestamptz NOT NULL DEFAULT now(),
            CONSTRAINT pk_sitemap_pages PRIMARY KEY (sitemap_file_id, page_id)
        )
    """)
    op.execute("CREATE INDEX ix_sitemap_pages_page_id ON sitemap_pages (page_id)")
    op.execute("""
        CREATE INDEX ix_pages_promising ON pages (domain_id, score DESC, depth, url)
            WHERE decision_reason IN ('chosen', 'over-budget')
    """)
    op.execute("CREATE INDEX ix_pages_chosen ON pages (domain_id) WHERE decision_reason = 'chosen'")
    op.execute("ALTER TABLE pages DROP CONSTRAINT fk_pages_tenant_id, DROP CONSTRAINT fk_pages_sitemap_file_id")
    op.execute("""
        CREATE FUNCTION unlist_pages() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            DELETE FROM sitemap_pages USING gone WHERE page_id = gone.id;
            RETURN NULL;
        END $$
    """)
    op.execute("""
        CREATE FUNCTION unlist_sitemap_files() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            DELETE FROM sitemap_pages USING gone WHERE sitemap_file_id = gone.id;
            UPDATE pages SET sitemap_file_id = NULL FROM gone WHERE sitemap_file_id = gone.id;
            RETURN NULL;
        END $$
    """)
    for table in ("pages", "sitemap_files"):
        op.execute(f"""
            CREATE TRIGGER unlist AFTER DELETE ON {table} REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION unlist_{table}()
        """)

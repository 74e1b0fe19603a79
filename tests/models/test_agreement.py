"""Models and migrations describe the same database, down to what Alembic does not compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Engine, text

import migrations
from models import Base
from models.connect import connect_engine

OURS = "n.nspname = 'public' AND c.relname <> 'alembic_version'"
FACTS = {
    "columns": f"""
        SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
               pg_get_expr(d.adbin, d.adrelid)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE {OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped""",
    "constraints": f"""
        SELECT c.relname, k.conname, pg_get_constraintdef(k.oid)
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE {OURS}""",
    "indexes": f"""
        SELECT c.relname, pg_get_indexdef(i.indexrelid)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE {OURS}""",
    "domains": """
        SELECT t.typname, format_type(t.typbasetype, t.typtypmod), k.conname, pg_get_constraintdef(k.oid)
        FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_constraint k ON k.contypid = t.oid
        WHERE t.typtype = 'd' AND n.nspname = 'public'""",
    "storage": f"""
        SELECT c.relname, unnest(c.reloptions) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE {OURS}""",
}


def facts_of(engine: Engine, name: str) -> set[tuple[object, ...]]:
    with engine.connect() as connection:
        return {tuple(row) for row in connection.execute(text(FACTS[name]))}


@pytest.fixture(scope="module")
def created(make_database: Callable[[str], str]) -> Iterator[Engine]:
    """A database made from the models alone."""
    engine = connect_engine(make_database("template0"))
    Base.metadata.create_all(engine)
    yield engine
    engine.dispose()


def test_alembic_finds_no_difference(migrated_url: str) -> None:
    assert migrations.differences(migrated_url) == []


@pytest.mark.parametrize("name", FACTS)
def test_the_catalog_is_the_same(engine: Engine, created: Engine, name: str) -> None:
    migrated = facts_of(engine, name)

    assert migrated, f"the catalog query for {name} finds nothing, so it proves nothing"
    assert facts_of(created, name) == migrated


def test_differences_are_said_in_words(migrated_url: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE not_ours (id int)"))
        connection.execute(text("ALTER TABLE pages DROP COLUMN title, ALTER COLUMN word_count TYPE bigint"))
        connection.execute(text("DROP INDEX ix_pages_sitemap_file_id"))

    assert migrations.differences(migrated_url) == [
        "add column pages.title",
        "modify type pages.word_count: the database has BIGINT, the models INTEGER",
        "add index ix_pages_sitemap_file_id on pages",
    ]

"""`scrapersky db` says what it did and ends non-zero when the tables are not as they should be."""

from __future__ import annotations

import psycopg
import pytest
from typer.testing import CliRunner

import migrations
from cli.db import app
from errors import SchemaBehind
from settings import settings


@pytest.fixture(autouse=True)
def _configured(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    settings.cache_clear()


def test_upgrade_says_what_it_applied() -> None:
    first, second = CliRunner().invoke(app, ["upgrade"]), CliRunner().invoke(app, ["upgrade"])

    assert first.output.startswith(f"The database is up to date at {migrations.head()} (applied 0001")
    assert second.output == f"The database is up to date at {migrations.head()} (nothing to do).\n"


def test_check_of_an_empty_database_asks_for_the_upgrade() -> None:
    assert isinstance(CliRunner().invoke(app, ["check"]).exception, SchemaBehind)


def test_check_after_the_upgrade_is_content(database_url: str) -> None:
    migrations.upgrade(database_url)

    result = CliRunner().invoke(app, ["check"])

    assert (result.exit_code, result.output) == (0, f"The database is up to date at {migrations.head()}.\n")


def test_check_lists_differences_and_fails(database_url: str) -> None:
    migrations.upgrade(database_url)
    with psycopg.connect(database_url) as connection:
        connection.execute("ALTER TABLE pages DROP COLUMN title")

    result = CliRunner().invoke(app, ["check"])

    assert (result.exit_code, result.output) == (SchemaBehind.exit_code, "add column pages.title\n")

"""On a directory that holds nothing yet, any command makes the private database ready by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import embedded
import migrations
from tests.cli.terminal import assert_one_sentence, scrapersky


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Path]:
    """A private database without a table."""
    with embedded.temporary(root=tmp_path / "data"):
        yield tmp_path / "data"


def test_commands_work_on_an_empty_private_database(tmp_path: Path, fresh: Path) -> None:
    shown = scrapersky(tmp_path, "search", "show", "1", SCRAPERSKY_DIR=fresh, STAGE_MODULES="actors")
    assert_one_sentence(shown.returncode, shown.stdout, shown.stderr, 2)
    assert shown.stderr.startswith("There is no search yet: start one with `scrapersky run")
    assert migrations.current(embedded.urls(fresh).database_url) == migrations.head()


def test_a_list_is_brought_to_an_empty_private_database(tmp_path: Path, fresh: Path) -> None:
    (tmp_path / "list.csv").write_text("name,website\nAcme,acme.example\n")
    brought = scrapersky(tmp_path, "import", "businesses", "list.csv", SCRAPERSKY_DIR=fresh, STAGE_MODULES="actors")
    assert brought.returncode == 0, brought.stderr
    assert "Import 1: 1 added" in brought.stdout

"""The pages on own servers, scaling, backup and upgrading name only what exists, and a backup can be restored."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from embedded import programs
from settings import PROJECT_ROOT

HOW_TO = PROJECT_ROOT / "docs" / "how-to"
PAGES = [HOW_TO / f"{name}.md" for name in ("own-servers", "scaling", "backup", "upgrading", "monitoring")]
COMMANDS = (PROJECT_ROOT / "docs" / "reference" / "commands.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_only_what_exists(page: Path) -> None:
    text = page.read_text()
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (HOW_TO / link).exists()] == []
    for words in re.findall(r"(?:^|`|\d  |bin/|worker )scrapersky ([a-z]+(?: [a-z]+)?)", text, flags=re.MULTILINE):
        assert any(f"`scrapersky {name}" in COMMANDS for name in (words, words.split()[0])), words
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT_ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"(?:`|&& )make ([a-z][a-z-]+)", text)) <= targets
    for file in re.findall(r"\b(?:deploy|tests)/[\w./-]*\w", text):
        assert (PROJECT_ROOT / file).exists() or file == "deploy/.env", file


def test_a_backup_can_be_restored_and_fits(
    database_url: str, make_database: Callable[[str], str], tmp_path: Path
) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("DROP TABLE puppets, puppet_visits")  # the product has no such tables
    restored = make_database("template0")
    dump = tmp_path / "scrapersky.dump"
    run(tool("pg_dump"), "--format=custom", f"--file={dump}", database_url)
    run(tool("pg_restore"), "--no-owner", "--exit-on-error", "--single-transaction", f"--dbname={restored}", str(dump))
    assert "up to date" in run(tool("scrapersky"), "db", "check", DATABASE_URL=restored)


def tool(name: str) -> str:
    """Find a program: PostgreSQL's own beside the private server, ours beside Python."""
    folder = programs.postgres() if name.startswith("pg_") else Path(sys.executable)
    return str(folder.with_name(name))


def run(*command: str, **values: str) -> str:
    env = os.environ | {"PYTHONPATH": str(PROJECT_ROOT)} | values
    said = subprocess.run(command, env=env, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return said.stdout

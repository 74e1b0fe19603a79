"""Docs that a test keeps true: generated tables are fresh, and every command they name exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.generate import pages
from settings import PROJECT_ROOT

README = (PROJECT_ROOT / "README.md").read_text(encoding="utf-8")


def test_generated_pages_are_fresh() -> None:
    """In a process of its own, because the tests declare stages that the product does not have."""
    check = (
        "from docs.generate import pages\n"
        "print([str(p) for p, text in pages().items() if not p.exists() or p.read_text('utf-8') != text])"
    )
    environment = {name: value for name, value in os.environ.items() if name != "STAGE_MODULES"}
    said = subprocess.run(
        [sys.executable, "-c", check], cwd=PROJECT_ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]", "stale: run `make docs`"


PAGES = sorted(
    str(page.relative_to(PROJECT_ROOT)) for page in (*PROJECT_ROOT.glob("*.md"), *(PROJECT_ROOT / "docs").rglob("*.md"))
)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (PROJECT_ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (PROJECT_ROOT / page).parent.joinpath(link).exists()] == []


API_TABLES = (PROJECT_ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
ROUTES = {
    (method, path): re.compile(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path)))
    for method, path in re.findall(r"^\| ([A-Z]+) \| `([^`]+)`", API_TABLES, flags=re.MULTILINE)
}
WITH_ROUTES = [page for page in PAGES if "reference" not in page]


@pytest.mark.parametrize("page", WITH_ROUTES)
def test_pages_name_only_routes_that_exist(page: str) -> None:
    text = re.sub(r"\s+", " ", (PROJECT_ROOT / page).read_text(encoding="utf-8"))
    named = re.findall(r"\b(GET|POST|PUT|PATCH|DELETE)`? (?:/api/v3)?(/[a-z_/{}0-9ID-]+(?:\.csv|\.json)?)", text)
    called = re.findall(r"(?:\$API|/api/v3)(/[a-z_/{}0-9ID-]+(?:\.csv|\.json)?)", text)
    assert [name for name in named if not _is_route(name[1], name[0])] == []
    assert [path for path in called if not _is_route(path)] == []


def _is_route(named: str, method: str | None = None) -> bool:
    path = named.rstrip("/-")
    return any(pattern.fullmatch(path) for (own, _), pattern in ROUTES.items() if method in (None, own))


def test_the_pages_on_the_api_name_routes() -> None:
    assert len(ROUTES) > 60
    assert _is_route("/searches/1/pause", "POST")
    assert not _is_route("/searches/1/pause", "GET")
    assert not _is_route("/search")


def test_the_readme_names_only_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT_ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    named = re.findall(r"(?:^|`)make ([a-z-]+)", README, flags=re.MULTILINE)
    assert set(named) <= targets
    assert "test" in named


def test_the_readme_names_only_commands_that_exist() -> None:
    commands = pages()[PROJECT_ROOT / "docs" / "reference" / "commands.md"]
    for words in re.findall(r"^scrapersky ([a-z]+(?: [a-z]+)?)", README, flags=re.MULTILINE):
        assert any(f"scrapersky {name}" in commands for name in (words, words.split()[0])), words


def test_ci_runs_what_the_readme_says() -> None:
    steps = re.findall(r"^(make [a-z-]+)$", (PROJECT_ROOT / ".ci" / "run").read_text(), flags=re.MULTILINE)
    assert steps == ["make demo", "make lint", "make test"]
    assert all(step in README for step in steps)


def test_the_lock_names_no_index_and_pins_every_hash() -> None:
    lock = (PROJECT_ROOT / "requirements.lock").read_text()
    assert "index" not in lock
    assert "://" not in lock
    pinned = re.split(r"\n(?=[a-z])", lock.strip())
    assert [entry.split("==")[0] for entry in pinned if "--hash=sha256:" not in entry] == []


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) < 150
    assert Path(PROJECT_ROOT / "LICENSE").exists()

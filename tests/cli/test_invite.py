"""The first `scrapersky serve` beside a private database shows a link, as a line and not as a log entry."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import embedded
from embedded.processes import wait_until
from migrations import upgrade
from tests.accounts.residents import PASSWORD
from tests.cli.terminal import PROGRAM, environment, free_port


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A private database that runs and is up to date."""
    place = tmp_path / "root"
    with embedded.temporary(root=place, parts=["postgres"]) as servers:
        upgrade(servers.database_url)
        yield place


@contextmanager
def serving(root: Path, **given: object) -> Iterator[tuple[str, Path]]:
    """A web process, its address, and the file with what it says."""
    port, said = free_port(), root.parent / f"said-{free_port()}.log"
    with said.open("w") as log:
        process = subprocess.Popen(
            [PROGRAM, "serve"],
            cwd=root.parent,
            stderr=log,
            env=environment(SCRAPERSKY_DIR=root, WEB_PORT=port, **given),
        )
    try:
        url = f"http://127.0.0.1:{port}"
        assert wait_until(lambda: _answers(url), 60), said.read_text()
        yield url, said
    finally:
        process.terminate()
        assert process.wait(30) == 0


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", timeout=60).status_code == 200
    except httpx.TransportError:
        return False


def set_password(url: str, token: str) -> None:
    """Do what the page of the link does."""
    with httpx.Client(base_url=url, timeout=60) as browser:
        found = re.search(r'name="csrf" value="(\w+)"', browser.get("/login/link").text)
        assert found is not None
        typed = {"csrf": found[1], "token": token, "password": PASSWORD, "again": PASSWORD}
        assert browser.post("/login/link", data=typed).status_code == 303


def test_the_first_start_shows_a_link_and_the_next_one_none(root: Path) -> None:
    with serving(root) as (url, said):
        (link,) = (line for line in said.read_text().splitlines() if "/login#" in line)
        address, _, token = link.partition("#")
        assert address == f"{url}/login"
        assert not any(token in line for line in said.read_text().splitlines() if line.startswith("{"))
        set_password(url, token)
        body = {"email": "admin@localhost", "password": PASSWORD}
        made = httpx.post(f"{url}/api/v3/auth/login", json=body, timeout=30).json()
        headers = {"Authorization": f"Bearer {made['access_token']}"}
        assert httpx.get(f"{url}/api/v3/auth/me", headers=headers, timeout=60).json()["is_operator"] is True
    with serving(root) as (url, said):
        assert "/login#" not in said.read_text()
        assert httpx.get(f"{url}/api/v3/auth/me", headers=headers, timeout=60).status_code == 200


def test_below_up_nothing_is_said_where_a_file_may_keep_it(root: Path) -> None:
    with serving(root, SCRAPERSKY_UP="mark") as (_, said):
        assert "ssl_" not in said.read_text()


def test_servers_of_ones_own_are_told_what_is_missing(root: Path, database_url: str) -> None:
    with serving(root, DATABASE_URL=database_url) as (url, said):
        assert "/login#" not in said.read_text()
        assert "nobody-can-log-in" in said.read_text()
        body = {"email": "admin@localhost", "password": PASSWORD}
        assert httpx.post(f"{url}/api/v3/auth/login", json=body, timeout=60).status_code == 503
        page = httpx.get(f"{url}/login", timeout=60)
        assert page.status_code == 503
        assert "JWT_SECRET_KEY is not set" in page.text

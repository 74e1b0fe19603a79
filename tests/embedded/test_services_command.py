"""`scrapersky services start | stop | status`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import embedded
from cli.services import app
from settings import settings


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings that name the test's root and no server of our own."""
    for name in ("DATABASE_URL", "REDIS_URL", "BROKER_URL"):
        monkeypatch.setenv(name, "")
    _set(monkeypatch, "SCRAPERSKY_DIR", str(root))
    return root


def test_start_status_stop(here: Path) -> None:
    started, running = _services("start"), _services("status")
    stopped, again, after = _services("stop"), _services("stop"), _services("status")

    assert f"is running: {embedded.urls(here).database_url}" in started
    assert f"is running: {embedded.urls(here).broker_url}" in started
    assert running.count(": running, pid ") == 2
    assert f"data  {here / 'postgres'} (" in running
    assert stopped == "Stopped PostgreSQL and Valkey.\n"
    assert again == "Nothing was running.\n"
    assert after.count(": stopped") == 2


def test_your_own_database_is_left_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, "DATABASE_URL", "postgresql://me:secret@db/mine")

    said = _services("start")

    assert "DATABASE_URL is set: your own PostgreSQL is used." in said
    assert "secret" not in said
    assert [s.running for s in embedded.status(here)] == [False, True]


def test_with_servers_of_your_own_nothing_is_started(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, "DATABASE_URL", "postgresql://db/mine")
    _set(monkeypatch, "REDIS_URL", "redis://broker")

    assert [_services(command).count("\n") for command in ("start", "status", "stop")] == [2, 2, 2]
    assert not any(s.running for s in embedded.status(here))


def _services(command: str) -> str:
    result = CliRunner().invoke(app, [command])
    assert result.exit_code == 0, result.output
    return result.output


def _set(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    settings.cache_clear()

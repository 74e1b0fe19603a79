"""The secret that signs tokens is given, or made once beside a private database; never invented otherwise."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

import embedded
from accounts import signing
from errors import ServerDown
from settings import settings
from tests.accounts.residents import at_once


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for embedded servers, and no secret in the environment."""
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.setenv("SCRAPERSKY_DIR", str(root))
    settings.cache_clear()
    return root


def test_the_configured_secret_wins(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", "k" * 40)
    settings.cache_clear()
    assert signing.key() == "k" * 40
    assert list(private.iterdir()) == []


def test_a_private_database_gets_a_secret_of_its_own_that_only_its_owner_reads(private: Path) -> None:
    made = signing.key()
    (file,) = private.iterdir()
    assert file.read_text() == made
    assert len(made) >= 64
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_processes_that_start_at_once_agree_on_the_secret(private: Path) -> None:
    made = at_once(16, lambda: signing._kept.__wrapped__(private / signing.FILE))
    assert len(set(made)) == 1
    assert [file.name for file in private.iterdir()] == [signing.FILE]


def test_the_processes_of_up_use_the_same_secret_although_they_are_told_the_address(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = signing.key()
    monkeypatch.setenv("DATABASE_URL", embedded.urls(private).database_url)
    settings.cache_clear()
    assert signing.key() == made


def test_a_database_of_ones_own_needs_the_setting(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somewhere/leads")
    settings.cache_clear()
    with pytest.raises(ServerDown, match="JWT_SECRET_KEY is not set"):
        signing.key()
    assert list(private.iterdir()) == []


def test_a_damaged_secret_is_not_used(private: Path) -> None:
    (private / signing.FILE).write_text("short")
    with pytest.raises(ServerDown, match="holds no secret"):
        signing.key()


def test_without_a_directory_nobody_logs_in(private: Path) -> None:
    private.rmdir()
    with pytest.raises(ServerDown, match="cannot be used"):
        signing.key()

"""Whatever is wrong is told in one sentence that says what to do; nothing is half-done and no secret is shown."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import migrations
from cli.main import PANELS, main
from embedded import Servers
from pipeline import database
from settings import settings
from tests.cli.terminal import assert_one_sentence, free_port, run_here, scrapersky

DOWN = "postgresql://me:hunter2@127.0.0.1:1/leads"

Run = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process, expect an exit code and give the sentence it ended with."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STAGE_MODULES", "tests.puppets")

    def run(code: int, *arguments: str, **given: str) -> str:
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        database.use(None)
        monkeypatch.setattr(sys, "argv", ["scrapersky", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert_one_sentence(ended.value.code, printed.out, printed.err, code)
        assert list(tmp_path.iterdir()) == []
        return printed.err

    return run


def test_an_unknown_stage(refused: Run) -> None:
    assert refused(2, "pause", "firts").endswith("There is no stage 'firts'. Did you mean first?\n")
    assert "'first\\x1b[31m'" in refused(2, "pause", "first\x1b[31m")


def test_an_unknown_command_or_number(refused: Run) -> None:
    assert refused(2, "fly") == "No such command 'fly': see `scrapersky --help`.\n"
    assert refused(2, "work", "show", "seven") == (
        "Invalid value for 'ID': an id is a whole number from 1 on, not 'seven': see `scrapersky work show --help`.\n"
    )
    assert "not '0'" in refused(2, "work", "retry", "1", "0")
    assert "'ID'" in refused(2, "search", "show", str(2**63))
    assert refused(2, "work", "list", "--limit", "0").endswith(": see `scrapersky work list --help`.\n")


@pytest.mark.parametrize(
    "arguments",
    [("find", "\udcff"), ("contacts", "list", "--text", "\udcff"), ("export", "leads", "--where", "city=\udcff")],
)
def test_bytes_that_are_no_text(refused: Run, db: str, servers: Servers, arguments: tuple[str, ...]) -> None:
    sentence = refused(2, *arguments, DATABASE_URL=db, REDIS_URL=servers.broker_url)
    assert "UTF-8" in sentence or "city needs a value" in sentence


@pytest.mark.parametrize(
    "url",
    ["mysql://me:hunter2@db/leads", "postgresql:/me:hunter2@db/leads", "postgresql://me:hun/hunter2@db/leads"],
)
def test_a_bad_database_url(refused: Run, url: str) -> None:
    assert "postgresql://user:password@host:5432/name" in refused(2, "workers", DATABASE_URL=url)


def test_an_option_postgres_does_not_know(refused: Run) -> None:
    assert 'invalid connection option "colour"' in refused(2, "workers", DATABASE_URL=f"{DOWN}?colour=1")


def test_a_number_that_is_none(refused: Run) -> None:
    assert refused(2, "stages", WEB_PORT="many").startswith("WEB_PORT is 'many': ")


def test_a_database_that_is_down(refused: Run) -> None:
    said = refused(3, "work", "list", DATABASE_URL=DOWN)
    assert said.startswith("PostgreSQL at 127.0.0.1:1/leads cannot be used (")
    assert said.endswith("): start it or correct DATABASE_URL.\n")


@pytest.mark.parametrize("command", [["work", "list"], ["work", "retry", "1"], ["pause", "first"], ["metrics"]])
def test_a_schema_that_is_behind(
    refused: Run, servers: Servers, make_database: Callable[[str], str], command: list[str]
) -> None:
    url = make_database("template0")
    assert "run `scrapersky db upgrade`" in refused(4, *command, DATABASE_URL=url, REDIS_URL=servers.broker_url)
    assert migrations.current(url) is None


def test_tables_that_vanish_are_a_schema_that_is_behind(refused: Run, db: str) -> None:
    with database.statement() as connection:
        connection.execute("DROP TABLE stage_controls")
    assert 'relation "stage_controls" does not exist' in refused(4, "pause", "first", DATABASE_URL=db)


def test_up_with_a_database_that_is_down(tmp_path: Path, servers: Servers) -> None:
    result = scrapersky(tmp_path, "up", DATABASE_URL=DOWN, REDIS_URL=servers.broker_url, WEB_PORT=free_port())
    broker, sentence = result.stderr.split("\n", 1)
    assert broker.startswith("The broker is valkey ")
    assert_one_sentence(result.returncode, result.stdout, sentence, 3)
    assert "correct DATABASE_URL" in sentence


def test_up_with_a_broker_password_that_is_wrong(
    tmp_path: Path, servers: Servers, make_database: Callable[[str], str]
) -> None:
    url, broker = make_database("template0"), servers.broker_url.replace("unix://", "unix://nobody:hunter2@")
    result = scrapersky(tmp_path, "up", DATABASE_URL=url, REDIS_URL=broker, WEB_PORT=free_port())
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 3)
    assert "The broker at unix://nobody:***@" in result.stderr
    assert "correct BROKER_URL or REDIS_URL" in result.stderr
    assert migrations.current(url) is None


def test_a_sweep_without_a_broker_rings_nothing(tmp_path: Path, db: str) -> None:
    result = scrapersky(tmp_path, "sweep", "all", DATABASE_URL=db, REDIS_URL="redis://:hunter2@127.0.0.1:1")
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 3)
    assert result.stderr.startswith("The broker at redis://:***@127.0.0.1:1 cannot be used")


def test_a_stage_module_or_a_program_that_does_not_exist(refused: Run) -> None:
    assert "STAGE_MODULES names 'nowhere'" in refused(2, "stages", STAGE_MODULES="nowhere")
    assert "There is no program 'flying-carpet'" in refused(2, "supervise", "--", "flying-carpet")


def test_up_with_a_port_that_is_taken(refused: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        said = refused(3, "up", WEB_PORT=str(port))
    assert said.startswith(f"The web process cannot listen on 127.0.0.1 port {port} (Address already in use):")


def test_help_begins_with_what_people_do_first_and_shows_no_largest_number() -> None:
    said = run_here("--help")
    places = [said.index(f" {panel} ") for panel in PANELS]
    assert places == sorted(places)
    assert str(2**63 - 1) not in run_here("search", "show", "--help")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["work", "list", "--help"]])
def test_help_and_version_need_no_valid_settings(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", "many")
    settings.cache_clear()
    assert run_here(*arguments)

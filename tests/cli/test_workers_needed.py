"""Whoever queues or watches work where no worker is alive is told so, and what to run."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import run
from embedded import Servers
from settings import settings
from tests.cli.terminal import PROGRAM, environment, run_here
from tests.cli.test_search import AUSTIN, scene
from tests.cli.test_search import start as start_search
from tests.stages.scene import Scene

__all__ = ["scene"]

SENTENCE = "No worker is alive, so nothing of it goes on until `scrapersky up` runs some."


@pytest.fixture
def nobody(scene: Scene) -> Scene:
    scene.execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 hour'")
    return scene


@pytest.fixture
def watching(servers: Servers, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    given = {"DATABASE_URL": settings().database_url, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    process = subprocess.Popen(
        [PROGRAM, "watch"],
        cwd=tmp_path,
        env=environment(**given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def a_list(tmp_path: Path) -> str:
    file = tmp_path / "list.csv"
    file.write_text("name,website\nAnna,anna.example\n")
    return str(file)


def test_an_import_that_nobody_works_on_says_so(nobody: Scene, tmp_path: Path) -> None:
    said = run_here("import", "businesses", a_list(tmp_path))
    assert "1 queued at domain_extraction: see `scrapersky import show 1`." in said
    assert SENTENCE in said
    assert SENTENCE in run_here("import", "show", "1")


def test_an_import_whose_workers_are_alive_or_that_queues_nothing_does_not(scene: Scene, tmp_path: Path) -> None:
    assert SENTENCE not in run_here("import", "businesses", a_list(tmp_path))
    assert SENTENCE not in run_here("import", "show", "1")
    scene.execute("DELETE FROM workers")
    assert SENTENCE not in run_here("import", "businesses", a_list(tmp_path), "--dry-run")
    assert SENTENCE not in run_here("import", "businesses", a_list(tmp_path))


def test_a_search_that_is_resumed_without_workers_says_so(nobody: Scene) -> None:
    search_id = str(start_search("dentists", *AUSTIN))
    run_here("search", "pause", search_id)
    assert SENTENCE in run_here("search", "resume", search_id)


def test_watching_without_workers_says_so_and_does_not_promise_to_go_on(
    nobody: Scene, request: pytest.FixtureRequest
) -> None:
    start_search("dentists", *AUSTIN)
    process: subprocess.Popen[str] = request.getfixturevalue("watching")
    assert process.stdout is not None
    assert process.stdout.readline().endswith("; 1 open; no worker is alive: run `scrapersky up`\n")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert said == f"{SENTENCE} `scrapersky watch 1` shows it again.\n"


def test_a_run_beside_other_workers_says_whose_settings_count(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    with run.workers([]):
        said = capsys.readouterr().err
    assert said.startswith("Workers are running already, so none are started: they go by the settings")
    assert "CRAWLER_CONTACT" in said

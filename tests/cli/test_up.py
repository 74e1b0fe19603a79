"""`scrapersky up`: everything starts, heals, and stops with no process left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import psutil
import pytest

import embedded
from cli.procfile import MARK
from embedded.processes import is_alive, naming, wait_until
from tests.api.people import People
from tests.cli.terminal import PROGRAM, environment, free_port, scrapersky
from tests.embedded.observe import pid_of

PATIENCE_SECONDS = 60
# Honcho, and for each of the five a runner, a shell, its supervisor and the program.
MANY = 20


class Up:
    """A running `scrapersky up` and all its descendants."""

    def __init__(self, root: Path) -> None:
        self.root, self.port, self.key = root, free_port(), ""
        given = {"SCRAPERSKY_DIR": root, "WEB_PORT": self.port, "WORKER_PROCESSES": 1, "WORKER_THREADS": 2}
        with (root.parent / "up.log").open("w") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "up"], cwd=root.parent, env=environment(**given), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log,
            )  # fmt: skip

    @property
    def said(self) -> str:
        return (self.root.parent / "up.log").read_text()

    def is_ready(self) -> bool:
        """Ask as somebody with a key: everything is there, a worker for each stage too."""
        try:
            with urllib.request.urlopen(self.url("/healthz"), timeout=5):
                self.key = self.key or self.make_key()
            asked = urllib.request.Request(self.url("/readyz"), headers={"X-API-Key": self.key})
            with urllib.request.urlopen(asked, timeout=5) as answer:
                return bool(answer.status == 200)
        except URLError:
            return False

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def make_key(self) -> str:
        people = People(self.url(""), embedded.urls(self.root).database_url)
        key = people.person("viewer").key
        people.close()
        return key

    def wait_until_ready(self) -> None:
        assert wait_until(self.is_ready, PATIENCE_SECONDS), self.said

    def descendants(self) -> list[int]:
        return [child.pid for child in psutil.Process(self.process.pid).children(recursive=True)]

    def end(self, signal_number: int) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(signal_number)
        return self.process.wait(PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One root for all, because creating a cluster takes time."""
    place = tmp_path_factory.mktemp("up") / "root"
    yield place
    embedded.stop(place)
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def up(root: Path) -> Iterator[Up]:
    started = Up(root)
    yield started
    started.process.kill()
    started.process.wait()


def test_up_runs_everything_heals_a_server_and_ends_on_ctrl_c(up: Up, tmp_path: Path) -> None:
    up.wait_until_ready()
    assert up.said.count("/login#ssl_") == 1, "one way in, and no copy of it below"
    valkey = pid_of(up.root, "valkey")
    os.kill(valkey, signal.SIGKILL)
    assert wait_until(lambda: "embedded-server-restarted" in up.said and up.is_ready(), PATIENCE_SECONDS), up.said
    workers = scrapersky(tmp_path, "workers", "--json", SCRAPERSKY_DIR=up.root)
    assert workers.stdout.count('"alive": true') == 2, workers.stderr + up.said
    below = up.descendants()
    assert len(below) > MANY
    assert up.end(signal.SIGINT) == 0, up.said
    assert _left(up.root, below) == []
    assert up.said.endswith("Stopped.\n")


def test_servers_that_ran_before_go_on_after_sigterm(root: Path) -> None:
    embedded.start(root)
    started = Up(root)
    assert wait_until(lambda: len(started.descendants()) > MANY, PATIENCE_SECONDS), started.said
    below = started.descendants()
    assert started.end(signal.SIGTERM) == 0, started.said
    assert [pid for pid in below if is_alive(pid)] == []
    assert embedded.is_running(root)
    embedded.stop(root)


def test_a_killed_up_takes_everything_with_it(up: Up) -> None:
    assert wait_until(lambda: len(up.descendants()) > MANY, PATIENCE_SECONDS), up.said
    below = up.descendants()
    assert up.end(signal.SIGKILL) == -signal.SIGKILL
    assert wait_until(lambda: _left(up.root, below) == [], PATIENCE_SECONDS), _left(up.root, below)


def test_a_signal_in_the_middle_of_the_start_leaves_nothing(up: Up) -> None:
    assert wait_until(lambda: "started (pid=" in up.said, PATIENCE_SECONDS), up.said
    below = up.descendants()
    assert up.end(signal.SIGTERM) == 0, up.said
    assert _left(up.root, below) == []


def _left(root: Path, below: list[int]) -> list[str]:
    """What still runs of an `up`: its descendants, servers of its root, and whatever carries its mark."""
    found = [pid for pid in below if is_alive(pid)] + [process.pid for process in naming(str(root))]
    return [f"{pid} {_command(pid)}" for pid in {*found, *_marked(root)}]


def _marked(root: Path) -> list[int]:
    found = []
    for process in psutil.process_iter():
        try:
            given = process.environ()
        except psutil.Error:
            continue
        if MARK in given and given.get("SCRAPERSKY_DIR") == str(root):
            found.append(process.pid)
    return found


def _command(pid: int) -> str:
    try:
        return " ".join(psutil.Process(pid).cmdline())
    except psutil.Error:
        return "gone by now"

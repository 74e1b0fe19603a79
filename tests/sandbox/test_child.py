"""A sandbox in a process of its own: what it tells about itself, and that nothing of it stays behind."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from embedded.processes import is_alive, wait_until
from sandbox import NotServed, Served, serving
from sandbox.kinds import KINDS
from sandbox.truth import pieces
from sandbox.world import World
from settings import PROJECT_ROOT
from tests.sandbox.client import Client

HOLDS_A_SANDBOX = """
import json, sys, time, sandbox
with sandbox.serving(businesses=10) as served:
    print(json.dumps([served.process.pid, served.address[1]]), flush=True)
    time.sleep(1000)
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(businesses=50, seed=3) as running:
        yield running


def test_it_answers_for_the_hosts_of_its_world(served: Served) -> None:
    business = World(50, 3).with_kind("plain")
    before, asked = len(served.log()), served.hosts().get(str(business.host), 0)
    with Client(served.address) as client:
        page = client.get("/", str(business.host))
        assert (page.status, business.name.split()[0].encode() in page.body) == (200, True)
        assert client.get("/", f"www.{business.host}").status in (200, 301)
        assert client.get("/", "nobody.example").body == b"no such host in this world\n"
    entries = served.log(since=before)
    assert [entry["host"] for entry in entries] == [business.host, f"www.{business.host}", "nobody.example"]
    assert served.hosts()[str(business.host)] == asked + 2
    assert served.log(since=before + 2) == entries[2:]


def test_it_tells_about_itself(served: Served) -> None:
    health = json.loads(served.read("/health"))
    assert (health["businesses"], health["seed"]) == (50, 3)
    assert [kind["name"] for kind in json.loads(served.read("/kinds"))] == [kind.name for kind in KINDS]
    with pytest.raises(NotServed, match="404"):
        served.read("/nothing")
    with pytest.raises(NotServed, match="400"):
        served.read("/log?since=yesterday")
    with Client(served.address) as client:
        assert client.get("/health", "127.0.0.1:80", method="POST").status == 405
        assert client.get("/health", "LOCALHOST").status == 200


def test_it_tells_the_truth(served: Served) -> None:
    told = served.read("/truth.json")
    assert json.loads(told)
    assert told == b"".join(pieces(World(50, 3)))


def test_the_block_leaves_nothing_behind_but_its_log(tmp_path: Path) -> None:
    with serving(World(5, town="Austin, TX", category="dentist"), log=tmp_path / "log", latency=0.1) as running:
        assert (running.plan.town, running.plan.category) == ("Austin, TX", "dentist")
        assert running.url == f"http://127.0.0.1:{running.address[1]}"
        with Client(running.address) as client:
            client.get("/", "nobody.example")
    assert running.process.returncode == 0
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert json.loads(line)["host"] == "nobody.example"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(running.address)


def test_a_killed_sandbox_has_logged_all_but_the_last_second(tmp_path: Path) -> None:
    with serving(businesses=3, log=tmp_path / "log") as running, Client(running.address) as client:
        client.get("/", "nobody.example")
        assert wait_until(lambda: (tmp_path / "log").read_text() != "", 30)
        running.process.kill()
    assert json.loads((tmp_path / "log").read_text())["status"] == 404


def test_a_sandbox_that_cannot_start_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(NotServed, match="exit code 1"),
        serving(businesses=1, port=taken.getsockname()[1]),
    ):
        pass
    assert "address already in use" in capfd.readouterr().err


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has started a sandbox."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_SANDBOX], cwd=PROJECT_ROOT, env=dict(os.environ), stdout=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def test_it_ends_with_a_parent_that_is_killed(parent: subprocess.Popen[bytes]) -> None:
    assert parent.stdout is not None
    pid, port = json.loads(parent.stdout.readline())
    assert psutil.Process(pid).ppid() == parent.pid
    parent.kill()
    assert wait_until(lambda: not is_alive(pid), 30)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))

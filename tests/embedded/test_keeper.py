"""Servers that end with their block, however the block ends."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

import embedded
from tests.embedded.observe import processes_of, run_python, sigkill, wait_for

HOLD_SERVERS = """
import embedded, sys
with embedded.temporary() as servers:
    print(servers.broker_url.removeprefix("unix://").removesuffix("/valkey/valkey.sock"), flush=True)
    sys.stdin.read()
"""
HOLD_AND_FORK = """
import embedded, os, sys, time
from pathlib import Path
with embedded.temporary(root=Path(sys.argv[1]), parts=["valkey"]):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    print("forked", flush=True)
"""


def test_temporary_servers_vanish_with_their_block() -> None:
    with embedded.temporary(parts=["valkey"]) as servers:
        place = Path(servers.broker_url.removeprefix("unix://")).parent.parent
        assert embedded.is_running(place, ["valkey"])

    assert not place.exists()
    assert processes_of(place) == []


def test_temporary_servers_vanish_when_the_block_raises(fresh: Path) -> None:
    with pytest.raises(ZeroDivisionError), embedded.temporary(root=fresh, parts=["valkey"]):
        _ = 1 / 0

    assert not fresh.exists()
    assert processes_of(fresh) == []


def test_temporary_servers_in_a_kept_directory_only_stop(fresh: Path) -> None:
    with embedded.temporary(root=fresh, delete=False, parts=["valkey"]):
        assert embedded.is_running(fresh, ["valkey"])

    assert fresh.exists()
    assert processes_of(fresh) == []


def test_nothing_is_left_when_the_process_is_killed() -> None:
    holder = run_python(HOLD_SERVERS)
    assert holder.stdout
    place = Path(holder.stdout.readline().strip())
    assert embedded.is_running(place)

    holder.kill()
    holder.communicate()

    wait_for(lambda: not place.exists() and not processes_of(place))


def test_nothing_is_left_when_the_process_is_killed_while_starting(fresh: Path) -> None:
    code = "import sys, embedded; from pathlib import Path; embedded.temporary(root=Path(sys.argv[1])).__enter__()"
    holder = run_python(code, fresh)
    wait_for((fresh / "postgres" / "data.unfinished").exists)

    holder.kill()
    holder.communicate()

    wait_for(lambda: not fresh.exists() and not processes_of(fresh))


def test_the_keeper_ignores_what_ends_its_parent(fresh: Path) -> None:
    with embedded.kept(fresh):
        embedded.start(fresh, ["valkey"])
        keeper = next(process for process in processes_of(fresh) if "embedded.keeper" in process.cmdline())
        wait_for(lambda: _ignores(keeper.pid, signal.SIGTERM))
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(keeper.pid, name)

        assert os.getsid(keeper.pid) == keeper.pid
        assert embedded.is_running(fresh, ["valkey"])
    assert processes_of(fresh) == []


def test_a_killed_keeper_does_not_keep_the_block_from_cleaning_up(fresh: Path) -> None:
    with embedded.temporary(root=fresh, parts=["valkey"]):
        keeper = next(process for process in processes_of(fresh) if "embedded.keeper" in process.cmdline())
        sigkill(keeper.pid)

    assert not fresh.exists()
    assert processes_of(fresh) == []


def test_a_forked_child_does_not_keep_the_servers_alive(fresh: Path) -> None:
    with run_python(HOLD_AND_FORK, fresh) as holder:
        assert holder.wait(timeout=30) == 0
        assert not fresh.exists()
        for child in processes_of(fresh):
            sigkill(child.pid)


def _ignores(pid: int, name: signal.Signals) -> bool:
    shown = subprocess.run(["ps", "-o", "ignored=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return bool(int(shown.stdout, 16) & 1 << (name - 1))

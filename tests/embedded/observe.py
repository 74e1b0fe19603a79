"""What the tests ask of servers and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
from redis import Redis

import embedded
from embedded import processes

PROJECT = Path(embedded.__file__).parent.parent
PID_FILES: dict[embedded.Part, str] = {"postgres": "postgres/data/postmaster.pid", "valkey": "valkey/valkey.pid"}


def query(root: Path, statement: str) -> list[tuple[object, ...]]:
    """Run a statement on the database of `root`."""
    with psycopg.connect(embedded.urls(root).database_url) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def broker(root: Path) -> Redis:
    """A client of the Valkey of `root`."""
    return Redis.from_url(embedded.urls(root).broker_url, decode_responses=True)


def pid_of(root: Path, part: embedded.Part) -> int:
    """The process id of a running server."""
    pid = processes.recorded_pid(root / PID_FILES[part])
    assert pid is not None
    return pid


def sigkill(pid: int) -> None:
    """Kill a process and wait until it is gone."""
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not processes.is_alive(pid))


def wait_for(condition: processes.Condition, seconds: float = 20) -> None:
    """Wait until `condition` holds, or fail."""
    assert processes.wait_until(condition, seconds), "it did not happen in time"


def processes_of(root: Path) -> list[psutil.Process]:
    """Every living process that has `root` on its command line."""
    return processes.naming(str(root))


def run_python(code: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start a Python program that can import the project."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

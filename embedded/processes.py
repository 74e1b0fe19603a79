"""Start a daemon, recognise it later, end it, and read why it died."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from signal import Signals

import psutil

from embedded.privileges import Account
from errors import ServerDown

# The shell is gone at once, so the daemon belongs to init: it outlives us and leaves us no zombie.
DETACH = 'log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!'
COMPLAINT = re.compile(r"FATAL|PANIC|ERROR|error:| # (?!WARNING)")

Condition = Callable[[], bool]
# Signals by name, because Windows lacks some and must still be able to import this package.
Farewell = Sequence[tuple[str, float]]


def launch(command: Sequence[str | Path], log: Path, account: Account) -> int:
    """Start a daemon that writes to `log`; returns its process id."""
    shell = account.run(["sh", "-c", DETACH, "sh", log, *command])
    if shell.returncode != 0:
        raise ServerDown(f"{command[0]} could not be started: {last_complaint(shell.stderr)}")
    return int(shell.stdout)


def recorded_pid(pid_file: Path) -> int | None:
    """Read the process id on the first line of a pid file, if it holds one."""
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return pid if pid > 0 else None


def find(pid_file: Path, program: Path, directory: Path) -> psutil.Process | None:
    """The living process that `pid_file` names, if it really is `program` working in `directory`."""
    try:
        process = psutil.Process(recorded_pid(pid_file) or 0)
        command = process.cmdline()
    except psutil.Error:
        return None
    ours = bool(command) and Path(command[0]).name == program.name and str(directory) in command
    return process if ours and is_alive(process.pid) else None


def is_alive(pid: int) -> bool:
    """Whether the process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_number_taken(pid: int) -> bool:
    """Whether anything at all, even a zombie or a thread, answers to this process id."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def end(process: psutil.Process, farewell: Farewell) -> None:
    """Send each signal in turn until the process is gone, waiting the given seconds after each."""
    for name, patience in farewell:
        try:
            process.send_signal(Signals[name])
        except psutil.NoSuchProcess:
            return
        except psutil.AccessDenied:
            raise ServerDown(f"Process {process.pid} belongs to another user: stop it as that user.") from None
        if wait_until(lambda: not is_alive(process.pid), patience):
            return
    raise ServerDown(f"Process {process.pid} does not end, even when killed: its disk may be hanging.")


def kill_all(*words: str) -> None:
    """Kill every process whose command line contains all of `words`."""
    wait_until(lambda: not _kill_once(*words), seconds=10)


def _kill_once(*words: str) -> list[psutil.Process]:
    found = naming(*words)
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    return found


def naming(*words: str) -> list[psutil.Process]:
    """Every living process whose command line contains all of `words`."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            command = " ".join(process.cmdline())
            if all(word in command for word in words) and is_alive(process.pid):
                found.append(process)
    return found


def remove_tree(directory: Path) -> None:
    """Remove a directory even while processes that are about to end still write to it."""
    if not wait_until(lambda: _is_removed(directory), seconds=10):
        raise ServerDown(f"{directory} could not be removed: something still writes there, or it is not yours.")


def _is_removed(directory: Path) -> bool:
    with suppress(OSError):
        shutil.rmtree(directory)
    return not directory.exists()


def wait_until(condition: Condition, seconds: float) -> bool:
    """Poll until `condition` holds; False when it still does not after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def last_complaint(text: str) -> str:
    """The last line of a log that says what went wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if COMPLAINT.search(line)]
    return (complaints or lines or ["it wrote nothing"])[-1]

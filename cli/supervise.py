"""Supervise: keep copies of a command running, restart what exits, and stop each with one signal and a limit.

Why not plain honcho: it signals a whole process group, so Dramatiq's workers would get SIGTERM twice and die mid-work;
and one process that exits stops all the others. Each copy here has a session of its own and hears from us alone.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import structlog

from errors import BadInput

log = structlog.get_logger("supervise")

SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.2, 10.0
STEADY_SECONDS = 10.0
# A Dramatiq worker notices a signal up to a second later. Honcho kills 5 s after the first process has ended; with the
# default drain of 3 s all this is soon enough.
STOP_GRACE_SECONDS = 1.8
DRAIN_MILLISECONDS = "{drain_ms}"
PR_SET_PDEATHSIG = 1


class Copy:
    """One running copy of the command."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.pause = SHORTEST_PAUSE_SECONDS
        self.start_again_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    def keep_running(self) -> None:
        """Start the command when it is not running and its pause is over."""
        if self.process is not None and self.process.poll() is not None:
            self._note_exit(self.process.returncode)
        if self.process is None and time.monotonic() >= self.start_again_at:
            self.process = subprocess.Popen(self.command, start_new_session=True, preexec_fn=end_with_parent())
            self.started_at = time.monotonic()

    def _note_exit(self, code: int) -> None:
        steady = time.monotonic() - self.started_at > STEADY_SECONDS
        self.pause = SHORTEST_PAUSE_SECONDS if steady else min(self.pause * 2, LONGEST_PAUSE_SECONDS)
        log.warning("restarting", command=self.command[0], exit_code=code, pause_seconds=round(self.pause, 1))
        self.start_again_at = time.monotonic() + self.pause
        self.process = None

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        if self.process is not None and self.is_running():
            self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the copy and all it has started."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.process.wait()


def end_with_parent() -> Callable[[], None] | None:
    """On Linux, have the kernel send SIGTERM to the command when this process is gone, however it went."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def supervise(command: Sequence[str], *, copies: int, stop_within_seconds: float) -> None:
    """Run until SIGTERM or SIGINT, then stop every copy and leave nothing behind."""
    if shutil.which(command[0]) is None:
        raise BadInput(f"There is no program {command[0]!r} to run: check its name and PATH.")
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    running = [Copy(command) for _ in range(copies)]
    while not stopping:
        for copy in running:
            copy.keep_running()
        time.sleep(0.1)
    _stop_all(running, stop_within_seconds)


def _stop_all(running: Sequence[Copy], within_seconds: float) -> None:
    for copy in running:
        copy.ask_to_stop()
    until = time.monotonic() + within_seconds
    while any(copy.is_running() for copy in running) and time.monotonic() < until:
        time.sleep(0.05)
    for copy in running:
        copy.kill()

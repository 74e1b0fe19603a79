"""The real processes of the Procfile, under our own supervisor, and ways to find and hurt them."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from cli.supervise import DRAIN_MILLISECONDS, end_with_parent
from settings import PROJECT_ROOT, Settings

STOP_WITHIN_SECONDS = 15.0
MARK = "CHAOS_MARK"  # an environment variable that everything we start inherits


def environment(mark: str, **values: str) -> dict[str, str]:
    """Give a clean environment: none of the developer's own settings, and the virtual environment first in PATH."""
    ours = {name.upper() for name in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in ours}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**kept, "PATH": path, "ENVIRONMENT": "test", MARK: mark, **values}


def procfile_command(name: str, env: Mapping[str, str]) -> list[str]:
    """Read a line of the Procfile, with its variables filled in as a shell would."""
    for line in (PROJECT_ROOT / "Procfile").read_text().splitlines():
        process, _, command = line.partition(":")
        if process == name:
            filled = re.sub(r"\$\{(\w+):-(\w*)\}", lambda found: env.get(found[1], found[2]), command)
            return ["env", *shlex.split(filled)]  # it takes the assignments in front, and becomes the command
    raise LookupError(f"the Procfile has no {name}")


def unsupervised(command: Sequence[str], env: Mapping[str, str]) -> list[str]:
    """Give the command that a Procfile line has supervised."""
    drain = float(env.get("DRAIN_SECONDS", Settings.model_fields["drain_seconds"].default))
    bare = [*command[: command.index("scrapersky")], *command[command.index("--") + 1 :]]
    return [word.replace(DRAIN_MILLISECONDS, str(int(drain * 1000))) for word in bare]


def start(command: Sequence[str], env: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process that ends when we do, however we end; call it from the main thread."""
    with log.open("ab") as file:
        return subprocess.Popen(
            command,
            env=env,
            cwd=PROJECT_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
            preexec_fn=end_with_parent(),
        )


def marked(mark: str) -> list[psutil.Process]:
    """Find every living process that carries our mark."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended; a zombie has."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    return True


def wait_until(condition: Callable[[], bool], seconds: float, pause: float = 0.1) -> bool:
    """Poll until the condition holds; False when it still does not after so long."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(pause)
    return True


def children(pid: int) -> list[int]:
    """Give the living children of a process."""
    try:
        found = psutil.Process(pid).children()
        return [child.pid for child in found if child.status() != psutil.STATUS_ZOMBIE]
    except psutil.NoSuchProcess:
        return []


class Crew:
    """The supervisors we started and everything below them."""

    def __init__(self, env: Mapping[str, str], logs: Path) -> None:
        self.env = env
        self.logs = logs
        self.supervisors: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str) -> None:
        """Start what the Procfile calls `name`."""
        self.supervisors[name] = start(procfile_command(name, self.env), self.env, self.logs / f"{name}.log")

    def masters(self, name: str = "worker") -> list[int]:
        """Give the processes that the supervisor of `name` keeps running."""
        return children(self.supervisors[name].pid)

    def hands(self, name: str = "worker") -> dict[int, int]:
        """Give the Dramatiq processes that do the work, each with its master."""
        return {child: master for master in self.masters(name) for child in children(master)}

    def stop(self) -> None:
        """Ask every supervisor to stop, and kill what does not."""
        for process in self.supervisors.values():
            process.send_signal(signal.SIGTERM)
        for process in self.supervisors.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_WITHIN_SECONDS)
        self.kill_rest()

    def kill_rest(self) -> list[int]:
        """Kill what carries our mark and is still there; give what that was."""
        left = [process for process in marked(self.env[MARK]) if process.pid != os.getpid()]
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        for supervisor in self.supervisors.values():
            supervisor.wait()
        return [process.pid for process in left]

"""A command with everything below it, found by a mark that all of its processes inherit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psutil

from settings import PROJECT_ROOT

PROGRAM = str(Path(sys.executable).with_name("scrapersky"))
MARK = "SCRAPERSKY_TEST_MARK"
LONGEST_SECONDS = 240.0


class Command:
    """One `scrapersky …` in a directory of its own, with a keyboard that can press Ctrl-C."""

    def __init__(self, directory: Path, *arguments: str, **environment: str) -> None:
        self.mark = uuid4().hex
        self.directory = directory
        self.said = directory / f"{arguments[0]}-{self.mark}.txt"
        own = {"PATH": os.environ["PATH"], "HOME": str(directory), "PYTHONPATH": str(PROJECT_ROOT)}
        temporary = directory / "tmp"
        temporary.mkdir(exist_ok=True)
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [PROGRAM, *arguments],
                cwd=directory,
                env=own | {"TMPDIR": str(temporary), MARK: self.mark} | environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self) -> int:
        return self.process.wait(LONGEST_SECONDS)

    def press_ctrl_c(self) -> None:
        """Signal the whole foreground group, as a terminal does."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)

    @property
    def output(self) -> str:
        return self.said.read_text(errors="replace")

    @property
    def last_line(self) -> str:
        return self.output.rstrip().rpartition("\n")[2]

    def left(self) -> list[psutil.Process]:
        """List the processes that this command has started and that still run."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def end(self) -> None:
        """End whatever is left, for a test that failed."""
        for process in self.left():
            with suppress(psutil.Error):
                process.kill()
        self.process.wait()

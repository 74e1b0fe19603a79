"""The Procfile's processes under honcho, ended together and completely, whichever of us is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext, suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit
from uuid import uuid4

import psutil

from cli.supervise import end_with_parent
from embedded.processes import wait_until
from pipeline.broker import broker_url
from pipeline.database import database_url
from settings import PROJECT_ROOT, settings

PROCFILE = PROJECT_ROOT / "Procfile"
# Every process below honcho inherits this, so what honcho loses sight of can still be found.
MARK = "SCRAPERSKY_UP"
GRACE_SECONDS = 3.0


class Procfile:
    """Honcho and all that runs below it, for the length of a `with` block; `output` takes what they say."""

    def __init__(self, output: Path | None = None) -> None:
        self.mark = uuid4().hex
        # No env file: honcho lets it win over the environment, our settings do the opposite.
        command = [sys.executable, "-m", "honcho", "start", "--env", os.devnull, "--procfile", str(PROCFILE)]
        with output.open("ab") if output else nullcontext() as said:
            self.honcho = subprocess.Popen(
                command,
                env=environment() | {MARK: self.mark},
                start_new_session=True,
                preexec_fn=end_with_parent(),
                stdout=said,
                stderr=said,
            )

    def __enter__(self) -> Procfile:
        return self

    @property
    def has_ended(self) -> bool:
        """Tell whether the processes have ended by themselves."""
        return self.honcho.poll() is not None

    def wait(self) -> int:
        """Wait until the processes have ended by themselves, and give honcho's exit code."""
        return self.honcho.wait()

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        """Let everything drain, then end what is left."""
        within = settings().drain_seconds + GRACE_SECONDS
        self.honcho.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.honcho.wait(within)
        self._end_leftovers(within)
        self.honcho.wait()

    def _end_leftovers(self, within_seconds: float) -> None:
        """Honcho may have crashed or been killed: a signal that comes before all have started makes it stumble."""
        for process in self._left():
            with suppress(psutil.Error):
                if "supervise" in process.cmdline():  # it passes the signal on, once
                    process.terminate()
        wait_until(lambda: not self._left(), within_seconds)
        for process in self._left():
            with suppress(psutil.Error):
                process.kill()

    def _left(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found


def environment() -> dict[str, str]:
    """Name every address and number explicitly, so that all processes agree whatever their directory is."""
    broker = broker_url()
    chosen = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "DATABASE_URL": database_url(),
        "BROKER_URL": broker,
        "SCRAPERSKY_DIR": str(settings().scrapersky_dir.resolve()),
        "WORKER_PROCESSES": str(settings().worker_processes),
        "WORKER_THREADS": str(settings().worker_threads),
        "LOG_FORMAT": _log_format(),
    }
    if urlsplit(broker).scheme not in ("amqp", "amqps"):
        chosen["REDIS_URL"] = settings().redis_url or broker
    return dict(os.environ) | chosen


def _log_format() -> str:
    """Decide about the logs here: below honcho nothing is a terminal."""
    if settings().log_format == "auto" and sys.stderr.isatty():
        return "console"
    return settings().log_format

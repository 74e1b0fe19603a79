"""Processes of a whole run by kind: the CPU they used and the most memory that one of them held."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import psutil

KINDS = {
    "worker": "pipeline.loaded",
    "recovery": "--queues sweeps",
    "sweeper": "periodiq",
    "clock": "scheduling.clock",
    "web": "scrapersky serve",
}
# Servers may run as another user and with another environment: they are known by the file that names their process.
SERVERS = {"postgres": "postgres/data/postmaster.pid", "valkey": "valkey/valkey.pid"}
LOOK_SECONDS = 0.5


def kind_of(command: str) -> str | None:
    """Name the kind of a process by its command line; what only looks after others is none."""
    if "supervise" in command or "honcho" in command:
        return None
    return next((kind for kind, words in KINDS.items() if words in command), None)


class Sampler:
    """Looks at every process and server of the run in this directory, twice a second."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.cpu: dict[tuple[str, int], float] = {}
        self.peak_mib: dict[str, float] = {}
        self._first: dict[tuple[str, int], float] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Sampler:
        self._look()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def cpu_seconds(self) -> dict[str, float]:
        """Give the CPU seconds by kind since the first look."""
        total: dict[str, float] = {}
        for key, seconds in self.cpu.items():
            total[key[0]] = total.get(key[0], 0.0) + seconds - self._first.get(key, 0.0)
        return total

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        is_first = not self._first
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                kind = kind_of(" ".join(process.cmdline()))
                if kind is not None and process.environ().get("SCRAPERSKY_DIR") == self.directory:
                    self._note(kind, process, is_first=is_first)
        for kind, file in SERVERS.items():
            with suppress(psutil.Error, OSError, ValueError):
                server = psutil.Process(int((Path(self.directory) / file).read_text().split()[0]))
                for process in (server, *server.children(recursive=True)):
                    self._note(kind, process, is_first=is_first)

    def _note(self, kind: str, process: psutil.Process, *, is_first: bool) -> None:
        used = sum(process.cpu_times()[:2])
        self.cpu[kind, process.pid] = used
        if is_first:
            self._first[kind, process.pid] = used
        held = process.memory_info()
        # What many PostgreSQL processes share is counted once for each, so it is left out.
        own = held.rss - (held.shared if kind == "postgres" else 0)
        self.peak_mib[kind] = max(self.peak_mib.get(kind, 0.0), own / 2**20)

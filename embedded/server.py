"""What both servers have in common: start once, survive a killed run, stop cleanly."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import psutil

from embedded import processes
from embedded.paths import Places
from embedded.privileges import Account
from errors import ServerDown

Part = Literal["postgres", "valkey"]

PATIENCE = 30.0  # seconds


@dataclass(frozen=True)
class Server(ABC):
    """One private server; every method but `accepts` and `process` needs the root's lock."""

    places: Places

    name: ClassVar[Part]
    title: ClassVar[str]
    farewell: ClassVar[processes.Farewell]

    @property
    @abstractmethod
    def url(self) -> str: ...

    @property
    @abstractmethod
    def socket(self) -> Path: ...

    @property
    @abstractmethod
    def pid_file(self) -> Path: ...

    @property
    @abstractmethod
    def data(self) -> Path:
        """The directory the process works in, as its command line names it."""

    @abstractmethod
    def find_program(self) -> Path:
        """Raises NoEmbeddedServer on a machine for which there is none."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether something takes connections at the socket."""

    @abstractmethod
    def prepare(self) -> Account:
        """Make the first start, or one after a crash, possible; returns whom to run as."""

    @abstractmethod
    def command(self) -> list[str | Path]: ...

    @abstractmethod
    def repair(self, complaint: str) -> bool:
        """After a failed start: do what may help; False when nothing will."""

    @abstractmethod
    def tidy(self) -> None:
        """Remove what a stopped server may have left behind."""

    @property
    def directory(self) -> Path:
        return self.places.root / self.name

    @property
    def log(self) -> Path:
        return self.directory / f"{self.name}.log"

    def accepts(self) -> bool:
        """Whether the server takes connections now; one whose directory was deleted does not count."""
        return self.pid_file.exists() and self.socket.exists() and self.answers()

    def process(self) -> psutil.Process | None:
        """The server's process, known by its pid file and its command line."""
        return processes.find(self.pid_file, self.find_program(), self.data)

    def start(self) -> None:
        """Return when the server accepts connections."""
        if not self.accepts():
            self._outlast_previous()
        if not self.accepts():
            self._kill_unrecorded()
            self.places.create_part(self.name)
            self._launch(self.prepare())

    def stop(self) -> None:
        """End the server cleanly, or by force when it takes too long."""
        process = self.process()
        if process:
            processes.end(process, self.farewell)
        elif self.accepts():
            raise ServerDown(f"{self.title} in {self.directory} runs in another container: stop it there.")
        self._kill_unrecorded()
        self.tidy()

    def _kill_unrecorded(self) -> None:
        """Kill programs without a pid file: a starter that was killed half-way leaves them, so does `rm -r`."""
        processes.kill_all(str(self.find_program().parent), f"{self.directory}/")

    def _outlast_previous(self) -> None:
        """Wait for a server that a killed run left starting; end one whose socket was deleted."""
        process = self.process()
        if process is None:
            return
        has_socket = self.socket.exists()
        patience = PATIENCE if has_socket else 1
        if processes.wait_until(lambda: self.accepts() or not processes.is_alive(process.pid), patience):
            return
        if has_socket:
            raise self._down("does not answer; `scrapersky services stop` ends it", self._log_after(0))
        processes.end(process, self.farewell)

    def _launch(self, account: Account) -> None:
        deadline = time.monotonic() + PATIENCE
        while complaint := self._attempt(account):
            if time.monotonic() > deadline or not self.repair(complaint):
                raise self._down("did not start", complaint)

    def _attempt(self, account: Account) -> str:
        """Start once; returns what the log says if the process died, nothing if it accepts connections."""
        written = self.log.stat().st_size if self.log.exists() else 0
        pid = processes.launch(self.command(), self.log, account)
        processes.wait_until(lambda: self.accepts() or not processes.is_alive(pid), PATIENCE)
        if self.accepts():
            return ""
        if processes.is_alive(pid):
            raise self._down(f"was not ready after {PATIENCE:.0f} seconds", self._log_after(written))
        return self._log_after(written)

    def _log_after(self, position: int) -> str:
        if not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(position)
            return file.read().decode(errors="replace") or "it wrote nothing"

    def _down(self, what: str, log: str) -> ServerDown:
        return ServerDown(f"{self.title} {what}: {processes.last_complaint(log)} (log: {self.log})")

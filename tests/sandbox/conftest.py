"""A sandbox in a process of its own, and a server in this one for answers that no site gives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from embedded.processes import wait_until
from sandbox.connection import Answer
from sandbox.log import Log
from sandbox.server import Patience, Server
from tests.sandbox.client import Client


class Running:
    """A server on a thread of this process."""

    def __init__(self, answer: Answer, patience: Patience | None = None, log: Log | None = None) -> None:
        self.log = log or Log(capacity=1000)
        self.server = Server(answer, self.log, patience)
        self.address = self.server.listen()
        self._thread = threading.Thread(target=self.server.run)
        self._thread.start()

    def connect(self, **options: Any) -> Client:
        return Client(self.address, **options)

    def get(self, path: str = "/", host: str = "a.example", **options: str) -> Any:
        with self.connect() as client:
            return client.get(path, host, **options)

    @property
    def entries(self) -> list[dict[str, Any]]:
        return [entry for number in range(1, self.log.count + 1) if (entry := self.log.entry(number)) is not None]

    @property
    def ended(self) -> list[dict[str, Any]]:
        """The entries, when all of them have ended; a client may have its reply a moment before the log has."""
        assert wait_until(lambda: all(entry["done"] is not None for entry in self.entries), 30)
        return self.entries

    def stop(self) -> None:
        if self._thread.is_alive():
            self.server.stop()
            self._thread.join()


Run = Callable[..., Running]


@pytest.fixture
def run() -> Iterator[Run]:
    """Serve with a small function in place of the world."""
    started: list[Running] = []

    def start(answer: Answer, **options: Any) -> Running:
        started.append(Running(answer, **options))
        return started[-1]

    yield start
    for each in started:
        each.stop()

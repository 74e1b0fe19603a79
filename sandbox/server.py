"""The sandbox's server: one process and one thread on loopback that answers for every host of the world."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import resource
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Any

from sandbox.connection import BUSY, IDLE, LEAVING, Answer, Connection
from sandbox.log import Log

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 8192
SPARE_FILES = 64
ROUND_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection may be in a state in which nothing happens."""

    idle: float = 75.0  # between requests, or in the middle of one
    busy: float = 600.0  # a reply that hangs, or that its client does not read
    leaving: float = 5.0  # after the last reply

    def of(self, state: str) -> float:
        return {IDLE: self.idle, BUSY: self.busy, LEAVING: self.leaving}[state]


class BadAddress(ValueError):
    """An address that the sandbox does not listen on."""


class Server:
    """Takes connections, tells the log, and ends what is idle, stalled or too much."""

    def __init__(self, answer: Answer, log: Log, patience: Patience | None = None) -> None:
        self.answer = answer
        self.log = log
        self.patience = patience or Patience()
        self.connections: set[Connection] = set()
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(_tell)
        self._listener: asyncio.Server | None = None
        self._most = _most_connections()
        self._parent = os.getppid()
        self._ends_with_parent = False

    def listen(self, address: str = LOOPBACK, port: int = 0) -> tuple[str, int]:
        """Take the port, any free one for 0, and give the address."""
        _check_loopback(address)
        start = self.loop.create_server(lambda: Connection(self, self.loop), address, port, backlog=1024)
        self._listener = self.loop.run_until_complete(start)
        host, taken = self._listener.sockets[0].getsockname()[:2]
        return host, taken

    def run(self) -> None:
        """Serve until told to stop, then leave nothing open."""
        self.loop.call_later(ROUND_SECONDS, self._make_round)
        try:
            self.loop.run_forever()
        finally:
            self._close()

    def stop(self) -> None:
        """End `run` soon; may be called from another thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)

    def stop_on_signals(self) -> None:
        """Stop on Ctrl-C and SIGTERM."""
        for number in (signal.SIGINT, signal.SIGTERM):
            self.loop.add_signal_handler(number, self.loop.stop)

    def stop_with_parent(self) -> None:
        """Stop when whoever holds the other end of standard input has gone, however it went."""
        self._ends_with_parent = True
        self.loop.add_reader(sys.stdin.fileno(), self._hear_parent)

    def _hear_parent(self) -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            self.loop.stop()

    def admit(self, connection: Connection) -> bool:
        """Take a connection; when there are too many, the one idle for longest has to go."""
        if len(self.connections) >= self._most:
            idle = [each for each in self.connections if each.state == IDLE]
            if not idle:
                return False
            longest = min(idle, key=lambda each: each.quiet_since)
            self.forget(longest)
            longest.drop()
        self.connections.add(connection)
        return True

    def forget(self, connection: Connection) -> None:
        """Strike a connection that has ended off the list."""
        self.connections.discard(connection)

    def _make_round(self) -> None:
        self.loop.call_later(ROUND_SECONDS, self._make_round)
        self.log.flush()
        now = time.monotonic()
        for connection in list(self.connections):
            if now - connection.quiet_since > self.patience.of(connection.state):
                connection.drop()
        # A process that inherited our standard input may keep it open after the parent's death.
        if self._ends_with_parent and os.getppid() != self._parent:
            self.loop.stop()

    def _close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        for connection in list(self.connections):
            connection.drop()
        self.loop.call_soon(self.loop.stop)  # after the ends of the connections, which are due already
        self.loop.run_forever()
        self.log.close()
        self.loop.close()


def _check_loopback(address: str) -> None:
    try:
        is_loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise BadAddress(f"The sandbox listens on loopback only, such as {LOOPBACK}, and never on {address!r}.")


def _most_connections() -> int:
    """Give how many connections the limit on open files allows, after raising it as far as is useful."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(MOST_CONNECTIONS, soft - SPARE_FILES))


def _tell(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Write what went wrong to standard error: a fault of the sandbox must be loud."""
    fault = context.get("exception")
    trace = "".join(traceback.format_exception(fault)) if fault is not None else ""
    sys.stderr.write(f"sandbox: {context.get('message', 'fault')}\n{trace}")
    sys.stderr.flush()

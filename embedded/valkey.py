"""The private Valkey server."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from embedded import programs
from embedded.paths import VALKEY_SOCKET
from embedded.privileges import Account
from embedded.server import Server

OPTIONS = {
    "port": "0",
    "unixsocketperm": "700",
    "save": "300 1",
    "appendonly": "no",
    "stop-writes-on-bgsave-error": "no",  # a full disk must not silence doorbells that need no disk
    "shutdown-on-sigterm": "force",  # nor must it keep the server from ending
    "set-proc-title": "no",  # the command line is how we recognise our process
    "daemonize": "no",
}


@dataclass(frozen=True)
class Valkey(Server):
    """Valkey below `<root>/valkey`."""

    name = "valkey"
    title = "Valkey"
    farewell = (("SIGTERM", 10.0), ("SIGKILL", 5.0))

    @property
    def socket(self) -> Path:
        return self.places.sockets / VALKEY_SOCKET

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def data(self) -> Path:
        return self.directory

    @property
    def pid_file(self) -> Path:
        return self.directory / "valkey.pid"

    @property
    def dump(self) -> Path:
        return self.directory / "dump.rdb"

    def find_program(self) -> Path:
        return programs.valkey()

    def answers(self) -> bool:
        """A server that is still loading its dump answers, but not with PONG."""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(str(self.socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False

    def prepare(self) -> Account:
        return Account()

    def command(self) -> list[str | Path]:
        files = {"dir": self.data, "unixsocket": self.socket, "pidfile": self.pid_file}
        options = [part for name, value in {**OPTIONS, **files}.items() for part in (f"--{name}", str(value))]
        return [self.find_program(), *options]

    def repair(self, complaint: str) -> bool:
        """Put the dump aside, whatever is wrong with it: it holds only doorbells, which sweepers ring again."""
        if not self.dump.exists():
            return False
        self.dump.replace(self.dump.with_suffix(".rdb.unreadable"))
        return True

    def tidy(self) -> None:
        self.socket.unlink(missing_ok=True)
        self.pid_file.unlink(missing_ok=True)

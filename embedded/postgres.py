"""The private PostgreSQL server."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from psycopg import pq

from embedded import processes, programs
from embedded.paths import POSTGRES_PORT, POSTGRES_SOCKET
from embedded.privileges import Account, account_for
from embedded.server import Server
from errors import ServerDown

NAME = "scrapersky"  # of the database and of its only role
CREATE_DATABASE = f"CREATE DATABASE {NAME}\n"
SINGLE_USER = ("--single", "-c", "exit_on_error=on", "-D")
OPTIONS = {
    "listen_addresses": "",
    "port": str(POSTGRES_PORT),
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "200",
    "autovacuum_naptime": "10s",
    "log_checkpoints": "off",
}


@dataclass(frozen=True)
class Postgres(Server):
    """PostgreSQL below `<root>/postgres`; fsync stays on."""

    name = "postgres"
    title = "PostgreSQL"
    farewell = (("SIGINT", 20.0), ("SIGQUIT", 5.0), ("SIGKILL", 5.0))

    @property
    def socket(self) -> Path:
        return self.places.sockets / POSTGRES_SOCKET

    @property
    def url(self) -> str:
        # The port only keeps a PGPORT of the environment from choosing another socket.
        return f"postgresql://{NAME}@/{NAME}?host={self.socket.parent}&port={POSTGRES_PORT}"

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    @property
    def socket_lock(self) -> Path:
        return self.socket.with_name(f"{self.socket.name}.lock")

    def find_program(self) -> Path:
        return programs.postgres()

    def answers(self) -> bool:
        """A server that is only short of connections answers too, which a connection could not tell."""
        return pq.PGconn.ping(f"{self.url}&connect_timeout=2".encode()) == pq.Ping.OK

    def prepare(self) -> Account:
        """Create the cluster if there is none, and drop pid files that would fool PostgreSQL."""
        account = account_for(self.find_program(), [self.directory, self.socket.parent])
        if not self.data.exists():
            self._create_cluster(account)
        for file in (self.pid_file, self.socket_lock):
            _drop_if_misleading(file)
        self._let_in_only_us(account)
        return account

    def command(self) -> list[str | Path]:
        options = {**OPTIONS, "unix_socket_directories": str(self.socket.parent)}
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [self.find_program(), "-D", self.data, *settings]

    def repair(self, complaint: str) -> bool:
        """Wait for the children of a killed server: they hold its shared memory until they notice."""
        time.sleep(0.1)
        return "pre-existing shared memory block" in complaint

    def tidy(self) -> None:
        self.socket.unlink(missing_ok=True)
        self.socket_lock.unlink(missing_ok=True)

    def _create_cluster(self, account: Account) -> None:
        """Create cluster and database beside their place, so that an interrupted creation never counts."""
        unfinished = self.directory / "data.unfinished"
        if unfinished.exists():
            processes.remove_tree(unfinished)
        made = self._initdb(account, unfinished, "C.UTF-8")
        if "invalid locale name" in made.stderr:
            made = self._initdb(account, unfinished, "C")
        self._expect_success(made)
        single_user = account.run([self.find_program(), *SINGLE_USER, unfinished, "postgres"], text=CREATE_DATABASE)
        self._expect_success(single_user)
        unfinished.rename(self.data)

    def _let_in_only_us(self, account: Account) -> None:
        """Admit the account that starts the server, and root; not the one it runs as, which others may share."""
        import pwd  # not on Windows

        seen_as = os.geteuid() if account.seen_as is None else account.seen_as
        ours = {pwd.getpwuid(seen_as).pw_name, "root"}
        (self.data / "pg_hba.conf").write_text("local all all peer map=ours\n")
        (self.data / "pg_ident.conf").write_text("".join(f'ours "{name}" all\n' for name in sorted(ours)))

    def _initdb(self, account: Account, target: Path, locale: str) -> CompletedProcess[str]:
        initdb = self.find_program().with_name("initdb")
        options = ["--username", NAME, "--auth=trust", "--encoding=UTF8", f"--locale={locale}", "--no-instructions"]
        return account.run([initdb, "--pgdata", target, *options])

    def _expect_success(self, made: CompletedProcess[str]) -> None:
        if made.returncode != 0:
            reason = processes.last_complaint(made.stderr)
            raise ServerDown(f"PostgreSQL could not create a cluster in {self.directory}: {reason}")


def _drop_if_misleading(pid_file: Path) -> None:
    """Remove a pid file that is damaged or whose number now belongs to a stranger.

    PostgreSQL itself handles a number that nobody has, and then also looks for children of the dead server.
    """
    pid = processes.recorded_pid(pid_file)
    if pid is None or processes.is_number_taken(pid):
        pid_file.unlink(missing_ok=True)

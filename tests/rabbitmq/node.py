"""A private RabbitMQ node: own name, ports on loopback, data and cookie in one directory; gone with its owner."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.supervise import end_with_parent
from tests.chaos.processes import wait_until

# Not the one in PATH: Debian's wrapper insists on the account and directories of the system's own node.
SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
LOOPBACK = "127.0.0.1"
START_SECONDS = 90.0
CONFIGURATION = """
listeners.tcp.local = {address}:{port}
loopback_users = none
log.console = true
log.console.level = warning
log.file = false
disk_free_limit.absolute = 50MB
"""


def epmd() -> str | None:
    """Find the program by which Erlang nodes find one another."""
    return shutil.which("epmd")


def free_port() -> int:
    """Give a port of the loopback that nobody uses now."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


class Node:
    """One node below a directory, on the same port however often it is started."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port, self.epmd_port = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.names = self._run([str(epmd()), "-address", LOOPBACK, "-port", str(self.epmd_port)])
        (root / "rabbitmq.conf").write_text(CONFIGURATION.format(address=LOOPBACK, port=self.port))
        (root / "enabled_plugins").write_text("[].\n")

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@{LOOPBACK}:{self.port}/"

    @property
    def data(self) -> Path:
        return self.root / "mnesia"

    def start(self) -> None:
        """Start the node and wait until it takes connections."""
        self.process = self._run([str(SERVER)])
        wait_until(lambda: self.accepts() or self._has_ended(), START_SECONDS)
        if not self.accepts():
            raise RuntimeError(f"RabbitMQ did not start:\n{(self.root / 'log').read_text(errors='replace')[-3000:]}")

    def lose_everything(self) -> None:
        """Kill the node and take its disk away."""
        self._kill()
        shutil.rmtree(self.data)

    def stop(self) -> None:
        """End the node and what it started; nobody needs its data."""
        self._kill()
        self.names.kill()
        self.names.wait()

    def accepts(self) -> bool:
        """Tell whether the node speaks AMQP: it hangs up on a stranger with its own greeting."""
        with suppress(OSError), socket.create_connection((LOOPBACK, self.port), timeout=5) as connection:
            connection.sendall(b"HELLO---")
            return connection.recv(4) == b"AMQP"
        return False

    def _has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def _kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.root / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                env=self._environment(),
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=end_with_parent(),
            )

    def _environment(self) -> dict[str, str]:
        own = {
            "HOME": self.root,
            "RABBITMQ_NODENAME": f"scrapersky-{self.port}@localhost",
            "RABBITMQ_CONF_ENV_FILE": self.root / "no-such-file",
            "RABBITMQ_CONFIG_FILE": self.root / "rabbitmq",
            "RABBITMQ_ENABLED_PLUGINS_FILE": self.root / "enabled_plugins",
            "RABBITMQ_MNESIA_BASE": self.data,
            "RABBITMQ_LOG_BASE": self.root / "logs",
            "RABBITMQ_PID_FILE": self.root / "pid",
            "RABBITMQ_DIST_PORT": free_port(),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "RUNNING_UNDER_SYSTEMD": "yes",  # the script then becomes the server, which so hears our signals itself
            "ERL_EPMD_ADDRESS": LOOPBACK,
            "ERL_EPMD_PORT": self.epmd_port,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RABBITMQ", "ERL"))}
        return kept | {name: str(value) for name, value in own.items()}


@contextmanager
def running() -> Iterator[Node]:
    """Run a node for the length of the block; the kernel ends it when we are killed."""
    with TemporaryDirectory(prefix="scrapersky-rabbitmq-") as root:
        node = Node(Path(root))
        try:
            node.start()
            yield node
        finally:
            node.stop()

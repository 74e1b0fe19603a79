"""A machine: processes with a directory and, where we may, a name, a network and process numbers of their own."""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple, cast

import psutil

from cli.supervise import end_with_parent
from settings import PROJECT_ROOT
from tests.chaos.processes import STOP_WITHIN_SECONDS, children, environment, marked, procfile_command, wait_until
from tests.machines.wire import Target, Wire, inside, listen

APART = ("unshare", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
NAME_AND_NETWORK = 'hostname "$0" && ip link set lo up'
# It waits for our word: by then its wires are laid and its script is written.
BOOT = "echo up && read word && exec sh start.sh"


class Server(NamedTuple):
    """A server outside, and the setting by which a machine knows it; `{address}` stands for the machine's end."""

    target: Target
    setting: str
    pattern: str


def can_be_apart() -> bool:
    """Tell whether this account may make networks and host names of its own."""
    with suppress(OSError):
        return subprocess.run([*APART, "sh", "-c", NAME_AND_NETWORK, "x"], capture_output=True).returncode == 0
    return False


class Machine:
    """Lines of the Procfile that run together, reach every server through a wire, and die together."""

    def __init__(self, name: str, parent: Path, servers: Sequence[Server], *, is_apart: bool) -> None:
        self.name = name
        self.directory = parent / name
        self.directory.mkdir()
        self.env = environment(str(self.directory), PYTHONPATH=str(PROJECT_ROOT), HOME=str(self.directory))
        self.process = self._boot(is_apart)
        cast(IO[bytes], self.process.stdout).readline()
        pid = children(self.process.pid)[0] if is_apart else None
        self.wires = {server: Wire(inside(pid, listen) if pid else listen(), server.target) for server in servers}

    def _boot(self, is_apart: bool) -> subprocess.Popen[bytes]:
        apart, boot = (APART, f"{NAME_AND_NETWORK} && {BOOT}") if is_apart else ((), BOOT)
        return subprocess.Popen(
            [*apart, "sh", "-c", boot, self.name],
            env=self.env,
            cwd=self.directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=end_with_parent(),
        )

    def start(self, lines: Sequence[str], values: Mapping[str, str]) -> None:
        """Start lines of the Procfile with these settings."""
        own = {server.setting: server.pattern.format(address=wire.address) for server, wire in self.wires.items()}
        script = [f"export {name}={shlex.quote(value)}" for name, value in {**values, **own}.items()]
        script += [f"{shlex.join(procfile_command(line, values))} >{line}.log 2>&1 &" for line in lines]
        (self.directory / "start.sh").write_text("\n".join([*script, "wait", ""]))
        word = cast(IO[bytes], self.process.stdin)
        word.write(b"go\n")
        word.close()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to everything that runs here."""
        for process in self.alive():
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def kill(self) -> None:
        """Pull the plug: everything is gone at once, and so are the wires."""
        self.signal(signal.SIGKILL)
        wait_until(lambda: not self.alive(), STOP_WITHIN_SECONDS)
        self._clean_up()

    def ask_to_stop(self) -> None:
        """Let everything drain."""
        for process in self.alive():
            with suppress(psutil.Error):
                if "supervise" in process.cmdline():
                    process.terminate()

    def has_stopped(self) -> bool:
        """Wait for the end of what was asked to stop."""
        return wait_until(lambda: not self.alive(), STOP_WITHIN_SECONDS)

    def alive(self) -> list[psutil.Process]:
        return marked(str(self.directory))

    def log(self) -> str:
        """Give the end of what the programs said."""
        return "".join(file.read_text(errors="replace")[-3000:] for file in self.directory.glob("*.log"))

    def _clean_up(self) -> None:
        for wire in self.wires.values():
            wire.cut()
        for pipe in (self.process.stdin, self.process.stdout):
            cast(IO[bytes], pipe).close()
        self.process.wait()

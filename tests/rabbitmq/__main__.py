"""Have rabbitmq-server, installing it where that is possible, and run the tests that need it; leave nothing behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from cli.supervise import end_with_parent
from embedded.processes import remove_tree
from tests.rabbitmq import ASKED_FOR
from tests.rabbitmq.node import SERVER, epmd

PACKAGE = "rabbitmq-server"
INTERRUPTED = 130
FOLDER = str(Path(__file__).parent)


def what_is_missing() -> str | None:
    """Install what can be installed, and say in one sentence what cannot."""
    if is_there():
        return None
    if shutil.which("apt-get") is None:
        return f"RabbitMQ is missing and this system has no apt-get: install {PACKAGE} so that {SERVER} exists."
    if os.geteuid() != 0:
        return f"RabbitMQ is missing: run `sudo apt-get install {PACKAGE}` and then this again."
    if not install() or not is_there():
        return f"RabbitMQ is missing and `apt-get install {PACKAGE}` failed: the lines above say why."
    return None


def is_there() -> bool:
    return SERVER.exists() and epmd() is not None


def install() -> bool:
    """Ask the package manager, with newer lists when it does not know the package's files any more."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps = (
        ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", PACKAGE],
        ["apt-get", "update", "--quiet"],
    )
    return any(
        subprocess.run(step, env=quiet, stdin=subprocess.DEVNULL).returncode == 0 and is_there()
        for step in (steps[0], steps[1], steps[0])
    )


def run(arguments: list[str]) -> int:
    """Run the tests in a process of their own, whose files are removed also when it is killed."""
    temporary = mkdtemp(prefix="scrapersky-test-")
    tests = subprocess.Popen(
        [sys.executable, "-m", "pytest", FOLDER, *arguments],
        env=os.environ | {ASKED_FOR: "yes", "TMPDIR": temporary},
        preexec_fn=end_with_parent(),
    )
    try:
        return tests.wait()
    except KeyboardInterrupt:
        return tests.wait() or INTERRUPTED
    finally:
        remove_tree(Path(temporary))


if __name__ == "__main__":
    sys.exit(what_is_missing() or run(sys.argv[1:]))

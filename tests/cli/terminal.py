"""How the tests run `scrapersky`: as a process of its own, or in this one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from cli.main import app
from settings import PROJECT_ROOT

PROGRAM = str(Path(sys.executable).with_name("scrapersky"))


def environment(**given: object) -> dict[str, str]:
    """An environment with nothing of the developer's in it, where the puppets are the stages."""
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT_ROOT), "STAGE_MODULES": "tests.puppets"}
    return own | {"HOME": os.environ.get("HOME", "/"), "ENVIRONMENT": "test"} | {k: str(v) for k, v in given.items()}


def scrapersky(cwd: Path, *arguments: str, **given: object) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [PROGRAM, *arguments],
        cwd=cwd,
        env=environment(**given),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run_here(*arguments: str) -> str:
    """Run a command that succeeds in this process, and give what it printed."""
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def assert_one_sentence(ended_with: object, output: str, sentence: str, code: int) -> None:
    """Whatever goes wrong is told in one line, beside an empty output, and gives nothing away."""
    assert ended_with == code, sentence
    assert output == ""
    assert sentence.count("\n") == 1, sentence
    assert sentence.endswith((".\n", "?\n")), sentence
    assert "Traceback" not in sentence
    assert "hunter2" not in sentence


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port

"""The browser is found, or installed where that is allowed; else one line says what to do, and fails where it must."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from settings import PROJECT_ROOT


def run(path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.browser.chromium"],
        cwd=PROJECT_ROOT,
        env={"PATH": str(path), **environment},
        capture_output=True,
        text=True,
    )


def put(path: Path, name: str, says: str = "") -> None:
    """Put a program into a directory that is the whole PATH."""
    (path / name).write_text(f"#!/bin/sh\n{says}\n")
    (path / name).chmod(0o755)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_one_that_is_there_is_taken_without_a_word(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    done = run(tmp_path, CI="yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(("environment", "code"), [({}, 0), ({"CI": "yes"}, 1)], ids=["here", "CI"])
def test_one_that_cannot_be_had_is_a_line_here_and_a_failure_in_ci(
    tmp_path: Path, environment: dict[str, str], code: int
) -> None:
    done = run(tmp_path, **environment)
    assert done.returncode == code
    assert done.stderr.count("\n") == 1
    assert "run `apt-get install chromium fonts-dejavu-core` as root" in done.stderr


def test_one_that_is_missing_is_installed_by_who_may(tmp_path: Path) -> None:
    """An apt-get that installs, and a sudo that asks for no password, for those who are not root."""
    program = tmp_path / "chromium"
    put(
        tmp_path,
        "apt-get",
        f'case "$*" in *"install"*" chromium "*) echo "#!/bin/sh" > {program}; chmod +x {program};; esac',
    )
    put(tmp_path, "sudo", 'shift; exec "$@"')
    for needed in ("env", "sh", "chmod", "echo"):
        (tmp_path / needed).symlink_to(Path("/usr/bin") / needed)
    done = run(tmp_path, CI="yes")
    assert done.returncode == 0, done.stderr
    assert os.access(program, os.X_OK)
    assert "Installing Chromium" in done.stdout

"""`scrapersky supervise`: copies are kept running, restarted, and stopped together."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from embedded.processes import is_alive, wait_until
from tests.cli.terminal import PROGRAM, environment


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[psutil.Popen]:
    command = [PROGRAM, "supervise", "--copies", "2", "--", "sleep", "1000"]
    process = psutil.Popen(command, cwd=tmp_path, env=environment(DRAIN_SECONDS=1), stderr=subprocess.DEVNULL)
    yield process
    with suppress(psutil.NoSuchProcess):
        process.kill()
    process.wait()


def test_a_copy_that_dies_is_started_again_and_all_stop_together(supervisor: psutil.Popen) -> None:
    assert wait_until(lambda: len(supervisor.children()) == 2, 30)
    first, second = (child.pid for child in supervisor.children())
    psutil.Process(first).kill()
    assert wait_until(lambda: len({child.pid for child in supervisor.children()} - {first}) == 2, 30)
    copies = [child.pid for child in supervisor.children()]
    assert second in copies
    supervisor.send_signal(signal.SIGTERM)
    assert supervisor.wait(30) == 0
    assert not any(is_alive(pid) for pid in copies)


def test_copies_end_with_a_supervisor_that_is_killed(supervisor: psutil.Popen) -> None:
    assert wait_until(lambda: len(supervisor.children()) == 2, 30)
    copies = [child.pid for child in supervisor.children()]
    supervisor.kill()
    assert wait_until(lambda: not any(is_alive(pid) for pid in copies), 30)

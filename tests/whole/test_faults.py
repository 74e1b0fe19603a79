"""A whole run whose workers are killed again and again, and whose broker forgets all, finds exactly the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import redis

import embedded
from tests.whole.stage_door import LONGEST_SECONDS, Command
from tests.whole.test_run import SCORE, SEARCH, begin

__all__ = ["begin"]

KILL_EVERY_SECONDS = 3.0
# `KILLS=1000 pytest tests/whole/test_faults.py` goes on to the end; a worker takes seconds to start again.
MOST_KILLS = int(os.environ.get("KILLS", "3"))
# Small enough that a dead worker's work is taken up again between two kills; and no row is called poison for our kills.
FAST = {
    "LEASE_BEAT_SECONDS": "0.5",
    "LEASE_GRACE_SECONDS": "1.5",
    "LEASE_EXPIRY_SECONDS": "2",
    "RING_AGAIN_SECONDS": "2",
    "CRASHES_BEFORE_POISON": "50",
}


def kill_a_worker(command: Command) -> int:
    """Kill one worker process, the one that holds the lease, not those that look after it."""
    for process in command.left():
        with suppress(psutil.Error):
            words = " ".join(process.cmdline())
            if "pipeline.loaded" in words and "supervise" not in words and not process.children():
                process.kill()
                return 1
    return 0


def flush_all(directory: Path) -> None:
    with redis.Redis.from_url(embedded.urls(directory).broker_url) as broker:
        broker.flushall()


def test_killed_workers_and_a_broker_that_forgets_change_nothing(begin: Callable[..., Command], tmp_path: Path) -> None:
    command = begin(*SEARCH, **FAST)
    killed, flushed, until = 0, False, time.monotonic() + LONGEST_SECONDS
    while command.process.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
        if " done" not in command.output:
            next_at = time.monotonic() + KILL_EVERY_SECONDS / 2
        elif killed < MOST_KILLS and time.monotonic() >= next_at:
            killed += kill_a_worker(command)
            next_at = time.monotonic() + KILL_EVERY_SECONDS
            if not flushed and killed:
                flush_all(tmp_path / "data")
                flushed = True
    assert command.wait() == 0, command.output
    assert killed, "the run was over before a worker was killed"
    assert flushed
    scored = begin(*SCORE)
    assert scored.wait() == 0, scored.output
    assert scored.last_line.endswith("precision=1.0000 recall=1.0000"), scored.output

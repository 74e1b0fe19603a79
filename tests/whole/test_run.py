"""`scrapersky run`, interrupted at random moments and begun again, ends with the same result as an undisturbed one."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.demo import HASTE
from embedded import stop
from embedded.processes import wait_until
from sandbox import serving
from sandbox.world import World
from tests.whole.readme import commands
from tests.whole.stage_door import LONGEST_SECONDS, Command

WORLD = World(16, 5, town="Austin, TX", category="dentist")
# `INTERRUPTIONS=5 pytest tests/whole/test_run.py` is the long version.
INTERRUPTIONS = int(os.environ.get("INTERRUPTIONS", "1"))
SEARCH = ("run", "dentists", "--near", "Austin, TX", "--provider", "sandbox")
SCORE = ("sandbox", "score", "--businesses", "16", "--seed", "5", "--town", "Austin, TX", "--category", "dentist")
INTERRUPTED, FAILED = 130, 2

Start = Callable[..., Command]


@pytest.fixture
def begin(start: Start, tmp_path: Path) -> Iterator[Start]:
    """Start commands that share servers in one directory, on one made-up internet."""
    with serving(WORLD) as served:
        address = f"{served.address[0]}:{served.address[1]}"
        own = HASTE | {"SCRAPERSKY_DIR": str(tmp_path / "data"), "SANDBOX_ADDRESS": address}
        yield lambda *arguments, **more: start(*arguments, **(own | more))
    stop(tmp_path / "data")


def progress(command: Command) -> int:
    """Give how much was done by the last line of the output."""
    found = re.findall(r"; (\d+) done", command.output)
    return int(found[-1]) if found else 0


def test_a_run_that_is_interrupted_goes_on_and_misses_nothing(begin: Start, tmp_path: Path) -> None:
    chance = random.Random(7)
    for nth in range(INTERRUPTIONS):
        command = begin(*SEARCH)
        far = nth * 40 + chance.randint(1, 40)
        assert wait_until(lambda: progress(command) >= far or command.process.poll() is not None, LONGEST_SECONDS)  # noqa: B023
        command.press_ctrl_c()
        if command.wait() == 0:
            break  # it was faster
        assert command.process.returncode == INTERRUPTED, command.output
        assert "is paused and nothing is lost: run the same command to go on" in command.output
        assert wait_until(lambda: not command.left(), 10), command.left()  # noqa: B023

    last = begin(*SEARCH)
    assert last.wait() == 0, last.output
    assert "Search 1 is Completed: 16 leads are in leads-1.csv" in last.output
    assert len((tmp_path / "leads-1.csv").read_text("utf-8-sig").splitlines()) >= 17
    scored = begin(*SCORE)
    assert scored.wait() == 0, scored.output
    assert scored.last_line.endswith("precision=1.0000 recall=1.0000"), scored.output

    again = begin(*SEARCH)
    assert again.wait() == 0, again.output
    assert "Search 1 has done this already, so nothing is asked again" in again.output

    for words in commands(tmp_path / "leads-1.csv"):
        command = begin(*words)
        assert command.wait() == 0, (words, command.output)


def test_a_run_that_fails_says_why_and_the_same_command_tries_again(begin: Start, tmp_path: Path) -> None:
    with serving(World(4, 5, town="Chicago, IL", category="dentist")) as elsewhere:
        failed = begin(*SEARCH, "--max", "3", SANDBOX_ADDRESS=f"{elsewhere.address[0]}:{elsewhere.address[1]}")
        assert failed.wait() == FAILED, failed.output
    assert failed.last_line.startswith("Search 1 failed: search, "), failed.output
    assert failed.last_line.endswith(
        "there are no leads, so leads-1.csv was not written. Put that right, and run the same command to try again."
    )
    assert not (tmp_path / "leads-1.csv").exists()

    again = begin(*SEARCH, "--max", "3")
    assert again.wait() == 0, again.output
    assert "Search 1 for the same has failed, so what failed of it (1 piece of work) is tried again." in again.output
    assert "Search 1 is Completed: 3 leads are in leads-1.csv" in again.output

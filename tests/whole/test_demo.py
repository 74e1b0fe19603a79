"""`scrapersky demo` shows the whole product, is right, and leaves nothing behind, however it ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from embedded.processes import wait_until
from tests.whole.stage_door import LONGEST_SECONDS, Command

LAST_LINE = re.compile(
    r"demo: businesses=(\d+) domains=(\d+) pages=(\d+) contacts=(\d+) precision=([\d.]+) recall=([\d.]+)"
    r" reconciled=yes seconds=[\d.]+"
)
INTERRUPTED = 130


def is_clean(command: Command, directory: Path) -> bool:
    return not command.left() and list((directory / "tmp").iterdir()) == []


def test_a_small_demo_finds_what_was_hidden_and_leaves_nothing(start: Callable[..., Command], tmp_path: Path) -> None:
    command = start("demo", "--businesses", "9")
    assert command.wait() == 0, command.output
    found = LAST_LINE.fullmatch(command.last_line)
    assert found, command.output
    assert int(found[1]) == 9
    assert min(float(found[5]), float(found[6])) >= 0.99
    assert "The best" in command.output
    assert (tmp_path / "demo" / "leads.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert (tmp_path / "demo" / "leads.xlsx").stat().st_size > 0
    assert is_clean(command, tmp_path), command.left()


def test_ctrl_c_ends_a_demo_with_everything_below_it(start: Callable[..., Command], tmp_path: Path) -> None:
    command = start("demo", "--businesses", "30")
    assert wait_until(lambda: "search 1 InProgress" in command.output, LONGEST_SECONDS)
    command.press_ctrl_c()
    assert command.wait() == INTERRUPTED, command.output
    assert command.last_line == "Stopped; nothing is left running."
    assert wait_until(lambda: is_clean(command, tmp_path), 10), command.left()


def test_ctrl_c_while_the_servers_start_leaves_nothing_either(start: Callable[..., Command], tmp_path: Path) -> None:
    command = start("demo", "--businesses", "9")
    assert wait_until(lambda: "made-up town" in command.output, LONGEST_SECONDS)
    command.press_ctrl_c()
    assert command.wait() == INTERRUPTED, command.output
    assert command.last_line == "Stopped; nothing is left running."
    assert wait_until(lambda: is_clean(command, tmp_path), 10), command.left()

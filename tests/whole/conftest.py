"""Commands that are ended with everything below them, whatever becomes of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.whole.stage_door import Command


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    commands: list[Command] = []

    def start_one(*arguments: str, **environment: str) -> Command:
        commands.append(Command(tmp_path, *arguments, **environment))
        return commands[-1]

    yield start_one
    for command in commands:
        command.end()

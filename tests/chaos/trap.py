"""A trap for one worker: set by the test, sprung by the first process that comes to ring for what it has finished."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LAST_ORDER = -1  # a work id that nobody has: the consumer that reads it ends, see tests.chaos.dying


@dataclass(frozen=True)
class LastWords:
    """What the caught process left: who it was, when it died, and for which rows it did not ring."""

    pid: int
    at: float
    rows: list[int]


@dataclass(frozen=True)
class Trap:
    """A file in a directory that all processes see; whoever can delete it is caught."""

    directory: Path

    @property
    def _bait(self) -> Path:
        return self.directory / "trap"

    @property
    def _words(self) -> Path:
        return self.directory / "last-words.json"

    def set(self) -> None:
        self._bait.touch()

    def remove(self) -> None:
        self._bait.unlink(missing_ok=True)

    def catches_us(self) -> bool:
        try:
            self._bait.unlink()
        except FileNotFoundError:
            return False
        return True

    def die(self, rows: Sequence[int]) -> None:
        """Say who we were, and SIGKILL ourselves."""
        unfinished = self.directory / "words"
        unfinished.write_text(json.dumps({"pid": os.getpid(), "at": time.time(), "rows": list(rows)}))
        unfinished.rename(self._words)
        os.kill(os.getpid(), signal.SIGKILL)

    def has_caught(self) -> bool:
        return self._words.exists()

    def take_words(self) -> LastWords:
        words = LastWords(**json.loads(self._words.read_text()))
        self._words.unlink()
        return words

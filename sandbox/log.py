"""The log of every request: what was asked of whom and when, the truth that politeness is measured by.

The newest entries stay in memory in columns of fixed size; a file, when asked for, gets all of them as JSON lines.
An entry that is still open when the file is written appears again when it ends: the last line of a number counts.
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

CAPACITY = 200_000
MOST_PATH_CHARACTERS = 512  # of query and path: what is kept in memory has a limit
OPEN = -1.0
OWN_HOSTS = frozenset(("127.0.0.1", "::1", "localhost"))  # the server itself: not part of the world, and not logged


class Log:
    """Numbered entries, from 1 on, in the order in which requests came in."""

    def __init__(self, file: Path | None = None, capacity: int = CAPACITY) -> None:
        self.count = 0
        self.capacity = capacity
        self._wall_ahead = time.time() - time.monotonic()
        self._hosts = [""] * capacity
        self._paths = [""] * capacity
        self._methods = [""] * capacity
        self._arrived = array("d", bytes(8 * capacity))
        self._done = array("d", bytes(8 * capacity))
        self._bytes = array("q", bytes(8 * capacity))
        self._status = array("h", bytes(2 * capacity))
        self._left = array("b", bytes(capacity))
        self._file: IO[str] | None = file.open("w", encoding="utf-8") if file else None
        self._unwritten: dict[int, None] = {}

    def begin(self, host: str, target: str, method: str) -> int:
        """Note that a request has come in, and give its number."""
        self.count += 1
        at = self.count % self.capacity
        self._hosts[at] = sys.intern(host)  # the same few words again and again: stored once
        self._paths[at] = sys.intern(target[:MOST_PATH_CHARACTERS])
        self._methods[at] = sys.intern(method)
        self._arrived[at] = time.monotonic()
        self._done[at] = OPEN
        self._bytes[at] = self._status[at] = self._left[at] = 0
        self._note(self.count)
        return self.count

    def end(self, number: int, *, status: int, sent_bytes: int, left: bool) -> None:
        """Note that a reply is complete, or that the client did not wait for it."""
        if number <= self.count - self.capacity:
            return
        at = number % self.capacity
        self._done[at] = time.monotonic()
        self._status[at] = status
        self._bytes[at] = sent_bytes
        self._left[at] = left
        self._note(number)

    def entry(self, number: int) -> dict[str, Any] | None:
        """Give one entry; None when it is not there yet or no longer."""
        if not max(0, self.count - self.capacity) < number <= self.count:
            return None
        at = number % self.capacity
        done = self._done[at]
        return {
            "number": number,
            "host": self._hosts[at],
            "path": self._paths[at],
            "method": self._methods[at],
            "arrived": round(self._arrived[at], 6),
            "arrived_at": round(self._arrived[at] + self._wall_ahead, 6),
            "done": None if done == OPEN else round(done, 6),
            "status": self._status[at],
            "bytes": self._bytes[at],
            "left": bool(self._left[at]),
        }

    def lines(self, since: int = 0) -> Iterator[bytes]:
        """Give the entries after a number as JSON lines, as far as they have come when this is called."""
        return self._lines(max(since, self.count - self.capacity), self.count)

    def _lines(self, after: int, last: int) -> Iterator[bytes]:
        batch: list[str] = []
        for number in range(after + 1, last + 1):
            entry = self.entry(number)  # a slow reader may be overtaken
            if entry is not None:
                batch.append(json.dumps(entry) + "\n")
            if len(batch) == 200 or number == last:
                yield "".join(batch).encode()
                batch.clear()

    def _note(self, number: int) -> None:
        if self._file is not None:
            self._unwritten[number] = None
            if len(self._unwritten) >= self.capacity // 2:
                self.flush()

    def flush(self) -> None:
        """Write to the file what happened since the last time."""
        if self._file is None or not self._unwritten:
            return
        entries = map(self.entry, self._unwritten)
        self._file.write("".join(json.dumps(entry) + "\n" for entry in entries if entry is not None))
        self._file.flush()
        self._unwritten.clear()

    def close(self) -> None:
        """Write the rest and close the file."""
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None

"""Export JSON Lines: one object a row, with values as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, BinaryIO

from services.export_cell import Cell, moment

# Valid inside JSON, but some readers end a line there; halves of characters cannot be written as UTF-8 at all.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@contextmanager
def json_lines(stream: BinaryIO, headers: Sequence[str]) -> Iterator[Callable[[Sequence[Cell]], None]]:
    """Give the function that writes a row as one object."""
    yield lambda row: _write(stream, {name: _plain(cell) for name, cell in zip(headers, row, strict=True)})


def _write(stream: BinaryIO, row: dict[str, Any]) -> None:
    line = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(row, ensure_ascii=False))
    stream.write(line.encode() + b"\n")


def _plain(cell: Cell) -> Any:
    return moment(cell) if isinstance(cell, date) else cell

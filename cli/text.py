"""Text for a terminal: safe whatever was scraped, lengths of time people read, tables and JSON lines."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli import columns
from errors import BadInput
from logs import CONTROL

WIDEST = 100_000  # there is no edge in a pipe or a file
NOTHING = "-"
UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
LONGEST = timedelta(days=36500)


def safe(value: object, most: int | None = None) -> str:
    """Put a value on one line, with control characters made visible, and cut it at `most` characters."""
    line = " ".join(str(value).split())
    line = CONTROL.sub(lambda found: repr(found.group())[1:-1], line)
    line = line.encode("utf-8", "backslashreplace").decode("utf-8")
    return line if most is None or len(line) <= most else f"{line[: most - 1]}…"


def console() -> Console:
    """Give a console that takes nothing for markup, and does not fold what goes into a pipe or a file."""
    width = None if sys.stdout.isatty() else WIDEST
    return Console(markup=False, highlight=False, emoji=False, width=width)


def say(line: object) -> None:
    """Print one line to copy from: never folded."""
    console().print(safe(line), soft_wrap=True)


def note(line: object) -> None:
    """Print one line beside the result, where it does not end up in a pipe."""
    Console(stderr=True, markup=False, highlight=False, emoji=False).print(safe(line), soft_wrap=True)


def shortened(value: object, most: int) -> str:
    """Cut a value for a terminal; what goes into a pipe or a file stays whole."""
    return safe(value, most if sys.stdout.isatty() else None)


def print_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str | None = None,
    spare: Sequence[str] = (),
) -> None:
    """Print rows under headers, numbers to the right; `spare` columns are left out where words would break."""
    rows, out = [list(row) for row in rows], console()
    lines = [[NOTHING if cell is None else safe(cell) for cell in row] for row in rows]
    chosen = columns.kept(headers, lines, out.width, spare)
    if title is not None:
        out.print(Text(title, style="bold"), soft_wrap=True)
    shown = [[line[nth] for nth in chosen] for line in lines]
    numbers = [all(isinstance(row[nth], int | float | None) for row in rows) for nth in chosen]
    _print_whole(_table([headers[nth] for nth in chosen], shown, numbers, out.width))
    left_out = [name for nth, name in enumerate(headers) if nth not in chosen]
    if left_out:
        note(f"The terminal is too narrow for: {', '.join(left_out)}.")


def _table(headers: Sequence[str], lines: Sequence[Sequence[str]], numbers: Sequence[bool], room: int) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for header, is_number, width in zip(headers, numbers, columns.widths(headers, lines, room), strict=True):
        table.add_column(header, justify="right" if is_number else "left", overflow="fold", width=width)
    for line in lines:
        table.add_row(*map(Text, line))
    return table


def _print_whole(table: Table) -> None:
    """Print a table to its full width, also beyond the terminal's edge, with no blanks at the ends of its lines."""
    out = Console(markup=False, highlight=False, emoji=False, width=WIDEST)
    with out.capture() as caught:
        out.print(table)
    for line in caught.get().splitlines():
        sys.stdout.write(f"{line.rstrip()}\n")


def print_json(rows: Iterable[Mapping[str, Any]]) -> None:
    """Print one JSON object a line."""
    for row in rows:
        sys.stdout.write(json.dumps(row, default=_plain) + "\n")


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def duration(seconds: float | timedelta | None) -> str | None:
    """Write a length of time with its two largest units, such as `2h 5m`."""
    if seconds is None:
        return None
    left = round(seconds.total_seconds() if isinstance(seconds, timedelta) else seconds)
    if left < 0:
        return f"in {duration(-left)}"
    parts = []
    for unit, size in list(UNITS.items())[1:]:
        if left >= size:
            parts.append(f"{left // size}{unit}")
            left %= size
    return " ".join(parts[:2]) or "0s"


def read_duration(text: str | None) -> timedelta | None:
    """Read `90s`, `2h`, `1d12h` or `2w`."""
    if text is None:
        return None
    found = re.findall(r"(\d{1,12})([wdhms])", text.replace(" ", "").lower())
    if not found or "".join(f"{number}{unit}" for number, unit in found) != text.replace(" ", "").lower():
        raise BadInput(f"{safe(text, 40)!r} is no length of time: write it like 90s, 30m, 2h or 1d12h.")
    seconds = sum(int(number) * UNITS[unit] for number, unit in found)
    if seconds > LONGEST.total_seconds():
        raise BadInput(f"{safe(text, 40)!r} is longer than a century: name a shorter time.")
    return timedelta(seconds=seconds)

"""Bring a suppression list from a file, and say what became of its rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from cli.ready import ready
from cli.text import note, print_table, safe, say
from errors import BadInput
from leads.subjects import known_kind, known_region
from leads.suppression_import import Imported, Reading, import_list
from settings import settings

LONGEST_ROW = 100


def run(file: str, *, column: str | None, kind: str | None, reason: str | None, region: str) -> None:
    """Import the file and report."""
    reading = Reading(column, None if kind is None else known_kind(kind), known_region(region), reason)
    name = "the input" if file == "-" else safe(Path(file).name, 200)
    with _opened(file) as stream:
        ready()
        imported = import_list(settings().default_tenant_id, cast(BinaryIO, stream), name, reading)
    _report(imported)


@contextmanager
def _opened(file: str) -> Iterator[BufferedReader[Any]]:
    """Open a file or the input; say in one sentence why not."""
    if file == "-":
        piped = BufferedReader(cast(RawIOBase, sys.stdin.buffer))
        yield piped
        piped.detach()  # the input is not ours to close
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except OSError as fault:
        raise BadInput(f"{safe(file, 200)!r} cannot be read: {fault.strerror}.") from None


def _report(imported: Imported) -> None:
    added, duplicate, rejected = (imported.of(result) for result in ("added", "duplicate", "rejected"))
    say(f"{added} added to the list, {duplicate} known or repeated, {rejected} rejected.")
    for (result, reason), many in sorted(imported.counts.items(), key=lambda pair: (-pair[1], pair[0][0])):
        if reason is not None:
            say(f"{many} {result}: {reason}")
    if imported.rejected:
        lines = [[row.line, reason, safe(row.raw, LONGEST_ROW)] for row, reason in imported.rejected]
        more = "" if rejected == len(lines) else f", the first {len(lines)} of {rejected}"
        print_table(("line", "reason", "row"), lines, title=f"Rejected{more}")
    if imported.layout.unused:
        others = safe(", ".join(imported.layout.unused), LONGEST_ROW)
        note(f"Only one column is read at a time, and these were not: {others}. Bring them with --column.")
    if imported.layout.header is None:
        nth = imported.layout.columns.get("value", 0) + 1
        note(f"The list has no header: column {nth} was read; choose another with --column.")

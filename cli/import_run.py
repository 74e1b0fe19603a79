"""Bring a list: open the file, import it or only judge it, and say what became of its rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, cast

from cli.ready import ready
from cli.text import note, print_table, safe, say
from cli.workers_needed import note_if_none
from errors import BadInput
from pipeline.import_kinds import Kind
from pipeline.import_rows import KINDS
from pipeline.imports import Imported, import_list
from pipeline.list_file import read_choices
from pipeline.stage import load_stages

LONGEST_ROW = 100


def run(what: str, file: str, *, columns: Sequence[str], auto: bool, dry_run: bool, sheet: str | None = None) -> None:
    """Import a list and report."""
    kind, chosen = KINDS[what], read_choices(columns)
    with _opened(file) as stream:
        load_stages()
        ready(broker=not dry_run)
        imported = import_list(kind, stream, name=_name(file), chosen=chosen, auto=auto, dry_run=dry_run, sheet=sheet)
    _report(kind, imported, auto=auto)


def _name(file: str) -> str:
    return "the input" if file == "-" else safe(Path(file).name, 200)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    """Open a file or the input; say in one sentence why not."""
    if file == "-":
        piped = BufferedReader(cast(RawIOBase, sys.stdin.buffer))
        yield cast(BinaryIO, piped)
        piped.detach()  # the input is not ours to close
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except OSError as fault:
        raise BadInput(f"{safe(file, 200)!r} cannot be read: {fault.strerror}.") from None


def _report(kind: Kind, imported: Imported, *, auto: bool) -> None:
    dry = imported.batch_id is None
    begin = "This would be" if dry else f"Import {imported.batch_id}:"
    counts = ", ".join(f"{imported.of(result)} {word}" for result, word in _WORDS)
    say(f"{begin} {counts}.")
    for (result, reason), many in sorted(imported.counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if reason is not None:
            say(f"{many} {result}: {reason}")
    _print_rejected(imported)
    if imported.layout.header is None:
        note(f"The list has no header: {_guessed(imported)}; choose others with --column.")
    if imported.unused:
        note(f"Not used: the columns {imported.unused}.")
    if not dry:
        say(_what_next(kind, imported, auto=auto))
    if imported.queued and not dry:
        note_if_none()


_WORDS = (("added", "added"), ("duplicate", "known or repeated"), ("rejected", "rejected"))


def _print_rejected(imported: Imported) -> None:
    if imported.rejected:
        lines = [[item.row.line, item.reason, safe(item.row.raw, LONGEST_ROW)] for item in imported.rejected]
        print_table(("line", "reason", "row"), lines, title=_first(imported))


def _guessed(imported: Imported) -> str:
    columns = sorted((nth, field) for field, nth in imported.layout.columns.items())
    return ", ".join(f"column {nth + 1} was read as {field}" for nth, field in columns)


def _first(imported: Imported) -> str:
    many = imported.of("rejected")
    return "Rejected" if many == len(imported.rejected) else f"Rejected, the first {len(imported.rejected)} of {many}"


def _what_next(kind: Kind, imported: Imported, *, auto: bool) -> str:
    if not imported.of("added"):
        return "Nothing was added: every row was there already or was rejected."
    watch = f"see `scrapersky import show {imported.batch_id}`"
    if imported.queued:
        return f"{imported.queued} queued at {kind.stage}: {watch}."
    return f"The {kind.noun} are stored, and nothing was started: {watch}." if auto else f"They wait for you: {watch}."

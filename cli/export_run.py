"""Run an export: check it, write it whole or not at all, and say beside it what was written."""

from __future__ import annotations

import sys
from typing import Any, BinaryIO

from cli.export_file import whole_file
from cli.export_format import format_of
from cli.ready import ready
from cli.text import note
from errors import BadInput
from leads.exports import Export, Exported, Order, prepare
from settings import settings

STDOUT = "-"


def run(subject: str, output: str, *, asked: str | None, **wishes: Any) -> None:
    """Export leads or contacts to a file or to the output."""
    chosen = asked or "csv" if output == STDOUT else format_of(output, asked)
    ready()
    export = prepare(Order(tenant_id=settings().default_tenant_id, subject=subject, format=chosen, **wishes))
    exported = _write(export, output)
    _report(export, exported, output)


def _write(export: Export, output: str) -> Exported:
    if output != STDOUT:
        with whole_file(output) as stream:
            return export.write(stream)
    stream = _stdout(export.order.format)
    exported = export.write(stream)
    stream.flush()
    return exported


def _stdout(format_: str) -> BinaryIO:
    if format_ == "xlsx" and sys.stdout.isatty():
        raise BadInput("XLSX is nothing to read in a terminal: name a file with --output.")
    return sys.stdout.buffer


def _report(export: Export, exported: Exported, output: str) -> None:
    order = export.order
    if exported.skipped:
        note(f"{exported.skipped} rows lack what {order.target} requires ({exported.lacks}) and were left out.")
    if exported.sheets > 1:
        note(f"A sheet of Excel's holds 1,048,576 rows, so the file has {exported.sheets} sheets.")
    if not exported.rows:
        note(f"No {order.subject} match, so there is nothing but the header: see --where, --search and --with-gone.")
    note(f"exported: rows={exported.rows} suppressed={exported.suppressed} file={output}")

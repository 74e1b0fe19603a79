"""The format of a file: the one that its name says, unless the file is none or another is asked for."""

from __future__ import annotations

from pathlib import Path

from cli.export_file import is_special
from cli.text import safe
from errors import BadInput
from leads.exports import FORMATS

ENDINGS = {".csv": "csv", ".xlsx": "xlsx", ".jsonl": "jsonl", ".vcf": "vcard"}
LONGEST_SHOWN = 200


def format_of(output: str, asked: str | None = None) -> str:
    """Give the format; refuse a name that says none, or another one than is asked for."""
    if is_special(output):
        return asked or "csv"
    said = ENDINGS.get(Path(output).suffix.lower())
    shown = safe(output, LONGEST_SHOWN)
    if asked is None and said is None:
        raise BadInput(f"{shown!r} names no format that can be written: let it end in .csv, .xlsx, .jsonl or .vcf.")
    if asked in FORMATS and said not in (None, asked):
        raise BadInput(
            f"{shown!r} is the name of a {said} file, and the format that is asked for is {asked}: choose one."
        )
    return asked or said or "csv"

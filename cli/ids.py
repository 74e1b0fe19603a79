"""Ids at the keyboard: whole numbers that a row can have."""

from __future__ import annotations

import typer

LARGEST_ID = 2**63 - 1


def read_id(text: str) -> int:
    """Read an id, or refuse what can be none."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= LARGEST_ID:
        raise typer.BadParameter(f"an id is a whole number from 1 on, not {text[:40]!r}")
    return number

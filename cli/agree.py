"""Agree: ask the person at the keyboard, or refuse where nobody can be asked."""

from __future__ import annotations

import sys

import typer

from errors import BadInput


def is_agreed(what: str) -> bool:
    """Ask whether to go on."""
    if not sys.stdin.isatty():
        raise BadInput(f"This would {what}: add --yes to go on without being asked.")
    return typer.confirm(f"This will {what}. Go on?")

"""Take a decision back, and say what became of it."""

from __future__ import annotations

from cli.ready import ready
from cli.text import say
from entities import curate_undo
from pipeline.stage import load_stages


def undo(operation_id: int) -> None:
    """Take back what was decided with `curate set`, or over the API."""
    load_stages()
    ready(broker=True)
    done = curate_undo.undo(None, operation_id)
    rest = f"; {done.skipped_count} left alone: decided on since, or gone" if done.skipped_count else ""
    say(f"{done.restored_count} as before, {done.cancelled_count} cancelled{rest}.")

"""Workers needed: work that is queued waits as long as nobody runs the processes, and whoever queued it is told so."""

from __future__ import annotations

from cli.text import note
from pipeline.search_view import workers_alive

NONE_ALIVE = "No worker is alive, so nothing of it goes on until `scrapersky up` runs some."


def note_if_none() -> None:
    """Say that queued work waits, and what to run, when no worker is alive."""
    if not workers_alive():
        note(NONE_ALIVE)

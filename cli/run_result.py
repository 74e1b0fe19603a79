"""The end of a run: its leads in a file, and a last line that says how it went; what did not end well is a failure."""

from __future__ import annotations

from pathlib import Path

import reasons
from cli.leads_report import write
from cli.search_report import say_what_waits
from cli.text import safe, say
from errors import UserError
from leads.best_leads import best
from pipeline import searches
from pipeline.search_view import View
from settings import settings

LONGEST_WHY = 300
WHAT_TO_DO = {
    "Error": "Put that right, and run the same command to try again.",
    "Cancelled": "The same command begins a new one.",
    "Paused": "Put right what is said above, and run the same command to go on.",
}


def finish(view: View, output: Path) -> None:
    """Write the leads and say where they are; refuse to call it a success when it is none."""
    search_id, status = view.found.row["id"], view.found.status
    if status not in WHAT_TO_DO:
        say(f"Search {search_id} is {status}: {write(search_id, output).rows} leads are in {output}.")
        say_what_waits(search_id, view.found.progress.waiting)
        if status == "ManualReview":
            say("The same command goes on with what you select.")
        return
    raise UserError(f"Search {search_id} {_how(view)}; {_what_is_there(search_id, output)}. {WHAT_TO_DO[status]}")


def _how(view: View) -> str:
    return f"failed: {_why(view.found.row['id'])}" if view.found.status == "Error" else f"is {view.found.status}"


def _why(search_id: int) -> str:
    """Tell what failed: the search itself, else what failed most."""
    failed = [row for row in searches.reasons_given(search_id) if row["status"] == "Error"]
    source = searches.source_stages()
    worst = max(failed, key=lambda row: (row["stage"] in source, row["many"]))
    told = worst["error"] or reasons.MEANINGS.get(worst["reason"], worst["reason"])
    return f"{worst['stage']}, {safe(told, LONGEST_WHY).rstrip('.')}"


def _what_is_there(search_id: int, output: Path) -> str:
    """Write the leads that there are all the same; a file without any would only look like a result."""
    if not best(settings().default_tenant_id, search_id, 1):
        return f"there are no leads, so {output} was not written"
    return f"what it found before is in {output} (rows: {write(search_id, output).rows})"

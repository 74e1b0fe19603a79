"""Watch a search until nothing of it is open, on whatever screen there is."""

from __future__ import annotations

import time
from collections.abc import Callable

from cli.ready import ready
from cli.screen import screen
from cli.text import note
from cli.workers_needed import NONE_ALIVE
from errors import BadInput
from pipeline import searches
from pipeline.search_view import View, look, workers_alive
from pipeline.stage import load_stages

LOOK_SECONDS = 0.5
# Looking costs the database more the larger a search is; it should cost the work little.
SHARE_OF_TIME = 0.1


def watch(search_id: int | None) -> None:
    """Attach the screen to a search, the newest if none is named; Ctrl-C leaves it, the search goes on."""
    load_stages()
    ready()
    search_id = search_id or _newest()
    try:
        view = follow(search_id)
    except KeyboardInterrupt:
        note(f"{_what_goes_on()} `scrapersky watch {search_id}` shows it again.")
        return
    note(f"Search {search_id} is {view.found.status}: `scrapersky search show {search_id}` tells it all.")


def _what_goes_on() -> str:
    return "The search goes on." if workers_alive() else NONE_ALIVE


def follow(search_id: int, *, check: Callable[[View], None] | None = None) -> View:
    """Show a search until it has ended or stands still for a person; give the last look."""
    with screen() as shown:
        while True:
            began = time.monotonic()
            view = look(search_id)
            shown.show(view)
            if not view.is_open or view.found.status == "Paused":
                return view
            if check is not None:
                check(view)
            time.sleep(max(LOOK_SECONDS, (time.monotonic() - began) / SHARE_OF_TIME))


def _newest() -> int:
    for found in searches.newest(1):
        return int(found.row["id"])
    raise BadInput("There is no search yet: start one with `scrapersky run dentists --near 'Austin, TX'`.")

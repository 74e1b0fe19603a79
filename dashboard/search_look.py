"""Search look: what the page of a search shows while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import reasons
from accounts import users
from accounts.caller import Caller
from dashboard import search_form
from notices import watching
from pipeline import search_view, searches
from pipeline.progress import Row
from pipeline.search_view import View
from pipeline.stage import all_stages
from settings import settings

# Up to here a look is quick enough to be a part of the page; what is larger comes when it is ready.
SMALL_PLACES = 300
SAYS: Mapping[str, str] = {
    "Queued": "It waits for a worker to begin.",
    "InProgress": "It runs.",
    "Paused": "It is held, with everything below it: resume it to go on.",
    "ManualReview": "It waits for your decision.",
    "Completed": "All of its work is done.",
    "Cancelled": "It was cancelled; what was found stays.",
    "Error": "A part of it failed for good: the reasons are below.",
}
STAGES_PAUSED = "The stages that are next are paused for everybody: an operator lets them go on."
# The order of the parts of a bar, and how each looks.
PARTS = (
    ("Completed", "good"),
    ("Filtered", "mute"),
    ("Error", "bad"),
    ("Cancelled", "gone"),
    ("Processing", "busy"),
    ("Queued", "wait"),
)


def page(caller: Caller, search_id: int) -> dict[str, Any]:
    """Give what the page shows at once: the search's own row, and a first look where that is quick."""
    row = searches.head(search_id, tenant_id=caller.tenant_id)
    first = now(caller, search_id) if row["places"] <= SMALL_PLACES else {"view": None, "search": row}
    return {"by": starter(caller, row), "budget": search_form.amount(row["budget_usd"]), **first}


def starter(caller: Caller, row: Row) -> str | None:
    """Give the name of who started a search."""
    user = row["created_by_id"]
    return users.names_of(caller.tenant_id, [user]).get(user) if user else None


def now(caller: Caller, search_id: int) -> dict[str, Any]:
    """Look at a search once, as `searches/live.html` shows it."""
    view = search_view.look(search_id, newest=0, tenant_id=caller.tenant_id)
    wanted = watching.Wanted(caller.tenant_id, search_id)
    # All that is there at this moment: the next look draws it anew, so none can be passed over.
    newest = watching.contacts(wanted, None, is_over=True).rows
    waits = searches.still_open(search_id) if view.is_open else []
    row = view.found.row
    return {
        "view": view,
        "search": row,
        "says": _says(view),
        "stages": stages(view),
        "contacts": sum(view.contacts.values()),
        "by_kind": ", ".join(f"{many:,} {kind}" for kind, many in sorted(view.contacts.items())),
        "newest": newest[::-1],
        "businesses": search_view.businesses_of(search_id, [contact["id"] for contact in newest]),
        "waits": waits,
        "lacks_money": sum(wait["many"] for wait in waits if wait["reason"] == reasons.BUDGET),
        "decisions": decisions(view),
        "areas": searches.areas(search_id),
        "today": _today(row["provider"]) if caller.is_operator else None,
        "state": _state(view),
    }


def _says(view: View) -> str:
    is_held = bool(view.found.progress.held)
    return STAGES_PAUSED if view.found.status == "Paused" and not is_held else SAYS[view.found.status]


def stages(view: View) -> list[tuple[str, Mapping[str, int], list[tuple[int, str]]]]:
    """Give each stage with its counts and with the parts of its bar."""
    counts = view.found.progress.counts
    return [(name, own, [(own[status], kind) for status, kind in PARTS]) for name, own in counts.items()]


def decisions(view: View) -> list[tuple[str, str, int]]:
    """Give what waits for a person: the stage before which, the entity, and how many."""
    tables = {stage.name: stage.table for stage in all_stages()}
    return [(stage, tables[stage], many) for stage, many in view.found.progress.waiting.items() if many]


def _today(provider: str) -> Row:
    calls, usd = searches.spent_today(provider)
    return {"calls": calls, "usd": usd, "limit": settings().provider_daily_budget_usd}


def _state(view: View) -> int:
    """Sum up what the funnel and the map are drawn from: they are drawn again when it has changed."""
    found = view.found
    counts = [found.row[name] for name in ("places", "businesses", "domains", "coverage")]
    return crc32(repr((counts, found.progress.counts, found.progress.waiting, view.contacts)).encode())

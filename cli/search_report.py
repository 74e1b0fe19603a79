"""Look at searches: a list, or one with its coverage, cost, counts that reconcile and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from cli.progress_report import print_open, print_reasons, print_stages, stages_as_json
from cli.ready import ready
from cli.text import duration, note, print_json, print_table, safe, say
from errors import BadInput, NotFound
from pipeline import searches
from pipeline.progress import Row
from pipeline.searches import Found
from pipeline.stage import load_stages
from settings import settings

HEADERS = ("id", "what", "where", "mode", "status", "places", "businesses", "domains", "spent", "age")
LESS = ("age", "mode", "domains")
LONGEST_WORDS = 40
NONE_YET = "There is no search yet: start one with `scrapersky run dentists --near 'Austin, TX'`."
SHOWN = (
    "id", "what", "where_text", "south", "west", "north", "east", "radius_meters", "provider", "mode", "max_places",
    "calls", "coverage", "places", "businesses", "domains", "created_at",
)  # fmt: skip


def show_list(*, limit: int, as_json: bool) -> None:
    """Print the newest searches."""
    load_stages()
    ready()
    found = searches.newest(limit + 1)
    if as_json:
        print_json(_as_json(search) for search in found[:limit])
    elif found:
        print_table(HEADERS, [_line(search) for search in found[:limit]], spare=LESS)
    else:
        say(NONE_YET)
    if len(found) > limit:
        note(f"There are more than these {limit}: raise --limit.")


def _line(found: Found) -> list[object]:
    row = found.row
    return [
        row["id"],
        safe(row["what"], LONGEST_WORDS),
        safe(_where(row), LONGEST_WORDS),
        row["mode"],
        found.status,
        row["places"],
        row["businesses"],
        row["domains"],
        _money(row["spent_usd"]),
        duration(row["seconds"]),
    ]


def _where(row: Row) -> str:
    if row["where_text"] is None:
        return f"{row['south']:g},{row['west']:g},{row['north']:g},{row['east']:g}"
    radius = row["radius_meters"]
    return row["where_text"] if radius is None else f"{row['where_text']} +{radius / 1000:g}km"


def _money(usd: Decimal) -> str:
    """Write an amount; what is less than a cent a call still shows."""
    return f"${usd:.2f}" if usd == round(usd, 2) else f"${usd.normalize():f}"


def show_one(search_id: int, *, as_json: bool) -> None:
    """Print all that is known of one search."""
    load_stages()
    ready()
    found = _one(search_id)
    reasons, waits = searches.reasons_given(search_id), searches.still_open(search_id)
    if as_json:
        print_json([_as_json(found) | _details(found, reasons, waits)])
        return
    _print_head(found)
    print_stages(found.progress)
    print_reasons(reasons)
    print_open(waits)
    say_what_waits(search_id, found.progress.waiting)


def _one(search_id: int) -> Found:
    try:
        return searches.one(search_id)
    except NotFound:
        if searches.newest(1):
            raise
    raise BadInput(NONE_YET)


def _print_head(found: Found) -> None:
    row = found.row
    say(f"Search {row['id']}: {row['what']}, {_where(row)} ({row['provider']}, {row['mode']})")
    say(f"Status {found.status}, started {duration(row['seconds'])} ago.")
    say(f"Found {row['places']} of at most {row['max_places']} places, {row['businesses']} businesses, "
        f"{row['domains']} domains.")  # fmt: skip
    elsewhere = searches.begun_elsewhere(found)
    if elsewhere:
        say(f"An earlier search had begun the work on {elsewhere} of its places; it is counted there.")
    say(f"Coverage: {_coverage(row)}.")
    say(f"Cost: {_cost(row)}.")


def _coverage(row: Row) -> str:
    areas = searches.areas(row["id"])
    calls = f"{areas.get('searched', 0)} of {areas.get('known', 0)} pages of rectangles were read"
    seen = "not known yet" if row["coverage"] is None else f"{row['coverage']:.1%} of the area, {calls}"
    if row["places"] < row["max_places"] or row["coverage"] == 1:
        return seen
    stopped = f"stopped at --max {row['max_places']}; raise it to see more"
    return stopped if not row["coverage"] else f"{seen}; {stopped}"


def _cost(row: Row) -> str:
    calls, usd = searches.spent_today(row["provider"])
    budget = "no limit" if row["budget_usd"] is None else _money(row["budget_usd"])
    own = f"{_money(row['spent_usd'])} of {budget} in {_calls(row['calls'])}"
    own += " (play money of the sandbox)" if row["provider"] == "sandbox" else ""
    limit = _money(settings().provider_daily_budget_usd)
    return f"{own}; {row['provider']} today {_money(usd)} of {limit} in {_calls(calls)}"


def _calls(many: int) -> str:
    return "1 call" if many == 1 else f"{many} calls"


def say_what_waits(search_id: int, waiting: Mapping[str, int]) -> None:
    """Say before which stages a person is to decide, and how."""
    for stage, many in waiting.items():
        if many:
            say(f"{many} wait for your decision before {stage}. Decide with"
                f" `scrapersky curate set {stage} --search {search_id} --all --as Selected`, or see"
                f" `scrapersky curate list {search_id}`.")  # fmt: skip


def _as_json(found: Found) -> dict[str, Any]:
    row = found.row
    money = {name: None if row[name] is None else float(row[name]) for name in ("budget_usd", "spent_usd")}
    return {name: row[name] for name in SHOWN} | money | {"status": found.status} | stages_as_json(found.progress)


def _details(found: Found, reasons: Sequence[Row], waits: Sequence[Row]) -> dict[str, Any]:
    calls, usd = searches.spent_today(found.row["provider"])
    limit = settings().provider_daily_budget_usd
    return {
        "areas": searches.areas(found.row["id"]),
        "begun_elsewhere": searches.begun_elsewhere(found),
        "today": {"calls": calls, "usd": float(usd), "limit_usd": float(limit)},
        "reasons": reasons,
        "open": waits,
    }

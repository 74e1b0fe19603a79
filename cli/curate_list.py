"""List what of a search waits for a person's decision."""

from __future__ import annotations

from cli.ready import ready
from cli.text import note, print_json, print_table, say, shortened
from pipeline import decisions, searches
from pipeline.decisions import curated_stage, curated_stages, known_decision
from pipeline.progress import Row
from pipeline.stage import load_stages

HEADERS = ("id", "before", "name", "address", "website", "status", "found")
LESS = ("found", "address", "status")
LONGEST_CELL = 50


def show(search_id: int, stage: str | None, status: str | None, *, limit: int, as_json: bool) -> None:
    """Print a search's entities at one stage, or at every stage before which a person decides."""
    load_stages()
    chosen = curated_stages() if stage is None else [curated_stage(stage)]
    wanted = None if status is None else known_decision(status)
    ready()
    searches.one(search_id)  # refuses an id that no search has
    found: list[Row] = []
    for one in chosen:
        rows = decisions.of_search(one, search_id, wanted, limit + 1 - len(found))
        found += [{"stage": one.name} | row for row in rows]
    if as_json:
        print_json(found[:limit])
    elif found:
        print_table(HEADERS, [_line(row) for row in found[:limit]], spare=LESS)
    else:
        say(f"Nothing of search {search_id} {'waits for your decision' if wanted is None else f'is {wanted}'}.")
    if len(found) > limit:
        note(f"There are more than these {limit}: name a stage with --stage, or raise --limit.")


def _line(row: Row) -> list[object]:
    words = [
        None if row[name] is None else shortened(row[name], LONGEST_CELL) for name in ("name", "address", "website")
    ]
    return [row["id"], row["stage"], *words, row["status"], f"{row['found_at']:%Y-%m-%d %H:%M}"]

"""Look at imports: a list, or one with what became of its rows and how far their work is."""

from __future__ import annotations

from typing import Any

from cli.progress_report import print_open, print_reasons, print_stages, stages_as_json
from cli.ready import ready
from cli.text import duration, note, print_json, print_table, safe, say
from cli.workers_needed import note_if_none
from pipeline import batches
from pipeline.batches import Found
from pipeline.stage import all_stages, load_stages

HEADERS = ("id", "what", "name", "mode", "status", "added", "duplicate", "rejected", "age")
LONGEST_NAME, LONGEST_ROW = 40, 120


def show_list(*, limit: int, as_json: bool) -> None:
    """Print the newest imports."""
    load_stages()
    ready()
    found = batches.newest(limit + 1)
    if as_json:
        print_json(_as_json(batch) for batch in found[:limit])
    elif found:
        print_table(HEADERS, [_line(batch) for batch in found[:limit]])
    else:
        say("Nothing has been imported yet: bring a list with `scrapersky import businesses FILE`.")
    if len(found) > limit:
        note(f"There are more than these {limit}: raise --limit.")


def _line(found: Found) -> list[object]:
    row = found.row
    name = None if row["name"] is None else safe(row["name"], LONGEST_NAME)
    return [row["id"], row["kind"], name, _mode(found), found.status, *found.counts.values(), duration(row["seconds"])]


def _mode(found: Found) -> str:
    return "auto" if found.row["auto"] else "curated"


def show_one(batch_id: int, *, as_json: bool) -> None:
    """Print what became of one import's rows, and of what descends from them."""
    load_stages()
    ready()
    found = batches.one(batch_id)
    reasons, waits = batches.reasons_given(batch_id), batches.still_open(batch_id)
    if as_json:
        print_json([_as_json(found) | {"results": found.results, "reasons": reasons, "open": waits}])
        return
    row = found.row
    say(f"Import {batch_id}: {row['kind']} rows of {row['name']} ({_mode(found)})")
    say(f"Status {found.status}, brought {duration(row['seconds'])} ago.")
    lines = [[result["result"], result["reason"] or None, result["many"]] for result in found.results]
    print_table(("result", "reason", "rows"), lines, title="What became of its rows")
    print_stages(found.progress)
    print_reasons(reasons)
    print_open(waits)
    _print_waiting(found)
    if waits:
        note_if_none()


def _print_waiting(found: Found) -> None:
    declared = {stage.name for stage in all_stages()}
    for stage, many in found.progress.waiting.items():
        if stage not in declared:
            say(f"{many} are stored; no stage goes on with them yet.")
        elif many:
            say(f"{many} wait for your decision before {stage}.")


def show_rejected(batch_id: int, *, limit: int, as_json: bool) -> None:
    """Print the rows that were rejected, as they were written."""
    ready()
    batches.one(batch_id)
    found = batches.rejected(batch_id, limit + 1)
    if as_json:
        print_json({"line": row["row_number"], "reason": row["reason"], "row": row["raw"]} for row in found[:limit])
    elif found:
        lines = [[row["row_number"], row["reason"], safe(row["raw"], LONGEST_ROW)] for row in found[:limit]]
        print_table(("line", "reason", "row"), lines)
    else:
        say("No row was rejected.")
    if len(found) > limit:
        note(f"There are more than these {limit}: raise --limit.")


def _as_json(found: Found) -> dict[str, Any]:
    kept = {name: found.row[name] for name in ("id", "kind", "name", "auto", "created_at")}
    return kept | {"status": found.status} | found.counts | stages_as_json(found.progress)

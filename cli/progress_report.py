"""Print progress: a table per stage that reconciles, the reasons of what did not go on, and what is still open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from cli.text import console, duration, print_table, safe, say, shortened
from models.work import WORK_STATUSES
from pipeline.controls import pauses
from pipeline.progress import HELD, Progress, Row
from reasons import MEANINGS

HEADERS = ("stage", "discovered", *(status.lower() for status in WORK_STATUSES))
REASONS = ("stage", "status", "reason", "many", "for example", "means")
ROOM_FOR_MEANINGS = 140
LONGEST_SAYING = 400  # its end says what to do


def print_stages(progress: Progress) -> None:
    """Print discovered = queued + processing + completed + filtered + error + cancelled, a line per stage."""
    if not progress.counts:
        say("No work has been queued for it.")
        return
    lines = [[stage, sum(counts.values()), *counts.values()] for stage, counts in progress.counts.items()]
    print_table(HEADERS, lines, title="How much is where", spare=_all_zero(lines))


def _all_zero(lines: Sequence[Sequence[object]]) -> list[str]:
    """Name the columns without which the counts still add up."""
    return [name for nth, name in enumerate(HEADERS) if nth > 1 and not any(line[nth] for line in lines)]


def print_reasons(reasons: Sequence[Row]) -> None:
    """Print why work ended without going on, and what was noted about work that ended well, each with an example."""
    _print_reasons("Why it did not go on", [row for row in reasons if row["status"] != "Completed"])
    _print_reasons("What was noted about completed work", [row for row in reasons if row["status"] == "Completed"])


def _print_reasons(title: str, rows: Sequence[Row]) -> None:
    if rows:
        shown = slice(None if console().width >= ROOM_FOR_MEANINGS else -1)
        print_table(REASONS[shown], [_reason(row)[shown] for row in rows], title=title)


def _reason(row: Row) -> list[object]:
    meaning = MEANINGS.get(row["reason"] or "")
    return [row["stage"], row["status"], row["reason"] or None, row["many"], _example(row), meaning]


def _example(row: Row) -> str:
    words = [f"work {row['work_id']}"]
    words += [f"({safe(row['name'], 40)})"] if row["name"] else []
    words += [f": {row['error']}"] if row["error"] else []
    return shortened(" ".join(words).replace(" :", ":"), LONGEST_SAYING)


def print_open(waits: Sequence[Row]) -> None:
    """Print what waits or runs, and for what."""
    if waits:
        lines = [[row["stage"], row["status"], row["many"], row["reason"], _when(row), _error(row)] for row in waits]
        print_table(("stage", "status", "many", "waits for", "next", "says"), lines, title="Still open")
        _say_pauses({row["stage"] for row in waits})


def _say_pauses(stages: Collection[str]) -> None:
    for stage, noted in pauses().items():
        if stage in stages:
            say(f"{stage} is paused: {noted or f'let it go on with `scrapersky resume {stage}`'}.")


def _when(row: Row) -> str | None:
    if row["status"] == "Processing":
        return "now"
    if row["status"] == HELD:
        return "when it is resumed"
    seconds = row["due_in_seconds"]
    return f"in {duration(seconds)}" if seconds > 1 else "due"


def _error(row: Row) -> str | None:
    return None if row["error"] is None else shortened(row["error"], LONGEST_SAYING)


def stages_as_json(progress: Progress) -> dict[str, Any]:
    """Give the same counts for a program."""
    return {
        "stages": {
            stage: {"discovered": sum(counts.values())} | {status.lower(): many for status, many in counts.items()}
            for stage, counts in progress.counts.items()
        },
        "waiting": dict(progress.waiting),
    }

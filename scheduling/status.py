"""Status: everything that runs on a clock, when it runs next, and how it went the last time."""

from __future__ import annotations

from typing import Any

from operations import jobs
from scheduling.sweeper import all_sweepers

NEVER_RUN = dict.fromkeys(("last_run_at", "last_seconds", "last_result", "last_detail", "reported_by", "reported_at"))


def all_jobs() -> list[dict[str, Any]]:
    """Give every declared sweeper, also those that have never run, and every job that a clock has told of."""
    known = {(row["kind"], row["name"]): row for row in jobs.all_jobs()}
    swept = [
        {
            **NEVER_RUN,
            **known.get(("sweeper", sweeper.name), {}),
            "name": sweeper.name,
            "kind": "sweeper",
            "trigger": sweeper.line,
            "next_run_at": sweeper.next_run_at(),
            "by_hand": sweeper.by_hand,
        }
        for sweeper in all_sweepers()
    ]
    return swept + [row | {"by_hand": None} for (kind, _), row in known.items() if kind == "clock"]

"""Search facts: how a search fares, as those are told who are not looking at a screen."""

from __future__ import annotations

from typing import Any

from pipeline.search_view import View

TOTALS = ("places", "businesses", "domains", "calls", "coverage")


def facts_of(view: View) -> dict[str, Any]:
    """Give status, counts and cost of a search; ids, counts and words of our own only."""
    row, progress = view.found.row, view.found.progress
    return {
        "search_id": row["id"],
        "status": view.found.status,
        "stages": {stage: dict(counts) for stage, counts in progress.counts.items()},
        "waiting": dict(progress.waiting),
        "contacts": dict(sorted(view.contacts.items())),
        "spent_usd": float(row["spent_usd"]),
        **{name: row[name] for name in TOTALS},
    }

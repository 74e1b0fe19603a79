"""System view: what the live part of the system page shows, and sizes in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operations import alarms, figures
from scheduling import by_hand, status
from scheduling.invariants import RULES

UNITS = ("bytes", "KB", "MB", "GB", "TB")
MOST_ENDED = 100


def look() -> dict[str, Any]:
    """Read how workers, rules, jobs and alarms stand; five cheap queries."""
    checks = {row["name"]: row for row in figures.invariant_checks()}
    return {
        "workers": [_worker(row) for row in figures.workers()],
        "rules": [(rule, checks.get(rule.name)) for rule in RULES],
        "jobs": [(_title(row), row) for row in status.all_jobs()],
        "ringing": alarms.ringing(),
        "watched_at": alarms.watched_at(),
        "may_run": by_hand.is_open(),
    }


def ended_alarms() -> list[alarms.Alarm]:
    """Give the alarms that are over, the newest first."""
    return [alarm for alarm in alarms.all_alarms() if alarm.ended_at is not None][:MOST_ENDED]


def size(many: float | None) -> str | None:
    """Write a number of bytes."""
    if many is None:
        return None
    for unit in UNITS:
        if many < 1000 or unit == UNITS[-1]:
            break
        many /= 1000
    return f"{many:,.0f} {unit}" if many >= 100 or unit == "bytes" else f"{many:,.1f} {unit}"


def _worker(row: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a worker runs by stage: hundreds of numbers would tell less."""
    by_stage: dict[str, int] = {}
    for running in row["running"]:
        by_stage[running["stage"]] = by_stage.get(running["stage"], 0) + 1
    longest = max((running["seconds"] for running in row["running"]), default=None)
    return {**row, "by_stage": sorted(by_stage.items()), "longest": longest}


def _title(row: Mapping[str, Any]) -> str:
    """Name a job for people; that of a schedule leads to it."""
    return str(row["name"]).replace("_", " ").replace("-", " ")

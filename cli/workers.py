"""Workers: which processes hold a lease, whether they are alive, and what they run."""

from __future__ import annotations

from cli.ready import ready
from cli.text import duration, print_json, print_table, say
from operations import figures
from operations.figures import Row

HEADERS = ("host", "pid", "state", "last beat", "up", "queues", "running")
MOST_SHOWN = 5


def show(*, as_json: bool) -> None:
    """Print one line per worker process; dead ones stay visible for an hour."""
    ready()
    workers = figures.workers()
    if as_json:
        print_json(workers)
    elif workers:
        print_table(HEADERS, [_line(worker) for worker in workers])
    else:
        say("No worker has a lease: start some with `scrapersky up`.")


def _line(worker: Row) -> list[object]:
    return [
        worker["host"],
        worker["pid"],
        "alive" if worker["alive"] else "dead",
        f"{duration(worker['beat_seconds'])} ago",
        duration(worker["up_seconds"]),
        ", ".join(worker["queues"]),
        _running(worker["running"]),
    ]


def _running(work: list[Row]) -> str | None:
    shown = [f"{row['stage']} {row['work']} ({duration(row['seconds'])})" for row in work[:MOST_SHOWN]]
    more = [f"and {len(work) - MOST_SHOWN} more"] if len(work) > MOST_SHOWN else []
    return ", ".join(shown + more) or None

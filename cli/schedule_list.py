"""Look at schedules: all of them, the next times of one, and what became of its ticks."""

from __future__ import annotations

from cli.ready import ready
from cli.text import note, print_json, print_table, safe, say
from pipeline.stage import load_stages
from scheduling import schedules
from scheduling.schedules import MOST_SCHEDULES, Row
from settings import settings

HEADERS = ("id", "name", "does", "for", "when", "next", "last", "state")
NEXT_HEADERS = ("in UTC", "there")
FIRE_HEADERS = ("due", "dealt with", "result", "queued", "by hand", "error")
LONGEST_CELL = 60


def show(*, as_json: bool) -> None:
    """Print every schedule."""
    load_stages()
    ready()
    rows = schedules.page(settings().default_tenant_id, {}, limit=MOST_SCHEDULES).rows
    if as_json:
        print_json(rows)
    elif rows:
        print_table(HEADERS, [_line(row) for row in rows])
    else:
        say("There is no schedule: add one with `scrapersky schedule add NAME --search ID --cron '0 9 * * 1'`.")
    for row in rows:
        if row["trouble"] is not None:
            note(f"Schedule {row['id']} cannot be read: {row['trouble']}")


def _line(row: Row) -> list[object]:
    first = next(iter(row["next_runs"]), None)
    last = row["last_fire"]
    return [
        row["id"],
        safe(row["name"], LONGEST_CELL),
        row["action"],
        f"{row['stage']} {row['entity_id']}",
        f"{row['cron']} {row['timezone']}" if row["cron"] else f"every {row['interval_seconds']}s",
        None if first is None else f"{first['local']:%Y-%m-%d %H:%M %Z}",
        None if last is None else last["result"],
        "on" if row["enabled"] else "paused",
    ]


def show_next(schedule_id: int, *, count: int, as_json: bool) -> None:
    """Print when one schedule is due next."""
    load_stages()
    ready()
    row = schedules.one(settings().default_tenant_id, schedule_id)
    found = schedules.outlook(row, count)
    if as_json:
        print_json(found)
    else:
        print_table(
            NEXT_HEADERS,
            [[f"{run['at']:%Y-%m-%d %H:%M:%S}", f"{run['local']:%a %Y-%m-%d %H:%M:%S %Z}"] for run in found],
        )
    if not row["enabled"]:
        note(f"Schedule {schedule_id} is paused: it fires at none of them.")


def show_fires(schedule_id: int, *, limit: int, as_json: bool) -> None:
    """Print what became of the newest ticks."""
    load_stages()
    ready()
    rows = schedules.fires(settings().default_tenant_id, schedule_id, limit=limit).rows
    if as_json:
        print_json(rows)
    elif rows:
        print_table(FIRE_HEADERS, [_fire_line(row) for row in rows])
    else:
        say(f"Schedule {schedule_id} has not fired yet.")


def _fire_line(row: Row) -> list[object]:
    times = [f"{row[name]:%Y-%m-%d %H:%M:%S}" for name in ("fire_at", "fired_at")]
    error = None if row["error"] is None else safe(row["error"], LONGEST_CELL)
    return [*times, row["result"], row["queued_count"], "yes" if row["by_hand"] else None, error]

"""Add, fire, pause, resume and remove schedules, and say what that did."""

from __future__ import annotations

from datetime import datetime, timedelta

from cli.ready import ready
from cli.text import safe, say
from errors import BadInput
from pipeline.children import clean
from pipeline.stage import load_stages
from scheduling import changes
from scheduling.schedules import Row
from scheduling.wish import Wish


def add(
    name: str,
    entity_id: int,
    *,
    stage: str,
    refresh: bool,
    cron: str | None,
    every: timedelta | None,
    starts: str | None,
    zone: str,
    grace: timedelta | None,
    catch_up: str,
) -> None:
    """Store a schedule and say when it is due."""
    _prepare()
    wanted = Wish(
        clean(name),
        entity_id,
        stage,
        "refresh" if refresh else "run",
        cron,
        None if every is None else int(every.total_seconds()),
        _moment(starts),
        zone,
        misfire_grace_seconds=int((grace or timedelta()).total_seconds()),
        catch_up=catch_up,
    )
    row = changes.add(wanted)
    say(f"Schedule {row['id']} is added. {_when(row)} `scrapersky up` runs the clock.")


def run(schedule_id: int) -> None:
    """Fire now."""
    _prepare()
    fired = changes.run_now(schedule_id)
    said = f"Schedule {schedule_id}: {fired.result}, {fired.queued_count} queued."
    say(said if fired.error is None else f"{said} {fired.error}")


def pause(schedule_id: int) -> None:
    """Have it fire no more."""
    _prepare()
    changes.pause(schedule_id)
    say(f"Schedule {schedule_id} is paused. Go on with `scrapersky schedule resume {schedule_id}`.")


def resume(schedule_id: int) -> None:
    """Have it fire again."""
    _prepare()
    say(f"Schedule {schedule_id} is on. {_when(changes.resume(schedule_id))}")


def remove(schedule_id: int) -> None:
    """Remove it."""
    _prepare()
    row = changes.remove(schedule_id)
    say(f"Schedule {schedule_id} ({safe(row['name'], 60)}) is removed with its history.")


def _when(row: Row) -> str:
    first = next(iter(row["next_runs"]), None)
    return "It is never due." if first is None else f"It is due {first['local']:%A %Y-%m-%d %H:%M %Z} first."


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise BadInput(f"{safe(text, 40)!r} is no moment: write it like 2027-01-31T09:00+01:00.")
    return moment


def _prepare() -> None:
    load_stages()
    ready(broker=True)

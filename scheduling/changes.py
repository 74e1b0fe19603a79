"""Changes: what people do to schedules, each with its entry in the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from accounts import audit
from accounts.caller import Caller
from pipeline.children import plain
from pipeline.database import Connection, transaction
from scheduling import fire, schedules
from scheduling.fire import Fire
from scheduling.schedules import Row
from scheduling.wish import Wish
from settings import settings

ENTITY = "schedules"
PAUSE, RESUME = {"enabled": False}, {"enabled": True}


def add(wanted: Wish, *, caller: Caller | None = None) -> Row:
    """Store a schedule."""
    with transaction() as (_, connection):
        row = schedules.add(connection, _tenant(caller), wanted, by=None if caller is None else caller.user_id)
        _note(connection, caller, "create", row["id"], asdict(wanted))
    return row


def change(
    schedule_id: int, changes: Mapping[str, Any], *, action: str = "update", caller: Caller | None = None
) -> Row:
    """Change a schedule, and keep how it was."""
    with transaction() as (_, connection):
        before, row = schedules.change(connection, _tenant(caller), schedule_id, changes)
        _note(connection, caller, action, schedule_id, {"before": {name: before[name] for name in changes}})
    return row


def pause(schedule_id: int, *, caller: Caller | None = None) -> Row:
    """Have a schedule fire no more until it is resumed."""
    return change(schedule_id, PAUSE, action="pause", caller=caller)


def resume(schedule_id: int, *, caller: Caller | None = None) -> Row:
    """Have a schedule fire again, from now on: what was due meanwhile is not owed."""
    return change(schedule_id, RESUME, action="resume", caller=caller)


def remove(schedule_id: int, *, caller: Caller | None = None) -> Row:
    """Remove a schedule with its history."""
    with transaction() as (_, connection):
        row = schedules.remove(connection, _tenant(caller), schedule_id)
        _note(connection, caller, "delete", schedule_id, {"before": row})
    return row


def run_now(schedule_id: int, *, caller: Caller | None = None) -> Fire:
    """Fire a schedule now, out of turn; its timetable stays as it is."""
    with transaction() as (_, connection):
        fired, outcome = fire.by_hand(connection, _tenant(caller), schedule_id)
        _note(connection, caller, "run", schedule_id, {"result": fired.result, "queued_count": fired.queued_count})
    fire.ring(outcome)
    return fired


def _note(
    connection: Connection, caller: Caller | None, action: str, schedule_id: int, detail: Mapping[str, Any]
) -> None:
    audit.note(connection, caller, action, ENTITY, plain(detail), entity_id=schedule_id)


def _tenant(caller: Caller | None) -> UUID:
    """Give whose schedules are meant: the caller's, or those of the person at the keyboard."""
    return settings().default_tenant_id if caller is None else caller.tenant_id

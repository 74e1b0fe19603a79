"""Work: look at one piece with all that belongs to it; start work anew or end it, counted and noted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from accounts import audit
from accounts.caller import Caller
from errors import Conflict, NotFound
from operations import lineage, work_list
from operations.figures import Row
from pipeline import selection
from pipeline.database import Connection
from pipeline.selection import Match

MOST_IDS_NOTED = 1000


@dataclass(frozen=True, slots=True)
class Action:
    """What is done to work, in the words it is noted and refused with."""

    name: str
    done: str
    takes: str
    run: Callable[..., int]


RETRY = Action("retry", "retried", "has ended", selection.retry)
CANCEL = Action("cancel", "cancelled", "waits or runs", selection.cancel)
GIVE_UP = Action("cancel", "cancelled", "has failed", selection.give_up)


@dataclass(frozen=True, slots=True)
class Changed:
    """How much an action would touch, and how much it has."""

    matched_count: int
    changed_count: int


def one(tenant_id: UUID, work_id: int) -> Row:
    """Give a piece of work with its entity's name, its failures, where it came from and what came of it."""
    row = _row(tenant_id, work_id)
    (named,) = work_list.name_entities(tenant_id, [row])
    return named | {
        "failures": lineage.failures([work_id], tenant_id)[work_id],
        "ancestors": lineage.ancestors(work_id, tenant_id),
        "children": lineage.children_by_status(work_id, tenant_id),
    }


def _row(tenant_id: UUID, work_id: int) -> Row:
    found = work_list.page(Match(ids=[work_id], tenant_id=tenant_id), limit=1).rows
    if not found:
        raise NotFound(f"There is no work {work_id}.")
    return found[0]


def act(action: Action, match: Match, *, caller: Caller | None = None, dry_run: bool = False) -> Changed:
    """Do it to all that matches, in one statement, and note who did; or only count."""
    if dry_run:
        return Changed(action.run(match, dry_run=True), 0)
    many = action.run(match, note=partial(_note, action, match, caller))
    return Changed(many, many)


def act_on_one(action: Action, tenant_id: UUID, work_id: int, *, caller: Caller | None = None) -> Row:
    """Do it to one piece of work, and give what it is then; refuse when its status does not allow it."""
    before = _row(tenant_id, work_id)["status"]
    if act(action, Match(ids=[work_id], tenant_id=tenant_id), caller=caller).changed_count == 0:
        raise Conflict(f"Work {work_id} is {before}: only work that {action.takes} can be {action.done}.")
    return one(tenant_id, work_id)


def _note(action: Action, match: Match, caller: Caller | None, connection: Connection, many: int) -> None:
    """Leave an entry, unless nothing was changed."""
    if many:
        ids = list(match.ids or ())
        detail = {"changed_count": many, **_told(match)}
        audit.note(connection, caller, action.name, "work", detail, entity_id=ids[0] if len(ids) == 1 else None)


def _told(match: Match) -> dict[str, Any]:
    """Say what was meant, as far as that is short."""
    told: dict[str, Any] = {
        "stage": match.stage,
        "status": match.status,
        "reason": match.reason,
        "error": match.error,
        "older_than_seconds": None if match.older_than is None else match.older_than.total_seconds(),
        "host": match.lane,
        "worker_id": None if match.worker_id is None else str(match.worker_id),
        "parent_id": match.parent_id,
        "ids": None if match.ids is None else list(match.ids)[:MOST_IDS_NOTED],
        "all": match.everything or None,
    }
    return {name: value for name, value in told.items() if value is not None}

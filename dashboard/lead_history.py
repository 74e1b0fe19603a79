"""Lead history: what people did with a row and what the machine did about it, the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts import audit_log
from accounts.caller import Caller
from dashboard.words import title_of
from entities import row_history
from entities.entity import Entity
from leads.journey_facts import Hop

MOST = 100
LONGEST = 300
# Shown as decisions, with what was before.
TOLD_OTHERWISE = ("curate",)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: `kind` is how it looks, `work_id` the work that did it."""

    at: datetime
    what: str
    kind: str = "plain"
    who: str | None = None
    lines: tuple[str, ...] = ()
    reason: str | None = None
    work_id: int | None = None


def events(caller: Caller, entity: Entity, row_id: int, hops: Iterable[Hop]) -> list[Event]:
    """Gather decisions, changes and work; who did what is for those alone who may read the audit log."""
    may_know = "administer" in caller.scopes
    found = [*_decisions(caller, entity, row_id, may_know), *_work(hops)]
    if may_know:
        found += _changes(caller, entity, row_id)
    return sorted(found, key=lambda event: event.at, reverse=True)[:MOST]


def _decisions(caller: Caller, entity: Entity, row_id: int, may_know: bool) -> Iterator[Event]:
    for row in row_history.decisions(caller.tenant_id, entity.name, row_id):
        others = row["updated_count"] - 1
        lines = [f"It was {row['before']} before."]
        lines += [f"Together with {others:,} others."] if others > 0 else []
        who = row["user_email"] if may_know else None
        yield Event(row["at"], f"Decided: {row['status']}", "good", who, tuple(lines))
        if row["undone_at"]:
            yield Event(row["undone_at"], f"Taken back: {row['status']}", "wait")


def _changes(caller: Caller, entity: Entity, row_id: int) -> Iterator[Event]:
    wanted = audit_log.Wanted(entity=entity.name, entity_id=row_id)
    for row in audit_log.list_entries(caller.tenant_id, wanted, limit=MOST, total=False).rows:
        if row["action"] not in TOLD_OTHERWISE:
            who = row["user_email"] or row["api_key_name"]
            yield Event(row["at"], row["action"].capitalize(), "plain", who, tuple(_told(row["detail"])))


def _told(detail: Mapping[str, Any]) -> Iterator[str]:
    """Write what was changed, one thing a line."""
    before, after = detail.get("before"), detail.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        yield from (f"{name}: {_short(before.get(name))} → {_short(value)}" for name, value in after.items())
        return
    yield from (f"{name}: {_short(value)}" for name, value in detail.items() if value not in (None, [], {}))


def _short(value: Any) -> str:
    text = "nothing" if value in (None, "") else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def _work(hops: Iterable[Hop]) -> Iterator[Event]:
    for hop in hops:
        # A failure is written down after the work has ended; people read it the other way round.
        at = max(hop.finished_at or hop.started_at or hop.queued_at, *(each.at for each in hop.troubles), hop.queued_at)
        yield Event(at, f"{title_of(hop.stage)} {hop.status}", hop.status, None, (), hop.reason, hop.work_id)
        for trouble in reversed(hop.troubles):
            what = f"Attempt {trouble.attempt} of {title_of(hop.stage)} failed"
            lines = (_short(trouble.error),) if trouble.error else ()
            yield Event(trouble.at, what, "bad", None, lines, trouble.reason, hop.work_id)

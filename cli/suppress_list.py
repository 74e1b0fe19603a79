"""Look into the suppression list, add to it and take from it, value by value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cli.ready import ready
from cli.text import note, print_json, print_table, safe, say
from errors import BadInput
from leads import suppression_check, suppression_list
from leads.subjects import Subject, known_kind, subjects_of
from models.suppression import SUPPRESSION_KINDS
from settings import settings

HEADERS = ("id", "kind", "hash", "reason", "erased", "since")


def add(values: Sequence[str], *, kind: str | None, reason: str | None, region: str) -> None:
    """Add values and say which were new."""
    subjects = subjects_of(values, kind=kind, region=region)
    ready()
    added = suppression_list.add(_tenant(), subjects, reason=reason)
    for subject in subjects:
        say(f"{_shown(subject)} is on the list{'' if subject in added else ' already'}.")


def remove(values: Sequence[str], *, kind: str | None, region: str, erased: bool) -> None:
    """Remove values, and refuse when none of them is there."""
    subjects = subjects_of(values, kind=kind, region=region, kinds=SUPPRESSION_KINDS)
    ready()
    removed = suppression_list.remove(_tenant(), subjects, erased=erased)
    if not removed:
        raise BadInput("Nothing was removed: none of this is on the list.")
    for subject in subjects:
        say(f"{_shown(subject)} {'is off the list' if subject in removed else 'was not on the list'}.")


def check(values: Sequence[str], *, kind: str | None, region: str, as_json: bool) -> bool:
    """Say of each value how it is covered, and tell whether all are."""
    subjects = subjects_of(values, kind=kind, region=region, kinds=SUPPRESSION_KINDS)
    ready()
    found = suppression_check.check(_tenant(), subjects)
    if as_json:
        print_json(found)
    else:
        print_table(("value", "kind", "state", "reason"), [list(row.values()) for row in found])
    return all(row["state"] != "not listed" for row in found)


def show(*, kind: str | None, limit: int, as_json: bool) -> None:
    """Print the newest entries."""
    wanted = None if kind is None else known_kind(kind, SUPPRESSION_KINDS)
    ready()
    rows = suppression_list.newest(_tenant(), limit + 1, wanted)
    if as_json:
        print_json(rows[:limit])
    elif rows:
        print_table(HEADERS, [_line(row) for row in rows[:limit]])
    else:
        say("Nobody is on the list: add with `scrapersky suppress add VALUE`.")
    if len(rows) > limit:
        note(f"There are more than these {limit}: raise --limit.")


def _line(row: dict[str, Any]) -> list[object]:
    since = row["created_at"].strftime("%Y-%m-%d %H:%M")
    return [row["id"], row["kind"], row["value_hash"], row["reason"], "yes" if row["is_erased"] else None, since]


def _shown(subject: Subject) -> str:
    return f"{subject.kind} {safe(subject.value, 100)}"


def _tenant() -> Any:
    return settings().default_tenant_id

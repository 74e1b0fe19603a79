"""Retry or cancel work: count first, ask when it is more than what was named by id, then act."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import typer

from cli.ready import ready
from cli.text import say
from errors import BadInput
from operations import figures, work
from pipeline.selection import Match

STATUS_OF = "SELECT id, status FROM work WHERE id = ANY(%(ids)s)"


@dataclass(frozen=True)
class Action:
    """What is done to work, in the words it is reported with."""

    verb: str
    done: str
    what: work.Action


RETRY = Action("retry", "Queued anew", work.RETRY)
CANCEL = Action("cancel", "Cancelled", work.CANCEL)


def act(action: Action, match: Match, *, dry_run: bool, yes: bool) -> None:
    """Do it to everything that matches, or only count."""
    match.sql()  # refuses an unknown stage or status, and no condition at all, before anything is started
    ready(broker=not dry_run)
    statuses = _statuses(match)
    count = work.act(action.what, match, dry_run=True).matched_count
    if count == 0:
        say(f"Nothing to {action.verb}{_why_nothing(statuses)}.")
    elif dry_run:
        say(f"This would {action.verb} {_pieces(count)}.")
    elif _is_agreed(action, match, count, yes=yes):
        say(f"{action.done}: {_pieces(work.act(action.what, match).changed_count)}.")


def _statuses(match: Match) -> dict[int, str]:
    """Give the status of every id that was named; refuse ids that do not exist."""
    found = {row["id"]: row["status"] for row in figures.rows(STATUS_OF, {"ids": list(match.ids or [])})}
    missing = [str(work_id) for work_id in match.ids or [] if work_id not in found]
    if missing:
        raise BadInput(f"There is no work {', '.join(missing)}: `scrapersky work list` shows what there is.")
    return found


def _why_nothing(statuses: dict[int, str]) -> str:
    if not statuses:
        return ": no such work matches"
    return ": " + ", ".join(f"work {work_id} is {status}" for work_id, status in sorted(statuses.items()))


def _is_agreed(action: Action, match: Match, count: int, *, yes: bool) -> bool:
    if yes or match.ids is not None:
        return True
    if not sys.stdin.isatty():
        raise BadInput(f"This would {action.verb} {_pieces(count)}: add --yes to go on without being asked.")
    return typer.confirm(f"This will {action.verb} {_pieces(count)}. Go on?")


def _pieces(count: int) -> str:
    return f"{count} piece of work" if count == 1 else f"{count} pieces of work"

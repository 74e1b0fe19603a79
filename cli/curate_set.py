"""Decide on what waits: count first, ask when it is more than what was named by id, then decide."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import typer

from cli.ready import ready
from cli.text import say
from entities import curate
from entities.chosen import Chosen
from entities.curate import Decided, Decision
from errors import BadInput
from pipeline import decisions, searches
from pipeline.decisions import curated_stage, known_decision
from pipeline.stage import Stage, load_stages


@dataclass(frozen=True, slots=True)
class Wanted:
    """On what to decide: ids, or everything of a search."""

    ids: Sequence[int] = ()
    search_id: int | None = None
    everything: bool = False
    status: str | None = None

    def check(self) -> None:
        """Refuse what names nothing, too much, or two things at once."""
        if self.ids and (self.search_id is not None or self.everything or self.status is not None):
            raise BadInput("Name ids, or all of a search with --search ID --all, not both.")
        if not self.ids and (self.search_id is None or not self.everything):
            raise BadInput("Say on what to decide: name ids, or all of a search with --search ID --all.")


def decide(stage_name: str, wanted: Wanted, decision: str, *, dry_run: bool, yes: bool) -> None:
    """Set the decision and say what it did, or only count."""
    load_stages()
    stage, status = curated_stage(stage_name), known_decision(decision)
    wanted.check()
    now = None if wanted.status is None else known_decision(wanted.status)
    ready(broker=not dry_run)
    ids = _named(stage, wanted.ids) if wanted.search_id is None else _of_search(stage, wanted.search_id, now)
    what = f"mark {len(ids)} as {status} before {stage.name}"
    if dry_run:
        say(f"This would {what}.")
    elif wanted.ids or yes or _is_agreed(what):
        _tell(curate.decide(None, stage.table, Decision(status, Chosen(ids=ids), stage=stage.name)), status)


def _named(stage: Stage, ids: Sequence[int]) -> list[int]:
    decisions.check_ids(stage, ids)
    return list(dict.fromkeys(ids))


def _of_search(stage: Stage, search_id: int, status: str | None) -> list[int]:
    searches.one(search_id)  # refuses an id that no search has
    ids = decisions.ids_of_search(stage, search_id, status)
    if not ids:
        what = "waits for your decision" if status is None else f"is {status}"
        raise BadInput(
            f"Nothing of search {search_id} {what} before {stage.name}:"
            f" `scrapersky curate list {search_id}` shows what waits."
        )
    return ids


def _is_agreed(what: str) -> bool:
    if not sys.stdin.isatty():
        raise BadInput(f"This would {what}: add --yes to go on without being asked.")
    return typer.confirm(f"This will {what}. Go on?")


def _tell(done: Decided, status: str) -> None:
    rest = done.updated_count - done.queued_count
    why = f"; {rest} {'was' if rest == 1 else 'were'} queued or running already" if rest > 0 else ""
    did = f"selected, {done.queued_count} queued{why}" if status == "Selected" else f"marked {status}"
    say(f"{done.updated_count} {did}.")
    say(f"This is operation {done.operation_id}: `scrapersky curate undo {done.operation_id}` takes it back.")

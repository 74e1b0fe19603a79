"""`scrapersky curate`: see what waits for your decision, decide, and take it back."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id

app = typer.Typer(help="See what waits for your decision, decide, and take it back.", no_args_is_help=True)

STATUSES = "New, Selected, Maybe, 'Not a Fit' or Archived"
Ids = Annotated[list[int] | None, typer.Argument(metavar="[ID]...", help="Ids to decide on.", parser=read_id)]


@app.command(name="list")
def list_(
    search: Annotated[int, typer.Argument(metavar="SEARCH", help="The search's id.", parser=read_id)],
    stage: Annotated[str | None, typer.Option(help="Only what waits before this stage.")] = None,
    status: Annotated[str | None, typer.Option(help=f"{STATUSES}; without it, what waits.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many, the first found.", min=1, max=100_000)] = 50,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List what of a search waits for your decision, stage by stage."""
    from cli import curate_list

    curate_list.show(search, stage, status, limit=limit, as_json=json)


@app.command(name="set")
def set_(
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="The stage before which it waits.")],
    decision: Annotated[str, typer.Option("--as", help=f"{STATUSES}; only Selected starts work, none stops any.")],
    ids: Ids = None,
    search: Annotated[int | None, typer.Option(help="Of this search, with --all.", parser=read_id)] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of the search that waits before the stage.")] = False,
    status: Annotated[str | None, typer.Option(help="With --all: what has this status instead.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Decide on what waits before a stage: by id, or all of a search with a count first."""
    from cli import curate_set
    from cli.curate_set import Wanted

    wanted = Wanted(ids=ids or [], search_id=search, everything=everything, status=status)
    curate_set.decide(stage, wanted, decision, dry_run=dry_run, yes=yes)


@app.command()
def undo(
    operation: Annotated[int, typer.Argument(metavar="OPERATION", help="The number that `set` gave.", parser=read_id)],
) -> None:
    """Take a decision back, once: its rows are as before, and what it queued and has not begun does not run."""
    from cli import curate_undo

    curate_undo.undo(operation)

"""`scrapersky work`: list, show, retry and cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.ids import read_id

if TYPE_CHECKING:
    from pipeline.selection import Match

app = typer.Typer(help="List, show, retry and cancel pieces of work.", no_args_is_help=True)

Ids = Annotated[list[int] | None, typer.Argument(metavar="[ID]...", help="Ids of work.", parser=read_id)]
StageOption = Annotated[str | None, typer.Option("--stage", help="Only this stage.")]
StatusOption = Annotated[
    str | None, typer.Option("--status", help="queued, processing, completed, filtered, error or cancelled.")
]
ReasonOption = Annotated[str | None, typer.Option("--reason", help="Only this reason, such as robots-denied.")]
ErrorOption = Annotated[str | None, typer.Option("--error", help="Only where the error text contains this.")]
AgeOption = Annotated[
    str | None, typer.Option("--older-than", help="Only what ended, or was queued, so long ago: 30m, 2h, 1d.")
]
AllOption = Annotated[bool, typer.Option("--all", help="Everything, without any condition.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Count and change nothing.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command(name="list")
def list_(
    stage: StageOption = None,
    status: StatusOption = None,
    reason: ReasonOption = None,
    error: ErrorOption = None,
    older_than: AgeOption = None,
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1, max=100_000)] = 50,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List work, the newest first."""
    from cli import work_list

    match = _match(None, stage, status, reason, error, older_than, everything=True)
    work_list.show_list(match, limit=limit, as_json=json)


@app.command()
def show(work_id: Annotated[int, typer.Argument(metavar="ID", help="The work's id.", parser=read_id)]) -> None:
    """Show one piece of work: its row, its entity, its failures and its lineage."""
    from cli import work_list
    from pipeline.stage import load_stages

    load_stages()
    work_list.show_one(work_id)


@app.command()
def retry(
    ids: Ids = None,
    stage: StageOption = None,
    status: StatusOption = None,
    reason: ReasonOption = None,
    error: ErrorOption = None,
    older_than: AgeOption = None,
    everything: AllOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Start ended work anew: what failed, unless you name a status or ids."""
    from cli import work_actions

    match = _match(ids, stage, status, reason, error, older_than, everything=everything)
    work_actions.act(work_actions.RETRY, match, dry_run=dry_run, yes=yes)


@app.command()
def cancel(
    ids: Ids = None,
    stage: StageOption = None,
    status: StatusOption = None,
    reason: ReasonOption = None,
    error: ErrorOption = None,
    older_than: AgeOption = None,
    everything: AllOption = False,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """End work that waits or runs; a worker that is running it finds its result refused."""
    from cli import work_actions

    match = _match(ids, stage, status, reason, error, older_than, everything=everything)
    work_actions.act(work_actions.CANCEL, match, dry_run=dry_run, yes=yes)


def _match(
    ids: list[int] | None,
    stage: str | None,
    status: str | None,
    reason: str | None,
    error: str | None,
    older_than: str | None,
    *,
    everything: bool,
) -> Match:
    """Check what was typed, so that a wrong word is refused rather than matching nothing."""
    from cli.text import read_duration
    from pipeline.children import clean
    from pipeline.selection import Match, known_status
    from pipeline.stage import load_stages, stage_named

    load_stages()
    return Match(
        ids=ids or None,
        stage=None if stage is None else stage_named(stage).name,
        status=None if status is None else known_status(status),
        reason=clean(reason),
        error=clean(error),
        older_than=read_duration(older_than),
        everything=everything,
    )

"""`scrapersky search`: start one, list them, show what became of one."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id
from cli.search_options import Box, Budget, Mode, Most, Near, Provider, Radius, What

app = typer.Typer(help="Search for businesses, and see what became of a search.", no_args_is_help=True)

Id = Annotated[int, typer.Argument(metavar="ID", help="The search's id.", parser=read_id)]


@app.command()
def start(
    what: What,
    near: Near = None,
    radius: Radius = None,
    box: Box = None,
    provider: Provider = None,
    mode: Mode = "auto",
    most: Most = 200,
    budget: Budget = "2.00",
) -> None:
    """Start a search; it runs on its own from here."""
    from cli import search_start

    search_start.start(
        what, near=near, radius=radius, box=box, provider=provider, mode=mode, max_places=most, budget=budget
    )


@app.command(name="list")
def list_(
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1, max=1000)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List searches, the newest first, with their status, what they found and what they cost."""
    from cli import search_report

    search_report.show_list(limit=limit, as_json=json)


@app.command()
def budget(search_id: Id, usd: Annotated[str, typer.Argument(metavar="USD", help="At most so many dollars.")]) -> None:
    """Change how much a search may cost; what waits for money goes on."""
    from cli import search_start

    search_start.set_budget(search_id, usd)


@app.command()
def show(
    search_id: Id,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show one search: coverage, cost, how much of it is where, and why what did not go on did not."""
    from cli import search_report

    search_report.show_one(search_id, as_json=json)


@app.command()
def pause(search_id: Id) -> None:
    """Hold a search with everything below it; what is running finishes first."""
    from cli import search_steer

    search_steer.pause(search_id)


@app.command()
def resume(search_id: Id) -> None:
    """Let a paused search go on."""
    from cli import search_steer

    search_steer.resume(search_id)


@app.command()
def cancel(
    search_id: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
) -> None:
    """End a search with everything below it; what was found stays."""
    from cli import search_steer

    search_steer.cancel(search_id, yes=yes)

"""The commands that run something: everything, one search, the demo, one process; and the screen to watch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.ids import read_id
from cli.search_options import Box, Budget, Mode, Most, Near, Provider, Radius, What

app = typer.Typer()


@app.command(rich_help_panel="Run")
def up() -> None:
    """Run everything here: servers where none are set, schema, web, workers, sweepers and clock."""
    from cli import up

    up.up()


@app.command(rich_help_panel="Run")
def run(
    what: What,
    near: Near = None,
    radius: Radius = None,
    box: Box = None,
    provider: Provider = None,
    mode: Mode = "auto",
    most: Most = 200,
    budget: Budget = "2.00",
    output: Annotated[
        Path | None, typer.Option(help="Where the leads go: .csv, .xlsx, .jsonl or .vcf; leads-ID.csv by default.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Search anew for what was searched for before.")] = False,
) -> None:
    """Search, read the sites, and write the leads, all in one; Ctrl-C pauses, and the same command goes on."""
    from cli import run

    wishes = {"near": near, "radius": radius, "box": box, "provider": provider, "mode": mode}
    run.run(what, **wishes, max_places=most, budget=budget, output=output, again=again)


@app.command(rich_help_panel="Run")
def demo(
    businesses: Annotated[int, typer.Option(min=1, max=10_000, help="How many businesses the world has.")] = 60,
    seed: Annotated[int, typer.Option(help="Another seed gives another world.")] = 1,
    keep: Annotated[bool, typer.Option("--keep", help="Leave everything running at the end, until Ctrl-C.")] = False,
) -> None:
    """Show the whole product on a made-up world: search, sites, contacts, leads, and how right they are."""
    from cli import demo

    demo.demo(businesses, seed, keep=keep)


@app.command(rich_help_panel="Watch and steer")
def watch(
    search_id: Annotated[
        int | None,
        typer.Argument(metavar="[SEARCH]", parser=read_id, help="Its id; the newest if none is named."),
    ] = None,
) -> None:
    """Show a search while it runs; Ctrl-C leaves it running."""
    from cli import watch

    watch.watch(search_id)


@app.command(rich_help_panel="Run")
def serve() -> None:
    """Run the web process."""
    from cli import serve

    serve.serve()


@app.command(rich_help_panel="Run")
def supervise(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="What to run, after `--`.")],
    copies: Annotated[int, typer.Option(help="How many copies to keep running.", min=1, max=256)] = 1,
) -> None:
    """Keep copies of a command running, and restart what exits; {drain_ms} in it stands for DRAIN_SECONDS."""
    import logs
    from cli.supervise import DRAIN_MILLISECONDS, STOP_GRACE_SECONDS, supervise
    from settings import settings

    logs.configure()
    drain = settings().drain_seconds
    told = [word.replace(DRAIN_MILLISECONDS, str(int(drain * 1000))) for word in command]
    supervise(told, copies=copies, stop_within_seconds=drain + STOP_GRACE_SECONDS)

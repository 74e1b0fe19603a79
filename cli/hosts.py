"""`scrapersky hosts`: how politely each site is treated; list, show and clear."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="List sites with their gap, next visit, rest and robots.txt.", invoke_without_command=True)

HostName = Annotated[str, typer.Argument(metavar="HOST", help="A host name, such as www.foo.com.")]


@app.callback()
def list_(
    context: typer.Context,
    blocked: Annotated[bool, typer.Option("--blocked", help="Only hosts that rest now.")] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1, max=100_000)] = 50,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List sites with their gap, next visit, rest and robots.txt; those that rest now come first."""
    if context.invoked_subcommand is None:
        from cli import host_list

        host_list.show_list(blocked=blocked, limit=limit, as_json=json)


@app.command()
def show(host: HostName) -> None:
    """Show one site: its lane, and the robots.txt of each of its names."""
    from cli import host_list

    host_list.show_one(host)


@app.command()
def clear(host: HostName) -> None:
    """Forget a site's rest, robots.txt and stretched gap, so that it is asked anew."""
    from cli import host_list

    host_list.clear(host)

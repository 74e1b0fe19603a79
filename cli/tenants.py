"""`scrapersky tenant`: customers who share this installation."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="Add customers who share this installation and see nothing of one another.", no_args_is_help=True
)


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the tenant is called.")],
    admin: Annotated[str, typer.Option(metavar="EMAIL", help="The address of its first admin.")],
) -> None:
    """Add a tenant with its first admin, and print the admin's one-time link."""
    from cli import tenants_list

    tenants_list.add(name, admin)


@app.command(name="list")
def list_(json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False) -> None:
    """Show the tenants and how much each has."""
    from cli import tenants_list

    tenants_list.show(as_json=json)

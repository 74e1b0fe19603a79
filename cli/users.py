"""`scrapersky user`: who may use the API."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Add the people who may log in, and give them a way in.", no_args_is_help=True)

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The address they log in with.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@app.command()
def add(
    email: Email,
    role: Annotated[str, typer.Option(help="viewer, curator or admin.")] = "viewer",
    name: Annotated[str | None, typer.Option(help="What they are called.")] = None,
) -> None:
    """Add a user, and print a one-time link with which they set a password."""
    from cli import users_list

    users_list.add(email, role=role, name=name)


@app.command(name="list")
def list_(json: Json = False) -> None:
    """Show the users."""
    from cli import users_list

    users_list.show(as_json=json)


@app.command()
def link(email: Email) -> None:
    """Print a one-time link with which a user sets a new password; links made before work no more."""
    from cli import users_list

    users_list.link(email)


@app.command()
def disable(email: Email) -> None:
    """Let a user in no more, and end their log-ins and keys at once."""
    from cli import users_list

    users_list.switch(email, active=False)


@app.command()
def enable(email: Email) -> None:
    """Let a user in again."""
    from cli import users_list

    users_list.switch(email, active=True)

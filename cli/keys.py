"""`scrapersky key`: keys with which programs call the API."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Make and revoke the keys with which programs call the API.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the key is for; no two have the same.")]


@app.command()
def add(
    name: Name,
    user: Annotated[str, typer.Option(metavar="EMAIL", help="The user in whose name it calls.")],
    scope: Annotated[
        list[str] | None, typer.Option(help="What it may do; say it again for more. All that the user may by default.")
    ] = None,
    expires_in: Annotated[
        str | None, typer.Option("--expires-in", metavar="TIME", help="How long it works, such as 90d.")
    ] = None,
) -> None:
    """Make a key and print it, this once."""
    from cli import keys_list

    keys_list.add(name, user=user, scopes=scope, expires_in=expires_in)


@app.command(name="list")
def list_(json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False) -> None:
    """Show the keys, the newest first; not the secrets, which nobody has kept."""
    from cli import keys_list

    keys_list.show(as_json=json)


@app.command()
def revoke(name: Name) -> None:
    """End a key at once, with all that were made with it."""
    from cli import keys_list

    keys_list.revoke(name)

"""`scrapersky suppress`: the list of those who are never exported or written to, kept as hashes."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="Keep the list of emails, phones and domains that are never exported.", no_args_is_help=True)

Values = Annotated[list[str], typer.Argument(metavar="VALUE...", help="Emails, phone numbers or domains.")]
Kind = Annotated[
    str | None, typer.Option("--kind", metavar="KIND", help="email, phone or domain; else by what each looks like.")
]
AnyKind = Annotated[
    str | None,
    typer.Option("--kind", metavar="KIND", help="email, phone, domain or person; a person is `NAME at DOMAIN`."),
]
Region = Annotated[str, typer.Option(help="The country in which numbers without one are read.")]
Reason = Annotated[str | None, typer.Option(help="Why, in your words; do not name whom.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@app.command()
def add(values: Values, kind: Kind = None, reason: Reason = None, region: Region = "US") -> None:
    """Put emails, phones or domains on the list; a domain covers every address at it."""
    from cli import suppress_list

    suppress_list.add(values, kind=kind, reason=reason, region=region)


@app.command(name="import")
def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A CSV or XLSX file, with or without a header; - reads the input.")
    ],
    column: Annotated[str | None, typer.Option(help="The column to read, by its header or its number.")] = None,
    kind: Kind = None,
    reason: Reason = None,
    region: Region = "US",
) -> None:
    """Put a whole file on the list, and say what became of its rows."""
    from cli import suppress_import

    suppress_import.run(file, column=column, kind=kind, reason=reason, region=region)


@app.command(name="list")
def list_(
    kind: AnyKind = None,
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1, max=1_000_000)] = 50,
    json: Json = False,
) -> None:
    """Show the list: hashes, kinds, reasons and times. Whom they stand for is not stored."""
    from cli import suppress_list

    suppress_list.show(kind=kind, limit=limit, as_json=json)


@app.command()
def check(values: Values, kind: AnyKind = None, region: Region = "US", json: Json = False) -> None:
    """Say of each value whether it is on the list or covered by a domain that is; ends with 1 when one is not."""
    from cli import suppress_list

    if not suppress_list.check(values, kind=kind, region=region, as_json=json):
        raise typer.Exit(1)


@app.command()
def remove(
    values: Values,
    kind: AnyKind = None,
    region: Region = "US",
    erased: Annotated[bool, typer.Option("--erased", help="Also what was erased on somebody's request.")] = False,
) -> None:
    """Take emails, phones or domains from the list."""
    from cli import suppress_list

    suppress_list.remove(values, kind=kind, region=region, erased=erased)

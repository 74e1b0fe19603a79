"""`scrapersky export`: take leads or contacts home, as a table, for a CRM, an address book or a program."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id

app = typer.Typer(
    help="Take leads or contacts home: a table, a file for a CRM, cards for an address book.", no_args_is_help=True
)

Format = Annotated[
    str | None,
    typer.Option("--format", help="csv, xlsx, jsonl or vcard; without it as the file's name ends, else csv."),
]
Target = Annotated[str, typer.Option("--for", help="plain (all columns), hubspot, salesforce, brevo or pipedrive.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="FIELD=VALUE",
        help="Only these: city=Austin, score>=60, name~dental, has=email, country!=US. Repeat it to ask for more.",
    ),
]
Search = Annotated[int | None, typer.Option(help="Only what this search found.", parser=read_id)]
Output = Annotated[str, typer.Option("--output", "-o", metavar="FILE|-", help="Where to; - writes to the output.")]
WithGone = Annotated[bool, typer.Option("--with-gone", help="Also contacts that no page shows any longer.")]
Limit = Annotated[int | None, typer.Option(help="At most so many rows.", min=1)]


@app.command()
def leads(
    format_: Format = None,
    target: Target = "plain",
    where: Where = None,
    search: Search = None,
    output: Output = "-",
    prefer: Annotated[
        str, typer.Option(help="Which address is the best among equals: role (info@) or personal.")
    ] = "role",
    with_gone: WithGone = False,
    limit: Limit = None,
) -> None:
    """Export one row for each business: its best email, phone, socials, site and score."""
    from cli import export_run

    export_run.run(
        "leads", output, asked=format_, target=target, where=where or [], search_id=search, prefer=prefer,
        with_gone=with_gone, limit=limit,
    )  # fmt: skip


@app.command()
def contacts(
    format_: Format = None,
    target: Target = "plain",
    where: Where = None,
    search: Search = None,
    output: Output = "-",
    with_gone: WithGone = False,
    limit: Limit = None,
) -> None:
    """Export one row for each contact: its business, and the page, day and way it was seen."""
    from cli import export_run

    export_run.run(
        "contacts", output, asked=format_, target=target, where=where or [], search_id=search, with_gone=with_gone,
        limit=limit,
    )  # fmt: skip

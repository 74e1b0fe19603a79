"""`scrapersky contacts`: list, show, add, change and delete contacts by hand."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id

app = typer.Typer(help="List, add, change and delete contacts by hand.", no_args_is_help=True)

Id = Annotated[int, typer.Argument(metavar="ID", help="The contact's id.", parser=read_id)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Region = Annotated[str, typer.Option(help="The country in which a number without one is read.")]
Label = Annotated[str | None, typer.Option(help="Such as role, personal or fax; '' takes it away.")]
Name = Annotated[str | None, typer.Option("--person", help="Whose it is.")]
Title = Annotated[str | None, typer.Option(help="What that person is.")]
Note = Annotated[str | None, typer.Option(help="A note of your own.")]
Decision = Annotated[
    str | None, typer.Option("--as", metavar="STATUS", help="New, Selected, Maybe, Not a Fit, Archived.")
]


@app.command(name="list")
def list_(
    kind: Annotated[str | None, typer.Option(help="email, phone, social or person.")] = None,
    domain: Annotated[str | None, typer.Option(help="Of this domain.")] = None,
    status: Annotated[str | None, typer.Option(help="With this decision.")] = None,
    verdict: Annotated[str | None, typer.Option(help="valid, risky, invalid or unknown.")] = None,
    text: Annotated[str | None, typer.Option(help="With this in value, person or note.")] = None,
    sort: Annotated[str, typer.Option(help="id, value or last_seen_at.")] = "id",
    descending: Annotated[bool, typer.Option("--descending", help="The last first.")] = False,
    limit: Annotated[int, typer.Option(help="At most so many.", min=1, max=1000)] = 50,
    json: Json = False,
) -> None:
    """List contacts."""
    from cli import contacts_report
    from leads.contacts import Wanted

    wanted = Wanted(kind, domain, status, verdict, text, sort, descending, limit=limit)
    contacts_report.show_list(wanted, as_json=json)


@app.command()
def show(contact_id: Id, json: Json = False) -> None:
    """Show one contact and where it was seen."""
    from cli import contacts_report

    contacts_report.show_one(contact_id, as_json=json)


@app.command()
def add(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="email, phone, social or person.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="The address, number, profile or name.")],
    domain: Annotated[str, typer.Option(help="The domain to which it belongs.")],
    label: Label = None,
    person: Name = None,
    title: Title = None,
    note: Note = None,
    region: Region = "US",
) -> None:
    """Add a contact that you know of."""
    from cli import contacts_report

    facts = {"label": label, "person_name": person, "person_title": title, "note": note}
    contacts_report.add(kind, value, domain, facts, region=region)


@app.command(name="set")
def set_(
    contact_id: Id,
    value: Annotated[str | None, typer.Option(help="The right address, number, profile or name.")] = None,
    label: Label = None,
    person: Name = None,
    title: Title = None,
    note: Note = None,
    decision: Decision = None,
    region: Region = "US",
) -> None:
    """Change a contact; an empty text takes away what was there."""
    from cli import contacts_report

    facts = {
        "value": value, "label": label, "person_name": person, "person_title": title, "note": note,
        "curation_status": decision,
    }  # fmt: skip
    contacts_report.change(contact_id, facts, region=region)


@app.command()
def delete(contact_id: Id, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete a contact; found again, it comes back. To be rid of it for good, see `scrapersky erase`."""
    from cli import contacts_report

    contacts_report.delete(contact_id, yes=yes)

"""`scrapersky import`: bring a list of your own businesses, domains, sitemaps or pages, and see what became of it."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id

app = typer.Typer(
    help="Bring a list of businesses, domains, sitemaps or pages, and see what became of it.", no_args_is_help=True
)

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A CSV or XLSX file, with or without a header; - reads the input.")
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="FIELD=HEADER", help="Which column holds a field: name='Trading as', or name=2."),
]
Auto = Annotated[bool, typer.Option("--auto/--curated", help="Start at once, or wait for your decision on each.")]
Sheet = Annotated[str | None, typer.Option(help="Which sheet of an XLSX file; else its first.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would become of each row and write nothing.")]
Id = Annotated[int, typer.Argument(metavar="ID", help="The import's id.", parser=read_id)]


@app.command()
def businesses(
    file: File, column: Columns = None, sheet: Sheet = None, auto: Auto = True, dry_run: DryRun = False
) -> None:
    """Bring businesses: name, website, phone and address, as far as the list has them."""
    from cli import import_run

    import_run.run("businesses", file, columns=column or [], sheet=sheet, auto=auto, dry_run=dry_run)


@app.command()
def domains(
    file: File, column: Columns = None, sheet: Sheet = None, auto: Auto = True, dry_run: DryRun = False
) -> None:
    """Bring domains, or addresses of sites, one a row."""
    from cli import import_run

    import_run.run("domains", file, columns=column or [], sheet=sheet, auto=auto, dry_run=dry_run)


@app.command()
def sitemaps(
    file: File, column: Columns = None, sheet: Sheet = None, auto: Auto = True, dry_run: DryRun = False
) -> None:
    """Bring addresses of sitemaps, one a row; each is read below its own domain."""
    from cli import import_run

    import_run.run("sitemaps", file, columns=column or [], sheet=sheet, auto=auto, dry_run=dry_run)


@app.command()
def pages(file: File, column: Columns = None, sheet: Sheet = None, auto: Auto = True, dry_run: DryRun = False) -> None:
    """Bring addresses of pages, one a row; each is visited for its contacts, below its own domain."""
    from cli import import_run

    import_run.run("pages", file, columns=column or [], sheet=sheet, auto=auto, dry_run=dry_run)


@app.command(name="list")
def list_(
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1, max=1000)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List imports, the newest first, with their status and what became of their rows."""
    from cli import import_report

    import_report.show_list(limit=limit, as_json=json)


@app.command()
def show(
    batch_id: Id,
    rejected: Annotated[bool, typer.Option("--rejected", help="Only the rejected rows, with line and reason.")] = False,
    limit: Annotated[int, typer.Option(help="At most so many rejected rows.", min=1, max=100_000)] = 1000,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, or one a rejected row.")] = False,
) -> None:
    """Show one import: what became of its rows, and how far their work is."""
    from cli import import_report

    if rejected:
        import_report.show_rejected(batch_id, limit=limit, as_json=json)
    else:
        import_report.show_one(batch_id, as_json=json)

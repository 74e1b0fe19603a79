"""`scrapersky db`: bring the database up to date, or look whether it is."""

from __future__ import annotations

import typer

from errors import SchemaBehind

app = typer.Typer(help="Bring the database up to date, or look whether it is.", no_args_is_help=True)


@app.command()
def upgrade() -> None:
    """Create or change the tables this version needs; a private server is started where none is set."""
    import migrations

    applied = migrations.upgrade(_running_database_url())
    done = f"applied {', '.join(applied)}" if applied else "nothing to do"
    typer.echo(f"The database is up to date at {migrations.head()} ({done}).")


@app.command()
def check() -> None:
    """Say whether the database is up to date and its tables are the ones this version expects."""
    import migrations
    from pipeline.database import database_url

    url = database_url()
    migrations.check(url)
    differences = migrations.differences(url)
    for difference in differences:
        typer.echo(difference)
    if differences:
        raise typer.Exit(SchemaBehind.exit_code)
    typer.echo(f"The database is up to date at {migrations.head()}.")


@app.command()
def revision(message: str) -> None:
    """Write the next migration from what the models have and the database has not (for development)."""
    import migrations

    typer.echo(migrations.write_revision(_running_database_url(), message))


def _running_database_url() -> str:
    """Give the configured database, or the embedded one, started if need be."""
    import embedded
    from settings import settings

    return settings().database_url or embedded.start(settings().scrapersky_dir, ["postgres"]).database_url

"""`scrapersky`: the command line. Commands import what they need when they run, so that it starts fast."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli import (
    contacts,
    curate,
    db,
    export,
    hosts,
    imports,
    keys,
    running,
    sandbox,
    schedule,
    search,
    services,
    suppress,
    tenants,
    users,
    work,
)
from errors import UserError

# As people meet them.
PANELS = ("Run", "Find businesses", "Watch and steer", "Use what was found", "People and keys", "Servers")


class InPanels(TyperGroup):
    """The commands in the order of their panels."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """List the commands, those of the first panel first."""
        panels = {name: getattr(command, "rich_help_panel", None) for name, command in self.commands.items()}
        return sorted(self.commands, key=lambda name: PANELS.index(panels[name] or PANELS[0]))


app = typer.Typer(
    cls=InPanels,
    help="From a search such as 'dentists near Austin, TX' to a table of businesses, sites and contacts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(running.app)
app.add_typer(search.app, name="search", rich_help_panel="Find businesses")
app.add_typer(imports.app, name="import", rich_help_panel="Find businesses")
app.add_typer(schedule.app, name="schedule", rich_help_panel="Find businesses")
app.add_typer(export.app, name="export", rich_help_panel="Use what was found")
app.add_typer(contacts.app, name="contacts", rich_help_panel="Use what was found")
app.add_typer(suppress.app, name="suppress", rich_help_panel="Use what was found")
app.add_typer(curate.app, name="curate", rich_help_panel="Watch and steer")
app.add_typer(work.app, name="work", rich_help_panel="Watch and steer")
app.add_typer(hosts.app, name="hosts", rich_help_panel="Watch and steer")
app.add_typer(tenants.app, name="tenant", rich_help_panel="People and keys")
app.add_typer(users.app, name="user", rich_help_panel="People and keys")
app.add_typer(keys.app, name="key", rich_help_panel="People and keys")
app.add_typer(sandbox.app, name="sandbox", rich_help_panel="Servers")
app.add_typer(services.app, name="services", rich_help_panel="Servers")
app.add_typer(db.app, name="db", rich_help_panel="Servers")

INTERRUPTED = 130

StageName = Annotated[str, typer.Argument(metavar="STAGE", help="A stage's name, see `scrapersky stages`.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"scrapersky {version('scrapersky')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """From a search such as 'dentists near Austin, TX' to a table of businesses, sites and contacts."""


@app.command(rich_help_panel="Use what was found")
def find(
    value: Annotated[str, typer.Argument(metavar="VALUE", help="An email, phone, domain, or part of a name.")],
    region: Annotated[str, typer.Option(help="The country in which a number without one is read.")] = "US",
    json: JsonOption = False,
) -> None:
    """Show all that is known about an email, phone, domain, person or business, and where it came from."""
    from cli import find

    find.show(value, region=region, as_json=json)


@app.command(rich_help_panel="Use what was found")
def erase(
    value: Annotated[str | None, typer.Argument(metavar="[VALUE]", help="An email, phone or domain.")] = None,
    person: Annotated[str | None, typer.Option(help="A person's name instead, with --domain.")] = None,
    domain: Annotated[str | None, typer.Option(help="The site at which the person was found.")] = None,
    region: Annotated[str, typer.Option(help="The country in which a number without one is read.")] = "US",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be erased.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove every copy of an email, phone, domain or person for good, and never store it again."""
    from cli import erase

    erase.run(erase.Wanted(value, person, domain, region), dry_run=dry_run, yes=yes)


@app.command(rich_help_panel="Watch and steer")
def stages(json: JsonOption = False) -> None:
    """Show every stage, what comes next, its limits, and how much work is where."""
    from cli import stages

    stages.show(as_json=json)


@app.command(rich_help_panel="Watch and steer")
def why(
    value: Annotated[str, typer.Argument(metavar="VALUE", help="An email, phone, link, domain, business or work id.")],
    json: JsonOption = False,
) -> None:
    """Tell the journey of a contact, a domain or a business from search to page, and why it ended as it did."""
    from cli import why

    why.show(value, as_json=json)


@app.command(rich_help_panel="Watch and steer")
def pause(stage: StageName) -> None:
    """Claim nothing more of a stage."""
    from cli import stages

    stages.pause(stage)


@app.command(rich_help_panel="Watch and steer")
def resume(stage: StageName) -> None:
    """Let a paused stage go on."""
    from cli import stages

    stages.resume(stage)


@app.command(rich_help_panel="Watch and steer")
def window(
    stage: StageName,
    size: Annotated[str | None, typer.Argument(metavar="[N|default]", help="The new size; none shows it.")] = None,
) -> None:
    """Show or change how much of a stage may be in the broker at a time."""
    from cli import stages

    stages.set_window(stage, size)


@app.command(rich_help_panel="Watch and steer")
def sweep(stage: Annotated[str, typer.Argument(metavar="STAGE|all", help="A stage's name, or all.")]) -> None:
    """Repair a stage now, as its sweeper does every minute, and say what was repaired."""
    from cli import stages

    stages.sweep_now(stage)


@app.command(rich_help_panel="Watch and steer")
def workers(json: JsonOption = False) -> None:
    """Show the worker processes, whether they are alive, and what they run."""
    from cli import workers

    workers.show(as_json=json)


@app.command(rich_help_panel="Watch and steer")
def doctor() -> None:
    """Check everything and say what to do; starts nothing, ends with 1 when something is wrong."""
    from cli import doctor

    if not doctor.run():
        raise typer.Exit(1)


@app.command(rich_help_panel="Watch and steer")
def metrics() -> None:
    """Print metrics in Prometheus' text format."""
    from cli import metrics

    metrics.show()


@app.command(rich_help_panel="Run")
def openapi() -> None:
    """Print the description of the API as JSON, for other programs."""
    from cli import openapi

    openapi.show()


def main() -> None:
    """Run the command; what the person at the keyboard can put right is one sentence, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a terminal may lack characters
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _run() -> int:
    try:
        code: Any = app(standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as fault:  # the process's entry point: what nobody has put into words is a bug and speaks itself
        sentence, code = _in_words(fault)
        if sentence is None:
            raise
        sys.stderr.write(f"{sentence}\n" if sentence else "")
    return code if isinstance(code, int) else 0


def _in_words(fault: Exception) -> tuple[str | None, int]:
    """Give one safe sentence and the exit code for a fault; no sentence for a bug."""
    from cli.faults import explain, without_secrets
    from cli.text import safe

    if hasattr(fault, "format_message"):  # typer's own: an unknown command, option or number
        said = safe(fault.format_message()).rstrip(".")  # nothing when the help was shown instead
        return said and f"{said}: see `{_command_of(fault)} --help`.", UserError.exit_code
    user_error = explain(fault)
    if user_error is None:
        return None, 1
    return safe(without_secrets(str(user_error))), user_error.exit_code


def _command_of(fault: Exception) -> str:
    """Name the command whose options and arguments were wrong."""
    context = getattr(fault, "ctx", None)
    words = [] if context is None else context.command_path.split()
    return " ".join(["scrapersky", *words[1:]])

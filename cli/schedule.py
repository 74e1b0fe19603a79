"""`scrapersky schedule`: have a search run again and again, or what it found refreshed."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.ids import read_id

app = typer.Typer(help="Have searches run, and what they found refreshed, again and again.", no_args_is_help=True)

Id = Annotated[int, typer.Argument(metavar="ID", help="The schedule's id.", parser=read_id)]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
    entity: Annotated[
        int, typer.Option("--search", "--entity", help="The search, or what else the stage works on.", min=1)
    ],
    cron: Annotated[
        str | None, typer.Option(help="When: minute, hour, day, month, weekday, such as '0 9 * * 1'.")
    ] = None,
    every: Annotated[str | None, typer.Option(help="Or how often: 30m, 12h, 7d.")] = None,
    zone: Annotated[str, typer.Option(help="The time zone of a cron line.")] = "UTC",
    starts: Annotated[str | None, typer.Option(help="Not before, such as 2027-01-31T09:00+01:00.")] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Visit the sites again that the search found.")] = False,
    stage: Annotated[str, typer.Option(help="Another stage than search.")] = "search",
    grace: Annotated[str, typer.Option(help="How late a missed tick may still be made up for.")] = "1h",
    catch_up: Annotated[str, typer.Option(help="Of missed ticks make up for: skip, last or all.")] = "last",
) -> None:
    """Add a schedule, and say when it is due."""
    from cli import schedule_steer
    from cli.text import read_duration

    schedule_steer.add(
        name, entity, stage=stage, refresh=refresh, cron=cron, every=read_duration(every), starts=starts, zone=zone,
        grace=read_duration(grace), catch_up=catch_up,
    )  # fmt: skip


@app.command(name="list")
def list_(json: Json = False) -> None:
    """List schedules with their next time and what came of the last."""
    from cli import schedule_list

    schedule_list.show(as_json=json)


@app.command(name="next")
def next_(
    schedule_id: Id,
    count: Annotated[int, typer.Option(help="How many.", min=1, max=1000)] = 10,
    json: Json = False,
) -> None:
    """Show when a schedule is due next, in UTC and in its own zone."""
    from cli import schedule_list

    schedule_list.show_next(schedule_id, count=count, as_json=json)


@app.command()
def fires(
    schedule_id: Id,
    limit: Annotated[int, typer.Option(help="At most so many, the newest.", min=1, max=1000)] = 20,
    json: Json = False,
) -> None:
    """Show what became of a schedule's ticks."""
    from cli import schedule_list

    schedule_list.show_fires(schedule_id, limit=limit, as_json=json)


@app.command()
def run(schedule_id: Id) -> None:
    """Fire a schedule now; its timetable stays as it is."""
    from cli import schedule_steer

    schedule_steer.run(schedule_id)


@app.command()
def pause(schedule_id: Id) -> None:
    """Have a schedule fire no more."""
    from cli import schedule_steer

    schedule_steer.pause(schedule_id)


@app.command()
def resume(schedule_id: Id) -> None:
    """Have a paused schedule fire again, from now on."""
    from cli import schedule_steer

    schedule_steer.resume(schedule_id)


@app.command()
def remove(schedule_id: Id) -> None:
    """Remove a schedule with its history; what it has queued stays."""
    from cli import schedule_steer

    schedule_steer.remove(schedule_id)

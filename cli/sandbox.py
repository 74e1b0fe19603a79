"""`scrapersky sandbox`: a small made-up internet on this machine, and the truth about it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errors import BadInput, ServerDown

if TYPE_CHECKING:
    from sandbox.plan import Plan
    from sandbox.world import World

app = typer.Typer(help="Serve a small made-up internet on this machine to try things on.", no_args_is_help=True)

LONGEST_LATENCY_SECONDS = 60.0
MOST_BUSINESSES = 1_000_000
SHOWN_KINDS = ("plain", "wordpress", "blog-heavy", "slow", "hang", "gzip-bomb", "redirect-private")

Businesses = Annotated[int, typer.Option(min=1, max=MOST_BUSINESSES, help="How many businesses the world has.")]
Seed = Annotated[int, typer.Option(help="Another seed gives another world; the same seed the same world.")]
Town = Annotated[str | None, typer.Option(help="Put every business into one town, such as 'Austin, TX'.")]
Category = Annotated[str | None, typer.Option(help="Give every business one category, such as dentist.")]


@app.command()
def serve(
    businesses: Businesses = 300,
    seed: Seed = 1,
    latency: Annotated[str, typer.Option(help="Wait before every reply: 200ms, 1.5s.")] = "0s",
    errors: Annotated[str, typer.Option(help="Let a share of the sites' replies fail once: 2%, 0.02.")] = "0%",
    town: Town = None,
    category: Category = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port on loopback; 0 takes any free one.")] = 0,
    log: Annotated[Path | None, typer.Option(help="Write every request to this file, one JSON object a line.")] = None,
) -> None:
    """Answer for every host of a made-up world, on loopback only, until Ctrl-C."""
    from sandbox.plan import Plan

    plan = Plan(
        businesses,
        seed,
        town,
        category,
        latency=read_latency(latency),
        errors=read_share(errors),
        port=port,
        log=str(log) if log else None,
    )
    _serve(plan, _make_world(plan))


@app.command()
def truth(
    businesses: Businesses = 300,
    seed: Seed = 1,
    town: Town = None,
    category: Category = None,
    out: Annotated[Path | None, typer.Option(help="Write to this file, not to the standard output.")] = None,
) -> None:
    """Write what a whole run over the world should find, as JSON."""
    import sys

    from sandbox.plan import Plan
    from sandbox.truth import pieces

    world = _make_world(Plan(businesses, seed, town, category))
    if out is None:
        for piece in pieces(world):
            sys.stdout.write(piece.decode())
        return
    try:
        with out.open("wb") as file:
            file.writelines(pieces(world))
    except OSError as fault:
        raise _cannot_write(out, fault) from None


@app.command(name="score")
def score_(
    businesses: Annotated[
        int, typer.Option("--size", "--businesses", min=1, max=MOST_BUSINESSES, help="How many businesses it has.")
    ] = 300,
    seed: Seed = 1,
    town: Town = None,
    category: Category = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare the contacts in the database with those planted in the world that was served."""
    from cli import sandbox_score
    from sandbox.plan import Plan

    sandbox_score.show(_make_world(Plan(businesses, seed, town, category)), as_json=json)


def _make_world(plan: Plan) -> World:
    try:
        return plan.world()
    except ValueError as fault:  # an unknown town or category: the message lists those there are
        said = str(fault)
        raise BadInput(f"{said[:1].upper()}{said[1:]}.") from None


def _serve(plan: Plan, world: World) -> None:
    from cli.text import say

    try:
        server, (address, port) = plan.server(world)
    except OSError as fault:
        raise _cannot_start(plan, fault) from None
    server.stop_on_signals()
    say(f"The sandbox answers for {len(world)} businesses on {address}:{port}. Stop it with Ctrl-C.")
    say(f"Point the product at it: ENVIRONMENT=sandbox SANDBOX_ADDRESS={address}:{port} scrapersky up")
    say(f"Look yourself: curl -H 'Host: {_examples(world)[0]}' http://{address}:{port}/")
    say(f"Some hosts: {', '.join(_examples(world))}")
    say(f"What it knows: http://{address}:{port}/truth.json, /log, /hosts, /kinds, /health")
    server.run()


def _examples(world: World) -> list[str]:
    """Name a few hosts, of good sites first."""
    found = []
    for kind in SHOWN_KINDS:
        try:
            found.append(world.with_kind(kind).host)
        except KeyError:  # a small world does not hold every kind
            continue
    return [host for host in found if host is not None] or ["places.googleapis.example"]


def _cannot_start(plan: Plan, fault: OSError) -> BadInput | ServerDown:
    if plan.log is not None and fault.filename is not None:
        return _cannot_write(Path(plan.log), fault)
    why = os.strerror(fault.errno) if fault.errno else str(fault)
    return ServerDown(
        f"The sandbox cannot listen on {plan.address} port {plan.port} ({why}): choose another --port, or 0 for any."
    )


def _cannot_write(file: Path, fault: OSError) -> BadInput:
    return BadInput(f"{str(file)!r} cannot be written ({os.strerror(fault.errno or 0)}): name another file.")


def read_latency(text: str) -> float:
    """Read `200ms`, `1.5s` or `0` as seconds."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s)", text.strip().lower(), re.ASCII)
    if match is None and text.strip() != "0":
        raise BadInput(f"--latency {text!r} is no length of time: write it like 200ms or 1.5s.")
    seconds = float(match[1]) / (1000 if match[2] == "ms" else 1) if match else 0.0
    if seconds > LONGEST_LATENCY_SECONDS:
        raise BadInput(f"--latency {text!r} is too long: {LONGEST_LATENCY_SECONDS:.0f}s is the longest.")
    return seconds


def read_share(text: str) -> float:
    """Read `2%` or `0.02` as a share of one."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*(%?)", text.strip(), re.ASCII)
    share = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    if not 0 <= share <= 1:
        raise BadInput(f"--errors {text!r} is no share: write it like 2% or 0.02, from 0% to 100%.")
    return share

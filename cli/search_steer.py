"""Pause, resume or cancel a search with everything below it, and say what that did."""

from __future__ import annotations

import sys

import typer

from cli.ready import ready
from cli.text import say
from cli.workers_needed import note_if_none
from errors import BadInput
from pipeline import search_control, searches
from pipeline.stage import load_stages


def pause(search_id: int) -> None:
    """Hold what is open."""
    _prepare()
    held = search_control.pause(search_id)
    if held:
        say(f"Search {search_id} is paused: {pieces(held)} held. Go on with `scrapersky search resume {search_id}`.")
    else:
        say(f"Search {search_id} has nothing to hold: it is {searches.one(search_id).status}.")


def resume(search_id: int) -> None:
    """Let go what is held."""
    _prepare()
    freed = search_control.resume(search_id)
    if freed:
        say(f"Search {search_id} goes on: {pieces(freed)} let go. `scrapersky watch {search_id}` shows it.")
        note_if_none()
    else:
        say(f"Nothing of search {search_id} was held: it is {searches.one(search_id).status}.")


def cancel(search_id: int, *, yes: bool) -> None:
    """End what is open, after asking."""
    _prepare()
    found = searches.one(search_id).progress
    many = found.of("Queued") + found.of("Processing")
    if not yes and many:
        _ask(f"Cancel {pieces(many)} of search {search_id}? What was found stays.")
    ended = search_control.cancel(search_id)
    say(f"Search {search_id}: {pieces(ended)} cancelled, what was found stays. It is {searches.one(search_id).status}.")


def _ask(question: str) -> None:
    if not sys.stdin.isatty():
        raise BadInput(f"{question} Nobody is here to answer: say --yes.")
    typer.confirm(question, abort=True)


def pieces(many: int) -> str:
    """Write how much work that is."""
    return "1 piece of work" if many == 1 else f"{many} pieces of work"


def _prepare() -> None:
    load_stages()
    ready(broker=True)

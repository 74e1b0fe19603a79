"""Screens: what a search does while it runs, as one live picture in a terminal or as plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Protocol

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from cli.pace import Pace
from cli.text import console, duration, safe, say
from pipeline.search_view import View

LINE_EVERY_SECONDS = 5.0
COLUMNS = ("stage", "queued", "processing", "done", "filtered", "error", "per second", "left")
KINDS = ("email", "phone", "social", "person")


class Screen(Protocol):
    """Where looks at a search are shown."""

    def __enter__(self) -> Screen: ...
    def __exit__(self, *_: object) -> None: ...
    def show(self, view: View) -> None: ...


def screen() -> Screen:
    """Choose the screen that fits where the output goes."""
    return LiveScreen() if sys.stdout.isatty() else LineScreen()


class LiveScreen:
    """One picture that is drawn anew in place."""

    def __init__(self) -> None:
        self.pace = Pace()
        self.live = Live(console=console(), auto_refresh=False, vertical_overflow="visible")

    def __enter__(self) -> LiveScreen:
        self.live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def show(self, view: View) -> None:
        """Draw a look."""
        self.pace.note(view)
        self.live.update(Group(_head(view, self.pace), _stages(view, self.pace), _newest(view)), refresh=True)


class LineScreen:
    """A line now and then, for logs and pipes."""

    def __init__(self) -> None:
        self.pace = Pace()
        self._last: tuple[float, str] = (float("-inf"), "")

    def __enter__(self) -> LineScreen:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def show(self, view: View) -> None:
        """Print a line when something has changed and the last one is some seconds old, or at the end."""
        self.pace.note(view)
        line = _line(view)
        since, before = self._last
        if line != before and (view.at - since >= LINE_EVERY_SECONDS or not view.is_open):
            say(line)
            self._last = (view.at, line)


def _line(view: View) -> str:
    row, progress = view.found.row, view.found.progress
    ended = ", ".join(f"{many} {status.lower()}" for status in ("Filtered", "Error") if (many := progress.of(status)))
    words = [
        f"search {row['id']} {view.found.status}: {row['places']} places, {row['businesses']} businesses,"
        f" {row['domains']} domains, {_contacts(view.contacts)}",
        f"{view.done} done" + (f" ({ended})" if ended else ""),
        f"{view.left} open" if view.left else "nothing open",
    ]
    words += [_workers(view)] if view.is_open and not view.workers else []
    return "; ".join(words)


def _head(view: View, pace: Pace) -> Text:
    row = view.found.row
    left = pace.seconds_left(view)
    lines = [
        f"Search {row['id']}: {safe(row['what'], 40)}, {safe(row['where_text'] or 'a box', 40)} ({row['provider']})",
        f"{view.found.status}, {duration(row['seconds'])}"
        + (f", about {duration(left)} of known work left" if left else ""),
        f"{row['places']} places, {row['businesses']} businesses, {row['domains']} domains, {_contacts(view.contacts)}",
        f"{_workers(view)}, ${row['spent_usd'].normalize():f} spent in {row['calls']} calls",
    ]
    return Text("\n".join(lines))


def _workers(view: View) -> str:
    if view.workers:
        return f"{view.workers} worker processes"
    return "no worker is alive: run `scrapersky up`" if view.is_open else "no worker is alive"


def _contacts(contacts: Mapping[str, int]) -> str:
    plural = {"email": "emails", "phone": "phones", "social": "profiles", "person": "people"}
    return ", ".join(f"{contacts.get(kind, 0)} {plural[kind]}" for kind in KINDS)


def _stages(view: View, pace: Pace) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "stage" else "right", style="bold" if name == "stage" else "")
    for stage, counts in view.found.progress.counts.items():
        rate, left = pace.of(stage), pace.stage_seconds_left(view, stage)
        figures = [str(counts[status]) for status in ("Queued", "Processing", "Completed", "Filtered", "Error")]
        table.add_row(stage, *figures, f"{rate:.1f}" if rate else "", duration(left) or "")
    return table


def _newest(view: View) -> Table:
    table = Table(box=None, pad_edge=False, title="Newest contacts", title_justify="left", title_style="bold")
    for name in ("contact", "of", "seen at"):
        table.add_column(name, overflow="ellipsis", no_wrap=True)
    for row in view.newest:
        of = row["domain"] if not row["person_name"] else f"{row['person_name']}, {row['domain']}"
        table.add_row(*(Text(safe(cell or "", 60)) for cell in (row["value"], of, row["url"])))
    return table

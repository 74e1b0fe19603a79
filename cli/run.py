"""Run: one search from nothing to leads, on servers and workers that are started if need be; again to go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import embedded
import logs
from cli import export_file, export_format
from cli.free_port import take_free_web_port
from cli.leads_report import print_best
from cli.machine import check_before_start, interrupt_on_signals, processes, servers
from cli.progress_report import print_open, print_reasons, print_stages
from cli.ready import quiet_logs
from cli.run_result import finish
from cli.search_start import read_order
from cli.search_steer import pieces
from cli.text import note
from cli.watch import follow
from errors import UserError
from pipeline import search_again, search_control, search_view, searches
from pipeline.search_order import Order
from pipeline.search_view import View
from settings import settings

LOG_FILE = "run.log"
START_SECONDS, LOOK_SECONDS = 120.0, 0.1
OTHERS_RUN = (
    "Workers are running already, so none are started: they go by the settings they were started with, and what only"
    " this terminal sets, such as CRAWLER_CONTACT, does not reach them."
)
Check = Callable[..., None]


def run(what: str, *, output: Path | None, again: bool, **wishes: Any) -> None:
    """Search, show how it goes, and write the leads; Ctrl-C pauses, and the same command goes on."""
    _check_output(output or Path("leads.csv"))
    order = read_order(what, **wishes)
    logs.configure()
    quiet_logs()
    check_before_start()
    interrupt_on_signals()
    with servers() as parts, workers(parts) as check:
        search_id = _begin(order, again=again)
        view = _follow(search_id, check)
        report(view)
        finish(view, output or Path(f"leads-{search_id}.csv"))


def _check_output(file: Path) -> None:
    """Refuse a file that could not be written at the end, when money may have been spent."""
    export_format.format_of(str(file))
    export_file.check(str(file))


@contextmanager
def workers(parts: Sequence[embedded.Part]) -> Iterator[Check]:
    """Run the processes, unless somebody does so already; what is given tells whether they have ended."""
    if search_view.workers_alive():
        note(OTHERS_RUN)
        yield _nobody_to_check
        return
    take_free_web_port()
    said = settings().scrapersky_dir / LOG_FILE
    said.parent.mkdir(parents=True, exist_ok=True)
    with processes(parts, output=said) as procfile:

        def check(_view: View | None = None) -> None:
            if procfile.has_ended:
                raise UserError(f"The processes ended by themselves: the end of {said} says why.")

        _wait_for_workers(check)
        yield check


def _wait_for_workers(check: Callable[[], None]) -> None:
    note("The workers are starting.")
    until = time.monotonic() + START_SECONDS
    while not search_view.workers_alive():
        check()
        if time.monotonic() > until:
            raise UserError(f"No worker was ready within {START_SECONDS:g} s: `scrapersky doctor` says what is wrong.")
        time.sleep(LOOK_SECONDS)


def _begin(order: Order, *, again: bool) -> int:
    """Go on with the same search if there is one that has not ended well, else start it."""
    before = None if again else search_again.last_like(order)
    if before is None:
        return searches.start(order)
    search_id: int = before.row["id"]
    if before.progress.open_stages:
        search_control.resume(search_id)
        note(f"Search {search_id} for the same goes on. `--again` would begin a new one.")
    elif before.status == "Error":
        many = search_control.retry(search_id)
        note(f"Search {search_id} for the same has failed, so what failed of it ({pieces(many)}) is tried again."
             " `--again` would begin a new one.")  # fmt: skip
    else:
        note(f"Search {search_id} has done this already, so nothing is asked again. `--again` begins a new one.")
    return search_id


def _follow(search_id: int, check: Check) -> View:
    try:
        return follow(search_id, check=check)
    except KeyboardInterrupt:
        search_control.pause(search_id)
        note(f"Search {search_id} is paused and nothing is lost: run the same command to go on, or"
             f" `scrapersky search resume {search_id}` with `scrapersky up`.")  # fmt: skip
        raise


def report(view: View) -> None:
    """Print where everything of a search is, why what did not go on did not, and its best leads."""
    search_id = view.found.row["id"]
    print_stages(view.found.progress)
    print_reasons(searches.reasons_given(search_id))
    print_open(searches.still_open(search_id))
    print_best(search_id)


def _nobody_to_check(_view: View | None = None) -> None:
    """Somebody else runs the processes, and looks after them."""

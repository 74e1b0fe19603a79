"""Up: everything on one machine, from private servers to workers; and down again, with nothing left behind."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import structlog

import embedded
import logs
import migrations
from cli.procfile import PROCFILE, Procfile
from cli.ready import unset_parts
from cli.serve import listen, web_url
from cli.text import note
from errors import BadInput, UserError
from pipeline.broker import check_broker
from pipeline.database import database_url
from pipeline.stage import load_stages
from settings import settings

log = structlog.get_logger("up")

LOOK_SECONDS = 1.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def up() -> None:
    """Start what is needed, run the Procfile until told to stop, and stop what was started."""
    logs.configure()
    logging.getLogger("alembic").setLevel(logging.WARNING)
    _check_before_start()
    _interrupt_on_signals()
    try:
        with _servers() as parts:
            note(f"The broker is {check_broker()}.")
            applied = migrations.upgrade(database_url())
            note(f"The database is at {migrations.head()} ({len(applied)} migrations applied).")
            with _kept_running(parts):
                code = _run_processes()
    except KeyboardInterrupt:
        note("Stopped.")
    else:
        raise UserError(f"The processes ended by themselves with exit code {code}: the lines above say why.")


def _check_before_start() -> None:
    """Refuse what cannot work before anything runs."""
    load_stages()
    if not PROCFILE.exists():
        raise BadInput(f"There is no {PROCFILE}: run `scrapersky up` from a checkout of the project.")
    listen().close()


def _run_processes() -> int:
    note(f"ScraperSky starts at {web_url()}. Ctrl-C stops it.")
    with Procfile() as procfile:
        return procfile.wait()


def _interrupt_on_signals() -> None:
    """Leave through KeyboardInterrupt at the first signal; later ones change nothing, stopping has its limits."""

    def interrupt(*_: object) -> None:
        for name in STOP_SIGNALS:
            signal.signal(name, lambda *_: None)
        raise KeyboardInterrupt

    for name in STOP_SIGNALS:
        signal.signal(name, interrupt)


@contextmanager
def _servers() -> Iterator[list[embedded.Part]]:
    """Run the private servers that are ours; at the end stop those that did not run before."""
    root, ours = settings().scrapersky_dir, unset_parts()
    running = [part for part in embedded.PARTS if embedded.is_running(root, [part])]
    missing = [part for part in ours if part not in running]
    if not missing:
        yield ours
    else:
        with embedded.kept(root, parts=missing):
            embedded.start(root, missing)
            yield ours


@contextmanager
def _kept_running(parts: Sequence[embedded.Part]) -> Iterator[None]:
    """Start a private server again when it dies."""
    stopped = threading.Event()

    def watch() -> None:
        while not stopped.wait(LOOK_SECONDS):
            _start_again(parts)

    watcher = threading.Thread(target=watch, name="watch-servers", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stopped.set()
        watcher.join()


def _start_again(parts: Sequence[embedded.Part]) -> None:
    root = settings().scrapersky_dir
    try:
        for part in parts:
            if not embedded.is_running(root, [part]):
                log.warning("embedded-server-gone", server=part)
                embedded.start(root, [part])
                log.warning("embedded-server-restarted", server=part)
    except UserError as fault:
        log.error("embedded-server-down", error=str(fault))

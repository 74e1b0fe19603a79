"""The machine: servers, schema and the Procfile's processes for the length of a block, and nothing left behind."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import structlog

import embedded
import migrations
from cli.procfile import PROCFILE, Procfile
from cli.ready import unset_parts
from cli.text import note
from errors import BadInput, UserError
from pipeline.broker import check_broker
from pipeline.database import database_url
from pipeline.stage import load_stages
from settings import settings

log = structlog.get_logger("machine")

LOOK_SECONDS = 1.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def check_before_start() -> None:
    """Refuse what cannot work before anything runs."""
    load_stages()
    if not PROCFILE.exists():
        raise BadInput(f"There is no {PROCFILE}: run this from a checkout of the project.")


def interrupt_on_signals() -> None:
    """Leave through KeyboardInterrupt at the first signal; later ones change nothing, stopping has its limits."""

    def interrupt(*_: object) -> None:
        for name in STOP_SIGNALS:
            signal.signal(name, lambda *_: None)
        raise KeyboardInterrupt

    for name in STOP_SIGNALS:
        signal.signal(name, interrupt)


@contextmanager
def servers() -> Iterator[list[embedded.Part]]:
    """Run the private servers that are ours, with a current schema; at the end stop those that did not run before."""
    root, ours = settings().scrapersky_dir, unset_parts()
    running = [part for part in embedded.PARTS if embedded.is_running(root, [part])]
    missing = [part for part in ours if part not in running]
    if not missing:
        _prepare()
        yield ours
    else:
        with embedded.kept(root, parts=missing):
            embedded.start(root, missing)
            _prepare()
            yield ours


def _prepare() -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)
    note(f"The broker is {check_broker()}.")
    applied = migrations.upgrade(database_url())
    note(f"The database is at {migrations.head()} ({len(applied)} migrations applied).")


@contextmanager
def processes(parts: Sequence[embedded.Part], *, output: Path | None = None) -> Iterator[Procfile]:
    """Run the Procfile, and start a private server again when it dies; what the processes say goes to `output`."""
    with _kept_running(parts), Procfile(output) as procfile:
        yield procfile


@contextmanager
def _kept_running(parts: Sequence[embedded.Part]) -> Iterator[None]:
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

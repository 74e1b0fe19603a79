"""Ready: what a command needs before it starts: readable logs, servers that run, a schema that is current."""

from __future__ import annotations

import logging

import embedded
import logs
import migrations
from pipeline.broker import broker as make_broker
from pipeline.database import database_url
from settings import settings


def ready(*, broker: bool = False) -> None:
    """Start the private servers that are needed and not set; an empty private database gets its tables."""
    quiet_logs()
    parts = unset_parts() if broker else [part for part in unset_parts() if part == "postgres"]
    if parts:
        embedded.start(settings().scrapersky_dir, parts)
    if broker:
        make_broker()
    if settings().database_url is None and migrations.current(database_url()) is None:
        migrations.upgrade(database_url())
    migrations.check(database_url())


def unset_parts() -> list[embedded.Part]:
    """List the servers that nobody has configured, so that they are ours to run."""
    given: dict[embedded.Part, str | None] = {
        "postgres": settings().database_url,
        "valkey": settings().broker_url or settings().redis_url,
    }
    return [part for part, url in given.items() if url is None]


def quiet_logs() -> None:
    """Log to stderr, and only what went wrong: a command prints its result itself."""
    logs.configure()
    if settings().log_level == "INFO":
        logging.getLogger().setLevel(logging.WARNING)

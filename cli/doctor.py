"""Doctor: look at everything a running system needs and say, line by line, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
from rich.text import Text
from sqlalchemy.exc import SQLAlchemyError

from cli.checks import Finding, check_database, check_disk, check_servers, fail, ok
from cli.faults import explain, without_secrets
from cli.text import console, safe
from errors import BadSetting, UserError
from settings import settings

STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def examine() -> Iterator[Finding]:
    """Check one thing after the other; what rests on something that failed is not looked at."""
    try:
        settings()
    except BadSetting as fault:
        yield fail("settings", str(fault))
        return
    yield ok("settings", "every value can be used")
    sound = True
    for finding in check_servers():
        sound = sound and finding.level != "fail"
        yield finding
    if sound:
        yield from _database_findings()
    yield check_disk()


def _database_findings() -> Iterator[Finding]:
    try:
        yield from check_database()
    except (psycopg.Error, SQLAlchemyError, UserError) as fault:
        yield fail("database", str(explain(fault) or fault))


def run() -> bool:
    """Print every finding; True when nothing has failed."""
    healthy = True
    for finding in examine():
        healthy = healthy and finding.level != "fail"
        line = Text(f"{finding.level:<5}", style=STYLES[finding.level])
        line.append(f"{finding.what}: {safe(without_secrets(finding.says))}", style="default")
        console().print(line, soft_wrap=True)
    return healthy

"""Faults in words: turn what a person can put right into one sentence that says so."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors as postgres
from sqlalchemy.exc import ArgumentError, DBAPIError

from errors import BadInput, BadSetting, SchemaBehind, ServerDown, UserError
from redact import hide_password
from settings import settings

BAD_DATABASE_URL = "DATABASE_URL cannot be used ({why}): it must look like postgresql://user:password@host:5432/name."
PLACEHOLDER = "user:password@"
MAY_HOLD_A_PASSWORD = re.compile(r"\S*:[^\s'\"]*@")


def explain(fault: BaseException) -> UserError | None:
    """Give the sentence for a fault; None for a bug of ours."""
    if isinstance(fault, UserError):
        return fault
    if isinstance(fault, ArgumentError):
        return BadSetting(BAD_DATABASE_URL.format(why="it is not a URL"))
    if isinstance(fault, UnicodeEncodeError) and fault.encoding == "utf-8":  # how Python keeps the bytes of an argument
        return BadInput("What was typed holds bytes that are no UTF-8: type it anew, or set your terminal to UTF-8.")
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    return _explain_database(cause) if isinstance(cause, psycopg.Error) else None


def _explain_database(fault: psycopg.Error) -> UserError | None:
    why = " ".join(str(fault).split("\n")[0].split())
    if isinstance(fault, postgres.UndefinedTable | postgres.UndefinedColumn):
        return SchemaBehind(f"The database lacks what this version needs ({why}): run `scrapersky db upgrade`.")
    if isinstance(fault, postgres.InsufficientPrivilege):
        return BadInput(f"The database user may not do this ({why}): use the owner of the database.")
    if isinstance(fault, psycopg.OperationalError):
        return database_down(fault)
    if isinstance(fault, psycopg.ProgrammingError) and fault.sqlstate is None:  # refused by the driver, not the server
        return BadSetting(BAD_DATABASE_URL.format(why=why))
    return None


def database_down(fault: psycopg.Error) -> ServerDown:
    """Say that PostgreSQL does not answer, and how to start it when it is the private one."""
    from models.connect import server_down
    from pipeline.database import database_url

    if settings().database_url is None:
        return ServerDown(
            "The embedded PostgreSQL is not running: run `scrapersky up` or `scrapersky services start`,"
            " or set DATABASE_URL to a server of your own."
        )
    return server_down(database_url(), fault)


def without_secrets(text: str) -> str:
    """Blank known secrets, and whatever looks like the password of a URL, well-formed or not."""
    try:
        known = settings().secrets
    except BadSetting:
        known = []
    for secret in known:
        text = text.replace(secret, "***")
    return PLACEHOLDER.join(MAY_HOLD_A_PASSWORD.sub(_blank, hide_password(part)) for part in text.split(PLACEHOLDER))


def _blank(found: re.Match[str]) -> str:
    word = found.group()
    return word if word.endswith(":***@") else f"{word.partition(':')[0]}:***@"

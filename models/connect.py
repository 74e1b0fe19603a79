"""How to reach PostgreSQL: the URL the driver understands, and engines that also work behind a pooler."""

from __future__ import annotations

from typing import Any

import psycopg
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError

from errors import BadSetting, ServerDown

DRIVER = "postgresql+psycopg"
SCHEMES = ("postgres", "postgresql", DRIVER)
CONNECT_TIMEOUT_SECONDS = 5
APPLICATION_NAME = "scrapersky"
# Less than a lease lives: when a process that was stopped inside a transaction counts as dead, its locks are free.
LONGEST_IDLE_IN_TRANSACTION = "10s"
# A host that vanished without a word is noticed in some 20 s instead of in minutes.
NOTICE_A_DEAD_HOST = {
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}

# Only a direct connection keeps what is set for its session: a pooler hands it to whoever comes next. A limit that the
# URL or the server's own settings give stays.
SET_UP = b"""
SELECT pg_backend_pid() = %(pid)s,
       CASE WHEN pg_backend_pid() = %(pid)s AND current_setting('idle_in_transaction_session_timeout') = '0'
            THEN set_config('idle_in_transaction_session_timeout', %(longest)s, false) END"""


def sqlalchemy_url(url: str) -> str:
    """Write any PostgreSQL URL the way SQLAlchemy wants it."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in SCHEMES:
        raise BadSetting("The database URL must look like postgresql://user:password@host:5432/name.")
    return f"{DRIVER}://{rest}"


def connect_engine(url: str, *, pool_size: int = 5) -> Engine:
    """Make an engine that holds at most `pool_size` connections and opens the first one when it is needed."""
    parsed = make_url(sqlalchemy_url(url))
    engine = create_engine(
        parsed, pool_size=pool_size, max_overflow=0, pool_pre_ping=False, connect_args=_defaults(parsed)
    )
    event.listen(engine, "connect", lambda connection, _record: _set_up(connection))
    return engine


def connect_driver(url: str) -> psycopg.Connection[Any]:
    """Open one bare connection in autocommit, for single statements."""
    parsed = make_url(sqlalchemy_url(url))
    named: dict[str, Any] = parsed.translate_connect_args(username="user", database="dbname")
    connection: psycopg.Connection[Any] = psycopg.connect(
        **{**_defaults(parsed), **named, **parsed.query}, autocommit=True
    )
    _set_up(connection)
    return connection


def server_down(url: str, fault: DBAPIError | psycopg.Error) -> ServerDown:
    """Say in one sentence which server did not answer and why, without its password."""
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    why, _, _ = " ".join(str(cause).split()).removeprefix("connection failed: ").partition(" Is the server running")
    return ServerDown(f"PostgreSQL at {_shown(url)} cannot be used ({why}): start it or correct DATABASE_URL.")


def _defaults(url: URL) -> dict[str, Any]:
    """Give what the URL leaves open."""
    wanted = {"connect_timeout": CONNECT_TIMEOUT_SECONDS, "application_name": APPLICATION_NAME, **NOTICE_A_DEAD_HOST}
    return {name: value for name, value in wanted.items() if name not in url.query}


def _set_up(connection: psycopg.Connection[Any]) -> None:
    """Prepare statements on their second use and have idle transactions ended, except behind a pooler.

    A pooler answers with its own backend number. In transaction mode the next transaction may run on another
    server connection, where our prepared statements do not exist.
    """
    autocommit = connection.autocommit
    connection.autocommit = True
    values = {"pid": connection.info.backend_pid, "longest": LONGEST_IDLE_IN_TRANSACTION}
    try:
        row = connection.execute(SET_UP, values, prepare=False).fetchone()
    finally:
        connection.autocommit = autocommit
    connection.prepare_threshold = 1 if row is not None and row[0] else None


def _shown(url: str) -> str:
    parsed = make_url(sqlalchemy_url(url))
    host = parsed.host or parsed.query.get("host") or "the local socket"
    port = f":{parsed.port}" if parsed.port else ""
    return f"{host}{port}/{parsed.database or ''}"

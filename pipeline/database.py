"""The one place that opens database connections: single statements in autocommit, or whole transactions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import psycopg
from sqlalchemy import Engine
from sqlalchemy.orm import Session

import embedded
from models.connect import connect_driver, connect_engine
from settings import settings

Connection = psycopg.Connection[Any]

# The server went away, or a migration changed a table under a prepared statement: a fresh connection will do.
UNUSABLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.FeatureNotSupported)


class Database:
    """One database: idle driver connections for single statements, and SQLAlchemy's engine for the rest.

    Two sets of connections, because SQLAlchemy's pool and layers cost as much as a claim itself (60 µs of 150 µs). The
    idle ones are never more than the threads that have run a statement at the same moment.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = connect_engine(url, pool_size=settings().database_pool_size)
        self._idle: deque[Connection] = deque()

    @contextmanager
    def statement(self) -> Iterator[Connection]:
        """Lend a connection in autocommit: one statement is one round trip and one commit."""
        connection = self._borrow()
        try:
            yield connection
        except UNUSABLE:
            connection.close()
            raise
        finally:
            if not connection.closed:
                self._idle.append(connection)

    def _borrow(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return connect_driver(self.url)

    @contextmanager
    def transaction(self) -> Iterator[tuple[Session, Connection]]:
        """Open one transaction seen through both the ORM session and the bare driver; commit at the end."""
        with self.engine.begin() as bound, Session(bind=bound, join_transaction_mode="rollback_only") as session:
            driver: Connection = bound.connection.driver_connection  # type: ignore[assignment]
            yield session, driver
            session.flush()

    def close(self) -> None:
        self.engine.dispose()
        while self._idle:
            self._idle.pop().close()


_database: Database | None = None


def database_url() -> str:
    """Give the configured database, or the embedded one of this directory."""
    return settings().database_url or embedded.urls(settings().scrapersky_dir).database_url


def use(url: str | None) -> None:
    """Point this process at a database; None forgets it."""
    global _database
    if _database is not None:
        _database.close()
    _database = Database(url) if url else None


def database() -> Database:
    """Give this process's database."""
    if _database is None:
        use(database_url())
    assert _database is not None  # noqa: S101 - narrows the type; `use` has just set it
    return _database


def engine() -> Engine:
    return database().engine


def statement() -> AbstractContextManager[Connection]:
    """Lend a connection of this process's database for one statement."""
    return database().statement()


def transaction() -> AbstractContextManager[tuple[Session, Connection]]:
    """Open a transaction on this process's database."""
    return database().transaction()

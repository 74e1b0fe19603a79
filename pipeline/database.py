"""The one place that opens database connections: single statements in autocommit, or whole transactions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import BoundedSemaphore
from typing import Any

import psycopg
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

import embedded
from models.connect import connect_driver, connect_engine
from settings import settings

Connection = psycopg.Connection[Any]

# Not the statement's fault: no answer at all, connection lost, too long idle in a transaction (this process was
# stopped), deadlock, out of resources, lock timeout, shutdown.
LOST_STATES = ("08", "25P03", "40", "53", "55P03", "57P")
DRIVER_FAULTS = (psycopg.Error, DBAPIError, PoolTimeout)
# As long as SQLAlchemy waits for its half.
LONGEST_WAIT_SECONDS = 30.0


def is_lost(fault: BaseException) -> bool:
    """Tell whether the same statement may succeed on another connection or a moment later."""
    if isinstance(fault, PoolTimeout):
        return True
    cause = fault.orig if isinstance(fault, DBAPIError) else fault
    if not isinstance(cause, psycopg.Error):
        return False
    if cause.sqlstate is None:
        return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)
    stale_plan = "cached plan" in str(cause)  # a migration changed a table under a prepared statement
    return stale_plan or cause.sqlstate.startswith(LOST_STATES)


class Database:
    """One database: driver connections for single statements, and SQLAlchemy's engine for the rest.

    Two halves of DATABASE_POOL_SIZE, because SQLAlchemy's pool and layers cost as much as a claim itself (60 µs of
    150 µs). Never borrow one while holding another: with every thread doing so, all would wait.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        most = settings().database_pool_size
        self.engine = connect_engine(url, pool_size=most // 2)
        self._places = BoundedSemaphore(most - most // 2)
        self._idle: deque[Connection] = deque()
        self._is_closed = False

    @contextmanager
    def statement(self) -> Iterator[Connection]:
        """Lend a connection in autocommit: one statement is one round trip and one commit."""
        with self._place():
            connection = self._borrow()
            try:
                yield connection
            except psycopg.Error as fault:
                if is_lost(fault):
                    connection.close()
                    self._close_idle()  # their server is gone too
                raise
            finally:
                self._give_back(connection)

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=LONGEST_WAIT_SECONDS):
            raise PoolTimeout("every database connection of this process is in use")
        try:
            yield
        finally:
            self._places.release()

    def _borrow(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return connect_driver(self.url)

    def _give_back(self, connection: Connection) -> None:
        if self._is_closed:  # by another thread, which no longer closes what comes back late
            connection.close()
        elif not connection.closed:
            self._idle.append(connection)

    @contextmanager
    def transaction(self) -> Iterator[tuple[Session, Connection]]:
        """Open one transaction seen through both the ORM session and the bare driver; commit at the end."""
        with self.engine.begin() as bound, Session(bind=bound, join_transaction_mode="rollback_only") as session:
            driver: Connection = bound.connection.driver_connection  # type: ignore[assignment]
            yield session, driver
            session.flush()

    def close(self) -> None:
        self._is_closed = True
        self.engine.dispose()
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            with suppress(IndexError):  # another thread took the last one
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

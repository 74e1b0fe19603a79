"""Run the migrations: one transaction, one at a time, only forwards.

There is no downgrade: a change that was wrong is put right by the next migration, or by restoring a backup.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import errors as postgres
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, OperationalError

from errors import BadInput, SchemaBehind
from migrations.compare import describe_differences
from migrations.system_rows import add_system_rows
from models.connect import connect_engine, server_down

HERE = Path(__file__).resolve().parent
# Held to the end of the transaction, not of the session, so that it also holds behind a transaction-mode pooler.
ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtext('scrapersky migrations'))")


def head() -> str:
    """Give the revision that this version of the program needs."""
    revision = _script().get_current_head()
    if revision is None:
        raise BadInput("This installation has no migrations: install it again.")
    return revision


def current(url: str) -> str | None:
    """Give the revision a database is at; None for one without our tables."""
    with _transaction(url) as connection:
        return _revision_of(connection)


def upgrade(url: str) -> list[str]:
    """Bring a database up to date, add the system tenant and user, and give the revisions applied."""
    with _transaction(url) as connection:
        connection.execute(ONE_AT_A_TIME)
        waiting = _waiting(_revision_of(connection))
        if waiting:
            command.upgrade(_config(connection), "head")
        add_system_rows(connection)
    return waiting


def check(url: str) -> None:
    """Refuse a database that is at another revision than this version needs."""
    revision = current(url)
    if _waiting(revision):
        raise SchemaBehind(
            f"The database is at revision {revision or 'none'} but this version needs {head()}:"
            " run `scrapersky db upgrade`."
        )


def differences(url: str) -> list[str]:
    """Say in words where the tables of an up-to-date database differ from the models."""
    with _transaction(url) as connection:
        return describe_differences(connection)


def write_revision(url: str, message: str) -> Path:
    """Write the next migration from the differences between models and an up-to-date database."""
    check(url)
    number = f"{int(head()) + 1:04d}"
    with _transaction(url) as connection:
        script = command.revision(_config(connection), message, autogenerate=True, rev_id=number)
    if script is None or isinstance(script, list):
        raise BadInput("Alembic wrote no single migration: check migrations/versions.")
    return Path(script.path)


def _waiting(revision: str | None) -> list[str]:
    """List the revisions after `revision`, oldest first."""
    known = {script.revision for script in _script().walk_revisions()}
    if revision is not None and revision not in known:
        raise SchemaBehind(
            f"The database is at revision {revision}, which this version does not know (it ends at {head()}):"
            " update the program."
        )
    return [script.revision for script in _script().iterate_revisions("head", revision or "base")][::-1]


def _revision_of(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    return config


def _script() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


@contextmanager
def _transaction(url: str) -> Iterator[Connection]:
    """Open one transaction on its own connection; turn the faults a person can mend into one sentence."""
    engine = connect_engine(url, pool_size=1)
    try:
        with engine.begin() as connection:
            yield connection
    except OperationalError as fault:
        raise server_down(url, fault) from None
    except DBAPIError as fault:
        raise _mendable(fault) or fault from None
    finally:
        engine.dispose()


def _mendable(fault: DBAPIError) -> BadInput | None:
    why = str(fault.orig).splitlines()[0] if fault.orig else ""
    if isinstance(fault.orig, postgres.DuplicateTable):
        return BadInput(f"The database holds tables of another program ({why}): give ScraperSky an empty one.")
    if isinstance(fault.orig, postgres.InsufficientPrivilege):
        return BadInput(f"The database user may not do this ({why}): use the owner of the database.")
    return None

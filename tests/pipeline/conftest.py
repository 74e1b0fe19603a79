"""An engine on one database for the folder, emptied before each test, with a doorbell that can be listened to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from models import Base
from pipeline import database, doorbell, lanes, lease
from pipeline.database import statement
from pipeline.lease import Lease
from pipeline.meters import meters
from pipeline.window import shares
from tests.pipeline.stagehand import Bells, Stagehand

# Children before parents; the system's own tenant and user stay.
KEPT = ("tenants", "users")
TABLES = [table.name for table in reversed(Base.metadata.sorted_tables) if table.name not in KEPT]
EMPTY = "".join(f"DELETE FROM {table};" for table in ["puppets", "puppet_visits", *TABLES]).encode()


@pytest.fixture(scope="session", autouse=True)
def _plain_logs() -> Iterator[None]:
    """Structlog's own default draws every traceback with all its variables, which takes seconds."""
    plain: list[Any] = [structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()]
    structlog.configure(processors=plain)
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def house(template: str, make_database: Callable[[str], str]) -> str:
    return make_database(template)


@pytest.fixture
def db(house: str) -> Iterator[str]:
    """Point this process at the folder's database, emptied: a clone for each test would cost most of its time."""
    database.use(house)
    with statement() as connection:
        connection.execute(EMPTY)
    shares.forget()
    lanes._last_lane.clear()
    meters.take()
    yield house
    database.use(None)


@pytest.fixture
def bells() -> Bells:
    """Every ring, in order, held until a test answers it."""
    return Bells()


@pytest.fixture
def worker(db: str) -> Lease:
    """A living worker process's lease."""
    held = lease.install(Lease(["tests"]))
    held.renew()
    return held


@pytest.fixture
def stagehand(worker: Lease, bells: Bells) -> Iterator[Stagehand]:
    """Puts puppets on stage and lets them play."""
    doorbell.install(bells)
    yield Stagehand(bells)
    doorbell.install(Bells())

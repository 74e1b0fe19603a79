"""An engine on one database for the folder, emptied before each test, with a doorbell that can be listened to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from pipeline import database, doorbell, lanes, lease
from pipeline.lease import Lease
from pipeline.meters import meters
from pipeline.window import shares
from tests.emptied import empty
from tests.pipeline.stagehand import Bells, Stagehand


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
    """Point this process at the folder's database, emptied."""
    database.use(house)
    empty()
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

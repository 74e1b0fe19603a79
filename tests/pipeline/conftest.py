"""An engine on a fresh database, with a doorbell that can be listened to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipeline import doorbell, lease
from pipeline.lease import Lease
from tests.pipeline.stagehand import Bells, Stagehand


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

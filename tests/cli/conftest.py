"""A house with puppet work in every status, and this process pointed at it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from embedded import Servers
from pipeline import doorbell, lease, selection
from pipeline.claim import claim
from pipeline.lease import Lease
from pipeline.selection import Match
from settings import settings
from tests.pipeline.stagehand import Bells, Stagehand
from tests.puppets import first

NASTY = "[bold]\x1b[31mred\x1b[0m\nforged line \u202e[/nope]"


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    """Commands set up logging for their process, which here is the tests'."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def configured(db: str, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> str:
    """Settings that name the test's servers and the puppets."""
    monkeypatch.setenv("DATABASE_URL", db)
    monkeypatch.setenv("REDIS_URL", servers.broker_url)
    monkeypatch.setenv("STAGE_MODULES", "tests.puppets")
    settings.cache_clear()
    return db


@pytest.fixture
def house(configured: str) -> Iterator[Stagehand]:
    """Work ids 1 to 5 have ended in every way there is, fred (id 10) runs and gina (id 11) waits."""
    worker = lease.install(Lease(["first", "second"]))
    worker.renew()
    hand = Stagehand(Bells())
    doorbell.install(hand.bells)
    hand.add("anna", host="anna.example")
    hand.add("bob", first={"acts": ["filtered"]})
    hand.add("carl", "carla", first={"acts": ["final"]})
    (dora,) = hand.add("dora")
    selection.cancel(Match(ids=[dora]))
    hand.answer_all()
    hand.execute("UPDATE work SET error = %s WHERE id = 4", NASTY)
    (fred,) = hand.add("fred")
    assert claim(first, fred, worker.id)
    hand.add("gina")
    yield hand
    doorbell.install(Bells())

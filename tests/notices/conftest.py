"""What a test of notices needs: the product's stages, a receiver on loopback, and an office that tells it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import settings
from fetching.client import client
from tests.notices.office import Office
from tests.notices.receiver import Receiver, listening
from tests.stages.conftest import _plain_logs, bells, db, house, scene, worker
from tests.stages.scene import Scene

__all__ = ["_plain_logs", "bells", "db", "house", "scene", "worker"]


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """Answers for every name under .example."""
    with listening(Receiver()) as made:
        monkeypatch.setenv("SANDBOX_ADDRESS", made.address)
        monkeypatch.setenv("LANE_GAP_SECONDS", "0")
        settings.settings.cache_clear()
        yield made
        client().close()


@pytest.fixture
def office(scene: Scene, receiver: Receiver) -> Office:
    return Office(scene)

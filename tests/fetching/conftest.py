"""Strangers to fetch from: a scripted server that answers for every name under .example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import settings
from fetching.client import Client
from tests.fetching.stranger import Script, Stranger


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], Stranger]]:
    """Start a scripted server and send every name under .example to it."""
    started: list[Stranger] = []

    def start(script: Script) -> Stranger:
        made = Stranger(script)
        started.append(made)
        monkeypatch.setenv("SANDBOX_ADDRESS", made.address)
        settings.settings.cache_clear()
        return made

    yield start
    for made in started:
        made.close()


@pytest.fixture
def make_client() -> Iterator[Callable[..., Client]]:
    """Make clients that are closed after the test."""
    made: list[Client] = []

    def make(**given: Any) -> Client:
        made.append(Client(**given))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client()

"""A sandbox on a thread of this process whose providers fail, hang or forget as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import settings
from fetching.client import client
from sandbox.internet import Internet
from sandbox.message import Reply, Request
from sandbox.places import Places
from sandbox.world import World
from tests.sandbox.conftest import Running

GOOGLE_URL = "http://places.googleapis.example"
OVERPASS_URL = "http://overpass.example/api/interpreter"
NOMINATIM_URL = "http://nominatim.example"
ROOMY = {"slots": 1_000_000, "gap_seconds": 0}


def point_at(port: int, monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Let the settings lead every provider to a sandbox."""
    chosen = {
        "SANDBOX_ADDRESS": f"127.0.0.1:{port}",
        "GOOGLE_PLACES_URL": GOOGLE_URL,
        "GOOGLE_MAPS_API_KEY": "sandbox-key",
        "OVERPASS_URL": OVERPASS_URL,
        "NOMINATIM_URL": NOMINATIM_URL,
        **values,
    }
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    client().close()  # a connection that is kept open leads to the sandbox of the test before


@contextmanager
def answering(answer: Callable[[Request], Reply], monkeypatch: pytest.MonkeyPatch, **values: str) -> Iterator[Running]:
    """Serve what a small function answers, under every name."""
    running = Running(answer)
    try:
        point_at(running.address[1], monkeypatch, **values)
        yield running
    finally:
        running.stop()


@contextmanager
def troubled(
    world: World, monkeypatch: pytest.MonkeyPatch, *, values: dict[str, str] | None = None, **options: Any
) -> Iterator[Running]:
    """Serve a world whose providers have these options."""
    places = Places(world, **(ROOMY | options))
    with answering(Internet(world, places=places.answer).answer, monkeypatch, **(values or {})) as running:
        yield running

"""A database for the folder, emptied before each test, the product's stages, and sandboxes to search in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from threading import Event, Thread
from typing import Any

import pytest

import settings
from fetching.client import client
from pipeline import controls, database, doorbell
from pipeline.lease import Lease
from pipeline.stage import stage_named
from pipeline.window import shares
from sandbox import Served, serving
from sandbox.places.providers import GOOGLE_HOST
from sandbox.world import World
from tests.emptied import empty
from tests.pipeline.conftest import _plain_logs, bells, house, worker
from tests.pipeline.stagehand import Bells
from tests.stages.scene import Scene

__all__ = ["_plain_logs", "bells", "house", "worker"]


@pytest.fixture
def db(house: str) -> Iterator[str]:
    """Point this process at the folder's database, emptied."""
    database.use(house)
    empty()
    shares.forget()
    yield house
    database.use(None)


@pytest.fixture
def scene(product_stages: None, worker: Lease, bells: Bells) -> Iterator[Scene]:
    """Starts searches and lets the stages work on them."""
    doorbell.install(bells)
    with _beating(worker):
        yield Scene(bells)
    doorbell.install(Bells())


@pytest.fixture
def no_sites(scene: Scene) -> None:
    """Stop before the first stage that reads sites: what is found there is not looked at here."""
    controls.pause(stage_named("domain_metadata"))


@contextmanager
def _beating(worker: Lease) -> Iterator[None]:
    """Renew the lease as a worker's own thread does: on a busy machine a test may outlast it."""
    over = Event()

    def beat() -> None:
        while not over.wait(1.0):
            worker.renew()

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Sandbox]]:
    """Serve a world; Google is asked there with the key of a test's choice."""
    with ExitStack() as stack:

        def serve(world: World, key: str = "sandbox-key") -> Sandbox:
            served = stack.enter_context(serving(world))
            values = {
                "SANDBOX_ADDRESS": f"127.0.0.1:{served.address[1]}",
                "GOOGLE_PLACES_URL": f"http://{GOOGLE_HOST}",
                "GOOGLE_MAPS_API_KEY": key,
                "GOOGLE_CALLS_PER_SECOND": "100",
                "OVERPASS_URL": "http://overpass.example/api/interpreter",
                "NOMINATIM_URL": "http://nominatim.example",
            }
            for name, value in values.items():
                monkeypatch.setenv(name, value)
            settings.settings.cache_clear()
            return Sandbox(served, world)

        yield serve
        client().close()  # this thread's connections to a server that is gone


class Sandbox:
    """A running sandbox with its world and its books."""

    def __init__(self, served: Served, world: World) -> None:
        self.served = served
        self.world = world

    def books(self) -> dict[str, Any]:
        """Read what Google was asked, and what was paid for twice."""
        connection = HTTPConnection(*self.served.address, timeout=30)
        try:
            connection.request("GET", "/sandbox/calls", headers={"Host": GOOGLE_HOST})
            books: dict[str, Any] = json.loads(connection.getresponse().read())
            return books
        finally:
            connection.close()

    def answered(self, kind: str = "searchText") -> int:
        """Count the calls that were answered."""
        return sum(row["count"] for row in self.books()["by_kind"] if row["kind"] == kind and row["status"] == 200)

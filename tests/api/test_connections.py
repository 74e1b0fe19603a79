"""No request waits for a database connection while it has one: were all in use so, nobody would ever go on."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from pipeline.database import database, statement
from settings import settings
from tests.api.bodies import sent
from tests.api.people import Person
from tests.api.planted import Planted
from tests.api.routes import OF_API, Route


class OneEach:
    """Room for everybody, and a count of those who had a place when they asked for another."""

    def __init__(self) -> None:
        self.holders: set[int] = set()
        self.greedy = 0

    def acquire(self, *, timeout: float) -> bool:
        self.greedy += threading.get_ident() in self.holders
        self.holders.add(threading.get_ident())
        return timeout > 0

    def release(self) -> None:
        self.holders.discard(threading.get_ident())


def test_no_route_asks_for_a_connection_while_it_has_one(
    admin: Person, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Planted(db, admin.tenant_id, admin.user_id)
    places = OneEach()
    monkeypatch.setattr(database(), "_places", places)
    asked = {str(route): greed(admin, own, route, places) for route in sorted(OF_API, key=is_change)}
    own.close()
    assert [route for route, many in asked.items() if many] == []


def greed(person: Person, own: Planted, route: Route, places: OneEach) -> int:
    """Call a route with its own tenant's rows, and count how often it asked for one place too many."""
    before = places.greedy
    params = {"seconds": "1"} if route.path.endswith("/events") else {}
    person.client.request(route.method, own.path(route), params=params, **sent(str(route), own))
    return places.greedy - before


def is_change(route: Route) -> tuple[bool, bool]:
    """What is taken away can be looked at no more, so it comes last."""
    return route.method != "GET", route.method == "DELETE"


def test_who_waits_too_long_for_a_connection_is_told_to_come_again(
    viewer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.database.LONGEST_WAIT_SECONDS", 0.2)
    most = settings().database_pool_size
    with ExitStack() as busy:
        for _ in range(most - most // 2):
            busy.enter_context(statement())
        answer = viewer.client.get("/api/v3/auth/me")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert viewer.client.get("/api/v3/auth/me").status_code == 200

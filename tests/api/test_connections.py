"""No request waits for a database connection while it has one: were all in use so, nobody would ever go on."""

from __future__ import annotations

import threading
from types import TracebackType

import pytest

from pipeline.database import database
from tests.api.bodies import sent
from tests.api.people import Person
from tests.api.planted import Planted
from tests.api.routes import OF_API, Route


class OneEach:
    """Room for everybody, and a count of those who had a place when they asked for another."""

    def __init__(self) -> None:
        self.holders: set[int] = set()
        self.greedy = 0

    def __enter__(self) -> None:
        self.greedy += threading.get_ident() in self.holders
        self.holders.add(threading.get_ident())

    def __exit__(self, _kind: type | None, _fault: BaseException | None, _where: TracebackType | None) -> None:
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

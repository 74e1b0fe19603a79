"""Nothing answers those who do not say who they are but liveness and the ways to log in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from api.app import app
from api.caller import caller

OPEN = {
    ("GET", "/healthz"),
    ("GET", "/login"),
    ("GET", "/login.js"),
    ("POST", "/login"),
    ("POST", "/api/v3/auth/login"),
    ("POST", "/api/v3/auth/refresh"),
    ("POST", "/api/v3/auth/link"),
}


def routes(entries: Iterable[Any] = app.routes, prefix: str = "") -> Iterator[tuple[str, str, APIRoute]]:
    """Give the method and path of every route, also of those that came with a router."""
    for entry in entries:
        if isinstance(entry, APIRoute):
            yield from ((method, prefix + entry.path, entry) for method in entry.methods or ())
        else:
            yield from routes(entry.original_router.routes, prefix + entry.include_context.prefix)


def asks_who_calls(dependant: Dependant) -> bool:
    return dependant.call is caller or any(map(asks_who_calls, dependant.dependencies))


def test_every_route_but_those_asks_who_calls() -> None:
    found = list(routes())
    assert {(method, path) for method, path, route in found if not asks_who_calls(route.dependant)} == OPEN
    assert len(found) > 60


@pytest.mark.parametrize(
    "authorization", [None, "Bearer ssk_" + "x" * 43, "Bearer eyJhbGciOiJub25lIn0.e30.", "Basic eDp5"]
)
def test_every_route_but_those_refuses_whoever_proves_nothing(url: str, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    statuses = {}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        for method, path, _ in routes():
            if (method, path) not in OPEN:
                statuses[method, path] = client.request(method, re.sub(r"\{[^}]+\}", "1", path)).status_code
    assert {route: status for route, status in statuses.items() if status != 401} == {}

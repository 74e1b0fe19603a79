"""Nothing answers those who do not say who they are but liveness and the ways to log in."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def routes() -> Iterator[tuple[str, APIRoute]]:
    for route in app.routes:
        assert isinstance(route, APIRoute), f"{route} cannot be checked"
        yield from ((method, route) for method in route.methods)


def asks_who_calls(dependant: Dependant) -> bool:
    return dependant.call is caller or any(map(asks_who_calls, dependant.dependencies))


def test_every_route_but_those_asks_who_calls() -> None:
    assert {(method, route.path) for method, route in routes() if not asks_who_calls(route.dependant)} == OPEN


@pytest.mark.parametrize(
    "authorization", [None, "Bearer ssk_" + "x" * 43, "Bearer eyJhbGciOiJub25lIn0.e30.", "Basic eDp5"]
)
def test_every_route_but_those_refuses_whoever_proves_nothing(url: str, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    wrong = {}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        for method, route in routes():
            if (method, route.path) not in OPEN:
                status = client.request(method, re.sub(r"\{[^}]+\}", "1", route.path)).status_code
                wrong[method, route.path] = status
    assert {route: status for route, status in wrong.items() if status != 401} == {}

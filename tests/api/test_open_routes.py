"""Nothing answers those who do not say who they are but liveness and the ways to log in."""

from __future__ import annotations

import re

import httpx
import pytest
from fastapi.dependencies.models import Dependant

from api.caller import caller
from tests.api.routes import api_routes

OPEN = {
    ("GET", "/healthz"),
    ("POST", "/api/v3/auth/login"),
    ("POST", "/api/v3/auth/refresh"),
    ("POST", "/api/v3/auth/link"),
}


def asks_who_calls(dependant: Dependant) -> bool:
    return dependant.call is caller or any(map(asks_who_calls, dependant.dependencies))


def test_every_route_but_those_asks_who_calls() -> None:
    found = list(api_routes())
    assert {(route.method, route.path) for route, made in found if not asks_who_calls(made.dependant)} == OPEN
    assert len(found) > 60


@pytest.mark.parametrize(
    "authorization", [None, "Bearer ssk_" + "x" * 43, "Bearer eyJhbGciOiJub25lIn0.e30.", "Basic eDp5"]
)
def test_every_route_but_those_refuses_whoever_proves_nothing(url: str, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    statuses = {}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        for route, _ in api_routes():
            if (route.method, route.path) not in OPEN:
                path = re.sub(r"\{[^}]+\}", "1", route.path)
                statuses[route.method, route.path] = client.request(route.method, path).status_code
    assert {route: status for route, status in statuses.items() if status != 401} == {}

"""Nothing is shown to those who are not logged in but the ways to log in, and our own files."""

from __future__ import annotations

import re

import httpx
import pytest

from dashboard import visitor
from dashboard.page import POLICY
from tests.api.people import People
from tests.dashboard.asking import Told, ask
from tests.dashboard.routes import ROUTES, UPLOADS, Route, parts

OPEN = {
    "GET /static/{_digest}/{name}",
    "GET /favicon.ico",
    "GET /login",
    "POST /login",
    "GET /login/link",
    "POST /login/link",
}
CLOSED = [route for route in ROUTES if str(route) not in OPEN]


def test_every_route_but_those_asks_who_visits() -> None:
    asking = {
        str(route) for route in ROUTES if any(part.call is visitor.visitor for part in parts(route.made.dependant))
    }
    assert {str(route) for route in ROUTES} - asking == OPEN


@pytest.mark.parametrize("kind", ["nothing", "an invented cookie", "an unsigned cookie", "a key"])
def test_every_route_but_those_sends_whoever_proves_nothing_to_log_in(people: People, kind: str) -> None:
    cookies = {
        "nothing": None, "an invented cookie": "x" * 80, "an unsigned cookie": "eyJhbGciOiJub25lIn0.e30.",
        "a key": people.person("admin").key,
    }  # fmt: skip
    wrong = {}
    with httpx.Client(base_url=people.url, timeout=60) as client:
        if (cookie := cookies[kind]) is not None:
            client.cookies.set(visitor.COOKIE, cookie)
        for route in CLOSED:
            path = re.sub(r"\{[^}]+\}", "1", route.path)
            told = ask(client, route, path, htmx=kind == "nothing")
            if said := kept_out(route, told, is_part=kind == "nothing"):
                wrong[str(route)] = said
    assert wrong == {}


def kept_out(route: Route, told: Told, *, is_part: bool) -> str | None:
    """Say what is wrong with an answer to somebody who is not logged in."""
    refused_unread = route.path.endswith(UPLOADS) and not route.is_safe
    expected = 401 if is_part or refused_unread else 303
    leads = told.headers.get("hx-redirect" if is_part else "location", "").partition("?")[0]
    if told.status != expected or (leads != "/login" and not refused_unread):
        return f"{told.status} to {leads!r}"
    return None if refused_unread or told.headers["content-security-policy"] == POLICY else "no policy"

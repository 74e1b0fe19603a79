"""Nothing is shown to those who are not logged in but the ways to log in, and our own files."""

from __future__ import annotations

import re

import httpx
import pytest

from dashboard import visitor
from dashboard.page import POLICY
from tests.api.people import People
from tests.dashboard.asking import ask
from tests.dashboard.routes import ROUTES, UPLOADS, parts

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
    wrong: dict[str, object] = {}
    with httpx.Client(base_url=people.url, timeout=60) as client:
        if (cookie := cookies[kind]) is not None:
            client.cookies.set(visitor.COOKIE, cookie)
        for route in CLOSED:
            path = re.sub(r"\{[^}]+\}", "1", route.path)
            page, part = ask(client, route, path), ask(client, route, path, htmx=True)
            seen = (page.status, page.headers.get("location", "").partition("?")[0], part.status)
            refused_unread = path.endswith(UPLOADS) and not route.is_safe
            if seen != ((401, "", 401) if refused_unread else (303, "/login", 401)):
                wrong[str(route)] = seen
            elif not refused_unread and page.headers["content-security-policy"] != POLICY:
                wrong[str(route)] = "no policy"
    assert wrong == {}

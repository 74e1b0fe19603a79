"""Whoever does not say who they are gets nothing."""

from __future__ import annotations

import re

import httpx
import pytest

from api.app import PREFIX, app
from tests.api.people import People


def test_a_request_without_a_key_is_refused_in_words(url: str) -> None:
    answer = httpx.get(f"{url}/api/v3/openapi.json", timeout=60)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["detail"].startswith("Say who you are")


def test_a_key_lets_its_user_in(people: People) -> None:
    assert people.person("viewer").client.get("/api/v3/openapi.json").status_code == 200


def test_an_invented_key_is_refused(url: str) -> None:
    answer = httpx.get(f"{url}/api/v3/openapi.json", headers={"X-API-Key": "ssk_" + "x" * 43}, timeout=60)
    assert answer.status_code == 401


def test_too_long_a_body_is_refused_before_it_is_read(people: People) -> None:
    answer = people.person().client.post("/api/v3/openapi.json", content=b"x" * 2_000_000)
    assert answer.status_code == 413


def test_every_route_but_the_ways_in_asks_who_calls(url: str) -> None:
    ways_in = {f"{PREFIX}/auth/{name}" for name in ("login", "refresh", "link")}
    paths = app.openapi()["paths"]
    asked = [(method, path) for path, methods in paths.items() for method in methods if path.startswith(PREFIX)]
    assert len(asked) > len(ways_in)
    with httpx.Client(base_url=url, timeout=60) as nobody:
        open_to_all = {
            path for method, path in asked if nobody.request(method, re.sub(r"{\w+}", "1", path)).status_code != 401
        }
    assert open_to_all == ways_in


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Basic YWRtaW46YWRtaW4="},
        {"Authorization": "Bearer"},
        {"Authorization": "ssk_"},
        {"X-API-Key": "' OR 1=1 --"},
        {"Cookie": "session=1"},
        {"X-User-Id": "1", "X-Tenant-Id": "1"},
    ],
)
def test_nothing_else_says_who_one_is(url: str, headers: dict[str, str]) -> None:
    assert httpx.get(f"{url}/api/v3/auth/me", headers=headers, timeout=60).status_code == 401


def test_a_key_in_the_address_is_not_read(people: People, url: str) -> None:
    key = people.person().key
    for name in ("key", "api_key", "token", "access_token"):
        assert httpx.get(f"{url}/api/v3/auth/me", params={name: key}, timeout=60).status_code == 401


def test_a_key_in_either_header_counts(people: People, url: str) -> None:
    key = people.person().key
    for headers in ({"X-API-Key": key}, {"Authorization": f"Bearer {key}"}, {"authorization": f"bearer {key}"}):
        assert httpx.get(f"{url}/api/v3/auth/me", headers=headers, timeout=60).status_code == 200

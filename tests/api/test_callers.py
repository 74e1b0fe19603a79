"""Whoever does not say who they are gets nothing."""

from __future__ import annotations

import httpx

from tests.api.people import People


def test_a_request_without_a_key_is_refused_in_words(url: str) -> None:
    answer = httpx.get(f"{url}/api/v3/openapi.json")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["detail"].startswith("Say who you are")


def test_a_key_lets_its_user_in(people: People) -> None:
    assert people.person("viewer").client.get("/api/v3/openapi.json").status_code == 200


def test_an_invented_key_is_refused(url: str) -> None:
    answer = httpx.get(f"{url}/api/v3/openapi.json", headers={"X-API-Key": "ssk_" + "x" * 43})
    assert answer.status_code == 401


def test_too_long_a_body_is_refused_before_it_is_read(people: People) -> None:
    answer = people.person().client.post("/api/v3/openapi.json", content=b"x" * 2_000_000)
    assert answer.status_code == 413

"""What nobody sends by accident: every route answers with a clear refusal, never with a fault of its own."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.bodies import sent
from tests.api.people import Person
from tests.api.planted import Planted
from tests.api.routes import OF_API, Route

JSON = {"Content-Type": "application/json"}
TAKING_JSON = [route for route in OF_API if route.takes_json]
WITH_ID = [route for route in OF_API if route.parameters]
LISTS = [route for route in OF_API if route.queries and not str(route).endswith("/events")]
PROBLEM = "application/problem+json"

# Bodies that are no JSON, or none that anybody means.
UNREADABLE: dict[str, bytes] = {
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "cut off": b'{"a": [1, 2',
    "bad UTF-8": b'{"a": "\xff\xfe\xc3\x28"}',
    "NUL": b"\x00" * 10,
    "a number too long": b'{"a": ' + b"9" * 5000 + b"}",
    "not a number": b'{"a": NaN}',
    "nothing": b"",
    "a list": b"[]",
    "a word": b'"word"',
}
HOSTILE_WORDS = (
    "\x00",
    "a\x00b",
    "\ud800",
    "'; DROP TABLE users; --",
    "1' OR '1'='1",
    "=cmd|'/C calc'!A0",
    "+SUM(A1:A9)",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "../../etc/passwd",
    "%00%0a",
    "\u202e\u200b",
    "x" * 100_000,
)
ODD_VALUES: tuple[Any, ...] = (None, True, -1, 0, 2**63, 2**64, 1e308, [], {}, [[]], {"a": {"b": []}}, "")
ODD_IDS = ("0", "-1", str(2**63), str(2**64), "9" * 40, "a", "1.5", "%00", "'", "%2e%2e", "1;2")


@pytest.fixture
def own(admin: Person, db: str) -> Iterator[Planted]:
    made = Planted(db, admin.tenant_id, admin.user_id)
    yield made
    made.close()


def faults(answer: httpx.Response) -> str | None:
    """Say what is wrong with an answer to something hostile; a refusal is in our words."""
    if answer.status_code >= 500:
        return f"{answer.status_code}: {answer.text[:200]}"
    if answer.status_code >= 400 and not answer.headers["content-type"].startswith(PROBLEM):
        return f"{answer.status_code} as {answer.headers['content-type']}"
    if answer.status_code >= 400 and not answer.json()["detail"].endswith((".", "…")):
        return f"no sentence: {answer.json()['detail'][:200]!r}"
    return None


@pytest.mark.parametrize("kind", sorted(UNREADABLE))
def test_a_body_that_cannot_be_read_is_refused(admin: Person, own: Planted, kind: str) -> None:
    wrong = {}
    for route in TAKING_JSON:
        answer = admin.client.request(route.method, own.path(route), content=UNREADABLE[kind], headers=JSON)
        if not 400 <= answer.status_code < 500 and not _may_be_empty(route, kind):
            wrong[str(route)] = f"{answer.status_code}: {answer.text[:200]}"
        elif said := faults(answer):
            wrong[str(route)] = said
    assert wrong == {}


def _may_be_empty(route: Route, kind: str) -> bool:
    return kind == "nothing" and not route.operation["requestBody"].get("required", False)


def test_twenty_megabytes_are_refused(admin: Person, own: Planted) -> None:
    body = b'{"a": "' + b"x" * 20_000_000 + b'"}'
    wrong = {}
    for route in TAKING_JSON:
        try:
            answer = admin.client.request(route.method, own.path(route), content=body, headers=JSON)
        except httpx.WriteError:  # refused by what it announced, and not listened to any further
            continue
        if answer.status_code != 413:
            wrong[str(route)] = answer.status_code
    assert wrong == {}


def test_a_body_that_grows_beyond_what_it_announced_is_refused(admin: Person, own: Planted) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(3000):
            yield b"x" * 1000

    statuses = set()
    for route in TAKING_JSON[:5]:
        try:
            statuses.add(
                admin.client.request(route.method, own.path(route), content=pieces(), headers=JSON).status_code
            )
        except httpx.WriteError:  # refused and not listened to any further
            continue
    assert statuses <= {413}


def test_an_upload_of_nobody_is_refused_before_any_of_it_has_come(url: str) -> None:
    address = urlsplit(url)
    head = "POST /api/v3/batches/domains/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 40000000\r\n"
    with socket.create_connection((address.hostname or "", address.port or 0), timeout=60) as client:
        client.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode())
        assert client.recv(1000).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize("word", HOSTILE_WORDS, ids=[repr(word[:12]) for word in HOSTILE_WORDS])
def test_hostile_words_in_every_field(admin: Person, own: Planted, word: str) -> None:
    """Whatever may be stored is stored as it is; whatever may not is refused."""
    wrong = {}
    for route in TAKING_JSON:
        for name, body in spoilt(sent(str(route), own)["json"], word):
            answer = admin.client.request(route.method, own.path(route), content=body, headers=JSON)
            if said := faults(answer):
                wrong[f"{route} {name}"] = said
    assert wrong == {}


def spoilt(body: dict[str, Any], value: Any) -> Iterator[tuple[str, bytes]]:
    """Give the body with one field after the other replaced."""
    for name, before in body.items():
        spoiled = [value] if isinstance(before, list) and isinstance(value, str) else value
        yield name, json.dumps(body | {name: spoiled}).encode()
    yield "unknown field", json.dumps(body | {"no_such_field": value}).encode()


def test_odd_values_in_every_field(admin: Person, own: Planted) -> None:
    wrong = {}
    for route in TAKING_JSON:
        for value in ODD_VALUES:
            for name, body in spoilt(sent(str(route), own)["json"], value):
                answer = admin.client.request(route.method, own.path(route), content=body, headers=JSON)
                if said := faults(answer):
                    wrong[f"{route} {name}={value!r:.40}"] = said
    assert wrong == {}


def test_a_field_that_does_not_exist_is_refused(admin: Person, own: Planted) -> None:
    wrong = {}
    for route in TAKING_JSON:
        body = sent(str(route), own)["json"] | {"no_such_field": 1}
        answer = admin.client.request(route.method, own.path(route), json=body)
        if answer.status_code != 422:
            wrong[str(route)] = answer.status_code
    assert wrong == {}


def test_another_kind_of_content_is_refused(admin: Person, own: Planted) -> None:
    wrong = {}
    for route in TAKING_JSON:
        for kind in ("text/plain", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded"):
            answer = admin.client.request(route.method, own.path(route), content=b"a=1", headers={"Content-Type": kind})
            if not 400 <= answer.status_code < 500 or faults(answer):
                wrong[f"{route} {kind}"] = f"{answer.status_code}: {answer.text[:100]}"
    assert wrong == {}


@pytest.mark.parametrize("odd", ODD_IDS)
def test_odd_ids_are_refused(admin: Person, own: Planted, odd: str) -> None:
    wrong = {}
    for route in WITH_ID:
        path = route.path
        for name in route.parameters:
            path = path.replace(f"{{{name}}}", odd)
        answer = admin.client.request(route.method, path, **sent(str(route), own))
        if not 400 <= answer.status_code < 500 or faults(answer):
            wrong[str(route)] = f"{answer.status_code}: {answer.text[:200]}"
    assert wrong == {}


@pytest.mark.parametrize("word", ["\x00", "'; SELECT 1; --", "x" * 3000, "-1", str(2**64), "é\u202e", "[]", "=1+1", ""])
def test_hostile_queries(admin: Person, own: Planted, word: str) -> None:
    wrong = {}
    for route in LISTS:
        for query in route.queries:
            answer = admin.client.request(route.method, own.path(route), params={query["name"]: word})
            if said := faults(answer):
                wrong[f"{route} {query['name']}"] = said
    assert wrong == {}

"""The providers as a whole: hosts, keys, faults, quota and the books."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest

from sandbox import places as module
from sandbox.message import Reply, Request
from sandbox.places import Places
from sandbox.world import World

KEY = "sandbox-key"
AUSTIN = "dentists in Austin, TX"


@cache
def dentists(size: int = 300) -> World:
    """Give a world of nothing but dentists in Austin."""
    return World(size, town="Austin, TX", category="dentist")


@cache
def mixed(size: int = 1_500) -> World:
    """Give a world of all towns and trades."""
    return World(size)


@dataclass
class Clock:
    """A clock that moves when told."""

    time: float = 1_700_000_000.0

    def __call__(self) -> float:
        return self.time


def read(reply: Reply) -> Any:
    assert isinstance(reply.body, bytes)
    return json.loads(reply.body)


def search(places: Places, body: object, mask: str = "places.id,nextPageToken", key: str = KEY) -> Reply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"x-goog-api-key": key, "x-goog-fieldmask": mask}
    reply = places.answer(Request("POST", "places.googleapis.example", "/v1/places:searchText", "", headers, raw))
    assert reply is not None
    return reply


def details(places: Places, place_id: str, mask: str = "id", key: str = KEY) -> Reply:
    headers = {"x-goog-api-key": key, "x-goog-fieldmask": mask}
    reply = places.answer(Request("GET", "places.googleapis.example", f"/v1/places/{place_id}", "", headers))
    assert reply is not None
    return reply


def get(places: Places, host: str, path: str, query: Mapping[str, str] | None = None, agent: str = "tests/1") -> Reply:
    reply = places.answer(Request("GET", host, path, urlencode(query or {}), {"user-agent": agent}))
    assert reply is not None
    return reply


def refused(reply: Reply, status: int, word: str) -> dict[str, Any]:
    """Check Google's form of an error and give its inside."""
    error: dict[str, Any] = read(reply)["error"]
    assert (reply.status, error["code"], error["status"]) == (status, status, word)
    assert error["message"]
    return error


def ids(reply: Reply) -> list[str]:
    assert reply.status == 200, read(reply)
    return [place["id"] for place in read(reply).get("places", [])]


def test_other_hosts_are_left_to_others() -> None:
    assert Places(dentists()).answer(Request("GET", "smith-dental.example", "/")) is None


def test_the_module_keeps_one_state_for_a_world() -> None:
    world = World(5)
    first = module.answer(world, Request("GET", "nominatim.example", "/search", "q=Austin", {"user-agent": "tests/1"}))
    again = module.answer(world, Request("GET", "nominatim.example", "/search", "q=Austin", {"user-agent": "tests/1"}))
    assert first is not None
    assert again is not None
    assert (first.status, again.status) == (200, 429)


def test_a_bad_key_is_named_as_such() -> None:
    error = refused(search(Places(dentists()), {"textQuery": AUSTIN}, key="AIza-wrong"), 400, "INVALID_ARGUMENT")
    assert error["details"][0]["reason"] == "API_KEY_INVALID"


def test_a_forbidden_key_and_no_key_are_denied() -> None:
    places = Places(dentists())
    refused(search(places, {"textQuery": AUSTIN}, key="forbidden"), 403, "PERMISSION_DENIED")
    refused(search(places, {"textQuery": AUSTIN}, key=""), 403, "PERMISSION_DENIED")


def test_the_key_may_stand_in_the_address() -> None:
    request = Request(
        "POST", "places.googleapis.example", "/v1/places:searchText", f"key={KEY}",
        {"x-goog-fieldmask": "places.id"}, json.dumps({"textQuery": AUSTIN}).encode(),
    )  # fmt: skip
    reply = Places(dentists()).answer(request)
    assert reply is not None
    assert reply.status == 200


def test_unknown_paths_are_not_found() -> None:
    reply = get(Places(dentists()), "places.googleapis.example", "/v1/places:searchText")
    refused(reply, 404, "NOT_FOUND")


def test_the_quota_of_a_minute_comes_back() -> None:
    clock = Clock()
    places = Places(dentists(), now=clock, calls_per_minute=2)
    statuses = [search(places, {"textQuery": AUSTIN}).status for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused(search(places, {"textQuery": AUSTIN}), 429, "RESOURCE_EXHAUSTED")
    assert search(places, {"textQuery": AUSTIN}, key="sandbox-other").status == 200
    clock.time += 60
    assert search(places, {"textQuery": AUSTIN}).status == 200


def test_the_quota_of_a_day_outlasts_the_minute() -> None:
    clock = Clock()
    places = Places(dentists(), now=clock, calls_per_day=1)
    assert search(places, {"textQuery": AUSTIN}).status == 200
    clock.time += 120
    assert search(places, {"textQuery": AUSTIN}).status == 429
    clock.time += 86_400
    assert search(places, {"textQuery": AUSTIN}).status == 200


def test_a_script_says_which_call_fails_how() -> None:
    places = Places(dentists(), script={"google": {2: 503, 3: 500, 4: "reset", 5: "hang"}})
    replies = [search(places, {"textQuery": AUSTIN}) for _ in range(6)]
    assert [reply.status for reply in replies[:3]] == [200, 503, 500]
    refused(replies[1], 503, "UNAVAILABLE")
    refused(replies[2], 500, "INTERNAL")
    assert replies[3].resets
    assert replies[4].hangs
    assert replies[5].status == 200


def test_a_script_for_nobody_is_an_error() -> None:
    with pytest.raises(ValueError, match="bing"):
        Places(dentists(), script={"bing": {1: 500}})


def test_every_nth_call_can_fail() -> None:
    places = Places(dentists(), fail_every=3)
    assert [search(places, {"textQuery": AUSTIN}).status for _ in range(6)] == [200, 200, 503, 200, 200, 503]


@pytest.mark.parametrize(
    ("key", "statuses"),
    [
        ("sandbox-fail-after-2", [200, 200, 503, 503]),
        ("sandbox-fail-once-after-2", [200, 200, 503, 200]),
        ("sandbox-quota-1-mine", [200, 429, 429, 429]),
        ("sandbox-anything", [200, 200, 200, 200]),
    ],
)
def test_a_key_can_bring_its_own_trouble(key: str, statuses: list[int]) -> None:
    places = Places(dentists())
    assert [search(places, {"textQuery": AUSTIN}, key=key).status for _ in range(4)] == statuses


def test_the_books_say_what_calls_would_cost() -> None:
    places = Places(dentists())
    place_id = dentists().business(0).place_id
    search(places, {"textQuery": AUSTIN}, "places.id,places.name,nextPageToken")  # free
    search(places, {"textQuery": AUSTIN}, "places.id,places.location")
    search(places, {"textQuery": AUSTIN}, "places.websiteUri")
    search(places, {"textQuery": AUSTIN}, "*")
    details(places, place_id, "id")  # free
    details(places, place_id, "location")
    details(places, place_id, "displayName")
    details(places, place_id, "displayName,rating")
    details(places, place_id, "rating", key="wrong")  # refused, hence free
    assert places.google.ledger.usd == pytest.approx((32 + 35 + 40 + 5 + 17 + 20) / 1_000)
    assert places.google.ledger.calls == 9
    shown = read(get(places, "places.googleapis.example", "/sandbox/calls"))
    assert shown["usd"] == places.google.ledger.usd
    assert {"kind": "details", "tier": "essentials", "status": 200, "count": 1} in shown["by_kind"]


def test_the_books_know_what_was_paid_twice() -> None:
    places = Places(dentists())
    place_id = dentists().business(0).place_id
    details(places, place_id, "id")
    details(places, place_id, "id")
    details(places, place_id, "rating,websiteUri,displayName")
    assert places.google.ledger.paid_twice == {}
    assert places.google.ledger.values_bought_twice == 0
    details(places, place_id, "displayName")
    assert places.google.ledger.values_bought_twice == 1
    details(places, place_id, "displayName")
    assert list(places.google.ledger.paid_twice.values()) == [2]


def test_a_page_asked_for_again_is_paid_twice_whatever_its_token() -> None:
    clock = Clock()
    places = Places(dentists(), now=clock)
    first = read(search(places, {"textQuery": AUSTIN}, "places.displayName,nextPageToken"))
    clock.time += 1
    again = read(search(places, {"textQuery": AUSTIN}, "places.displayName,nextPageToken"))
    assert first["nextPageToken"] != again["nextPageToken"]
    for token in (first["nextPageToken"], again["nextPageToken"]):
        search(places, {"textQuery": AUSTIN, "pageToken": token}, "places.displayName,nextPageToken")
    assert list(places.google.ledger.paid_twice.values()) == [2, 2]

"""Google's text search: texts, masks, pages, tokens, boxes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.business import Business
from sandbox.places import Places
from sandbox.places.geometry import Box, distance
from sandbox.places.hours import is_open
from sandbox.world import World
from tests.sandbox.test_places import AUSTIN, Clock, dentists, ids, mixed, read, refused, search

TOWN = dentists().towns[0]


def rectangle(south: float, west: float, north: float, east: float) -> dict[str, Any]:
    low, high = {"latitude": south, "longitude": west}, {"latitude": north, "longitude": east}
    return {"rectangle": {"low": low, "high": high}}


def pages(places: Places, body: dict[str, Any], mask: str = "places.id,nextPageToken") -> list[list[str]]:
    found, token = [], ""
    while True:
        reply = search(places, body | ({"pageToken": token} if token else {}), mask)
        found.append(ids(reply))
        token = read(reply).get("nextPageToken", "")
        if not token:
            return found


def everyone(places: Places, body: dict[str, Any]) -> list[str]:
    return [place_id for page in pages(places, body) for place_id in page]


def businesses(world: World, found: list[str]) -> list[Business]:
    known = [world.by_place_id(place_id) for place_id in found]
    assert None not in known
    return [business for business in known if business is not None]


@pytest.mark.parametrize(
    "text",
    ["dentists in Austin, TX", "dentists near Austin, TX", "dental clinic Austin", "Austin Texas dentist",
     "DENTIST, austin, tx, USA", "best dentists in Austin"],
)  # fmt: skip
def test_a_trade_and_a_town_are_understood(text: str) -> None:
    found = businesses(mixed(), everyone(Places(mixed()), {"textQuery": text}))
    assert len(found) == 60
    assert {(one.category.name, one.town.name) for one in found} == {("dentist", "Austin")}


def test_all_of_a_small_town_is_found() -> None:
    found = everyone(Places(mixed()), {"textQuery": "hotels in Lyon, France"})
    there = [one.place_id for one in mixed() if one.category.name == "hotel" and one.town.name == "Lyon"]
    assert sorted(found) == sorted(there)
    assert found


def test_a_town_is_known_by_its_english_name() -> None:
    found = businesses(mixed(), everyone(Places(mixed()), {"textQuery": "dentist Munich"}))
    assert {one.town.name for one in found} == {"München"}


@pytest.mark.parametrize("text", ["dentists in Atlantis", "dentists in Austin, MN", "quantum llamas"])
def test_what_is_not_there_is_not_found(text: str) -> None:
    reply = search(Places(mixed()), {"textQuery": text})
    assert (reply.status, read(reply)) == (200, {})


def test_a_town_is_found_by_its_bare_name_with_its_box() -> None:
    mask = "places.displayName,places.types,places.viewport,places.websiteUri"
    (town,) = read(search(Places(mixed()), {"textQuery": "Austin, TX"}, mask))["places"]
    assert set(town) == {"displayName", "types", "viewport"}
    assert town["displayName"]["text"] == "Austin"
    assert town["types"] == ["locality", "political"]
    assert town["viewport"]["low"] == {"latitude": TOWN.south, "longitude": TOWN.west}
    assert town["viewport"]["high"] == {"latitude": TOWN.north, "longitude": TOWN.east}
    assert read(search(Places(mixed()), {"textQuery": "Austin", "locationRestriction": rectangle(0, 0, 1, 1)})) == {}


def test_a_business_is_found_by_its_name() -> None:
    wanted = next(one for one in mixed() if one.name.startswith("Zilker") and one.town == TOWN)
    around = rectangle(wanted.latitude - 0.01, wanted.longitude - 0.01, wanted.latitude + 0.01, wanted.longitude + 0.01)
    found = everyone(Places(mixed()), {"textQuery": "Zilker Austin", "locationRestriction": around})
    assert wanted.place_id in found
    assert all("Zilker" in one.name for one in businesses(mixed(), found))


def test_pages_hold_twenty_and_stop_at_sixty() -> None:
    found = pages(Places(dentists()), {"textQuery": AUSTIN})
    assert [len(page) for page in found] == [20, 20, 20]
    assert len({place_id for page in found for place_id in page}) == 60


def test_a_page_may_be_smaller_and_never_larger() -> None:
    places = Places(dentists())
    assert [len(page) for page in pages(places, {"textQuery": AUSTIN, "pageSize": 25})] == [20, 20, 20]
    assert [len(page) for page in pages(places, {"textQuery": AUSTIN, "pageSize": 7})] == [7] * 8 + [4]
    assert everyone(places, {"textQuery": AUSTIN, "pageSize": 7}) == everyone(places, {"textQuery": AUSTIN})
    refused(search(places, {"textQuery": AUSTIN, "pageSize": -1}), 400, "INVALID_ARGUMENT")


def test_a_full_last_page_has_no_token() -> None:
    world = dentists(20)
    assert [len(page) for page in pages(Places(world), {"textQuery": AUSTIN})] == [20]


def test_the_token_comes_only_when_asked_for() -> None:
    places = Places(dentists())
    assert set(read(search(places, {"textQuery": AUSTIN}, "places.id"))) == {"places"}
    assert set(read(search(places, {"textQuery": AUSTIN}, "nextPageToken"))) == {"nextPageToken"}
    assert set(read(search(places, {"textQuery": AUSTIN}, "*"))) == {"places", "nextPageToken"}


def test_a_token_is_bound_to_its_query() -> None:
    places = Places(dentists())
    token = read(search(places, {"textQuery": AUSTIN}))["nextPageToken"]
    changed: list[dict[str, Any]] = [
        {"textQuery": "dentist"},
        {"textQuery": AUSTIN, "minRating": 3},
        {"textQuery": AUSTIN, "regionCode": "US"},
    ]
    for body in changed:
        refused(search(places, body | {"pageToken": token}), 400, "INVALID_ARGUMENT")
    assert len(ids(search(places, {"textQuery": AUSTIN, "pageToken": token, "pageSize": 5}))) == 5


@pytest.mark.parametrize("token", ["x", "A" * 80, "ü", "=", "a" * 5_000])
def test_a_made_up_token_is_refused(token: str) -> None:
    refused(search(Places(dentists()), {"textQuery": AUSTIN, "pageToken": token}), 400, "INVALID_ARGUMENT")


def test_a_token_that_was_tampered_with_is_refused() -> None:
    places = Places(dentists())
    token = read(search(places, {"textQuery": AUSTIN}))["nextPageToken"]
    for at in range(len(token) - 1):
        forged = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        refused(search(places, {"textQuery": AUSTIN, "pageToken": forged}), 400, "INVALID_ARGUMENT")


def test_a_token_expires() -> None:
    clock = Clock()
    places = Places(dentists(), now=clock, token_seconds=100)
    token = read(search(places, {"textQuery": AUSTIN}))["nextPageToken"]
    clock.time += 100
    assert search(places, {"textQuery": AUSTIN, "pageToken": token}).status == 200
    clock.time += 1
    refused(search(places, {"textQuery": AUSTIN, "pageToken": token}), 400, "INVALID_ARGUMENT")


def test_two_sandboxes_answer_alike() -> None:
    body = {"textQuery": AUSTIN}
    assert everyone(Places(dentists()), body) == everyone(Places(World(300, town="Austin", category="dentist")), body)


edges = st.floats(0.0, 1.0)


@given(edges, edges, edges, edges)
@settings(max_examples=30, deadline=None)
def test_a_box_restricts(down: float, across: float, up: float, right: float) -> None:
    (low, high), (left, far) = sorted((down, up)), sorted((across, right))
    tall, wide = TOWN.north - TOWN.south, TOWN.east - TOWN.west
    box = Box(TOWN.south + low * tall, TOWN.west + left * wide, TOWN.south + high * tall, TOWN.west + far * wide)
    body = {"textQuery": "dentist", "locationRestriction": rectangle(box.south, box.west, box.north, box.east)}
    found = everyone(Places(dentists()), body)
    inside = [one.place_id for one in dentists() if box.contains(one.latitude, one.longitude)]
    assert set(found) <= set(inside)
    assert len(found) == len(set(found)) == min(len(inside), 60)


@given(st.floats(0.35, 0.65), st.floats(0.35, 0.65), st.floats(0.0, 0.35))
@settings(max_examples=25, deadline=None)
def test_four_quarters_hold_what_the_whole_holds(down: float, across: float, half: float) -> None:
    tall, wide = TOWN.north - TOWN.south, TOWN.east - TOWN.west
    middle, centre = TOWN.south + down * tall, TOWN.west + across * wide
    south, north = middle - half * tall, middle + half * tall
    west, east = centre - half * wide, centre + half * wide
    places = Places(dentists(120))

    def found(*box: float) -> set[str]:
        return set(everyone(places, {"textQuery": "dentist", "locationRestriction": rectangle(*box)}))

    quarters = [
        found(south, west, middle, centre),
        found(south, centre, middle, east),
        found(middle, west, north, centre),
        found(middle, centre, north, east),
    ]
    whole = found(south, west, north, east)
    if len(whole) < 60:
        assert set().union(*quarters) == whole
    else:
        assert whole <= set().union(*quarters) or any(len(quarter) == 60 for quarter in quarters)


def test_a_box_and_a_town_must_both_hold() -> None:
    places = Places(mixed())
    elsewhere = rectangle(51.0, -1.0, 52.0, 1.0)
    assert ids(search(places, {"textQuery": AUSTIN, "locationRestriction": elsewhere})) == []
    assert ids(search(places, {"textQuery": "dentist", "locationRestriction": elsewhere}))


def test_a_box_may_cross_the_date_line() -> None:
    places = Places(mixed())
    across = rectangle(-60.0, 150.0, 60.0, -100.0)  # Sydney, then Portland and Denver
    found = businesses(mixed(), everyone(places, {"textQuery": "dentist", "locationRestriction": across}))
    assert {one.town.name for one in found} == {"Sydney", "Portland", "Denver"}


def test_a_bias_prefers_and_does_not_restrict() -> None:
    world = dentists(120)
    places = Places(world)
    few = Box(TOWN.south, TOWN.west, (TOWN.south + TOWN.north) / 2, (TOWN.west + TOWN.east) / 2)
    bias = rectangle(few.south, few.west, few.north, few.east)
    found = businesses(world, everyone(places, {"textQuery": "dentist", "locationBias": bias}))
    inside = [few.contains(one.latitude, one.longitude) for one in found]
    assert len(found) == 60
    assert 0 < sum(inside) < 60
    assert inside == sorted(inside, reverse=True)
    named = {"textQuery": AUSTIN, "locationBias": bias}
    assert everyone(places, named) == everyone(places, {"textQuery": AUSTIN})


def test_ranking_by_distance_starts_at_the_centre() -> None:
    centre = {"latitude": 30.3, "longitude": -97.75}
    bias = {"circle": {"center": centre, "radius": 2_000.0}}
    body = {"textQuery": "dentist", "locationBias": bias, "rankPreference": "DISTANCE"}
    found = businesses(dentists(), everyone(Places(dentists()), body))
    far = [distance(30.3, -97.75, one.latitude, one.longitude) for one in found]
    assert all(near <= further for near, further in pairwise(far))
    assert len(far) == 60


def test_types_narrow_when_strict() -> None:
    places = Places(mixed())
    strict = {"textQuery": "restaurants in Austin", "includedType": "dentist", "strictTypeFiltering": True}
    assert ids(search(places, strict)) == []
    assert ids(search(places, strict | {"strictTypeFiltering": False}))
    typed = {"textQuery": "Austin", "includedType": "dental_clinic"}
    assert {one.category.name for one in businesses(mixed(), ids(search(places, typed)))} == {"dentist"}


def test_ratings_prices_and_hours_narrow() -> None:
    clock = Clock(1_700_060_400.0)  # a Wednesday, 9 in the morning in Austin
    places = Places(mixed(), now=clock)
    good = businesses(mixed(), everyone(places, {"textQuery": AUSTIN, "minRating": 4.5}))
    assert good
    assert all((one.rating or 0) >= 4.5 for one in good)
    opened = businesses(mixed(), everyone(places, {"textQuery": AUSTIN, "openNow": True}))
    assert opened
    assert all(is_open(one, clock.time) for one in opened)
    clock.time -= 6 * 3_600  # three at night
    assert len(everyone(places, {"textQuery": AUSTIN, "openNow": True})) < len(opened)
    cheap = {"textQuery": "restaurants in Austin", "priceLevels": ["PRICE_LEVEL_INEXPENSIVE"]}
    assert {one.price_level for one in businesses(mixed(), everyone(places, cheap))} == {1}


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b"[" * 50_000, b'{"textQuery": 5}', b"", b"\xff",
        {"textQuery": ""}, {"textQuery": "   "}, {"pageSize": 5}, {"textQuery": "x", "radius": 5},
        {"textQuery": "x", "pageSize": "5"}, {"textQuery": "x", "openNow": "yes"}, {"textQuery": "x", "minRating": 6},
        {"textQuery": "x", "includedType": "dentistry"}, {"textQuery": "x", "includedType": "establishment"},
        {"textQuery": "x", "rankPreference": "CHEAP"}, {"textQuery": "x", "priceLevels": ["FREE"]},
        {"textQuery": "x", "priceLevels": [{}]},
        {"textQuery": "x", "locationRestriction": {"circle": {"center": {}, "radius": 1}}},
        {"textQuery": "x", "locationRestriction": rectangle(2, 0, 1, 1)},
        {"textQuery": "x", "locationRestriction": rectangle(0, 0, 91, 1)},
        {"textQuery": "x", "locationRestriction": {"rectangle": {"low": {"latitude": 1}}}},
        {"textQuery": "x", "locationRestriction": {}}, {"textQuery": "x", "locationBias": 5},
        {"textQuery": "x", "locationBias": {"circle": {"center": {}, "radius": 50_001}}},
        {"textQuery": "x", "locationBias": rectangle(0, 0, 1, 1), "locationRestriction": rectangle(0, 0, 1, 1)},
    ],
)  # fmt: skip
def test_a_bad_body_is_refused(body: object) -> None:
    refused(search(Places(dentists()), body), 400, "INVALID_ARGUMENT")


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["pageSize", "pageToken", "includedType", "locationBias", "locationRestriction", "minRating",
                         "openNow", "rankPreference", "priceLevels", "languageCode", "regionCode"])  # fmt: skip


@given(st.text(max_size=60), st.dictionaries(NAMES, json_values, max_size=4), st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_nothing_makes_the_search_fall_over(text: str, more: dict[str, Any], mask: str) -> None:
    places = Places(dentists(20))
    for shown in ("*", mask):
        reply = search(places, json.dumps({"textQuery": text} | more).encode(), shown)
        assert reply.status in (200, 400)

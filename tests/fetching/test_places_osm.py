"""The OpenStreetMap client against the sandbox's Overpass and Nominatim, over real sockets."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote_plus

import pytest

import settings
from errors import Final, Passing, Trouble
from fetching.client import client, user_agent
from fetching.places import PlacePage, Provider, provider_named
from fetching.places.overpass_query import places_query
from sandbox import serving
from sandbox.message import HTML, JSON, Reply, Request
from sandbox.places import Places
from sandbox.world import World
from services.osm_place import ATTRIBUTION
from services.place import COLUMNS, Area
from tests.fetching.providers import ROOMY, answering, point_at, troubled
from tests.services.storable import check

WORLD = World(900, 3)
TOWN = WORLD.towns[0]
AUSTIN = Area(TOWN.south, TOWN.west, TOWN.north, TOWN.east)
BY_OSM_ID = {business.osm_id: business for business in WORLD}


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    yield
    client().close()


@pytest.fixture
def osm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    with troubled(WORLD, monkeypatch, osm_percent=100):
        yield provider_named("openstreetmap")


def trouble(ask: Any) -> Trouble:
    with pytest.raises(Trouble) as caught:
        ask()
    return caught.value


def on_the_map(area: Area, category: str) -> set[int]:
    indexes = WORLD.inside(area.south, area.west, area.north, area.east, category)
    found = (WORLD.business(index) for index in indexes)
    return {business.osm_id for business in found if business.status != "closed-permanently"}


def numbers(page: PlacePage) -> set[int]:
    return {int(place.provider_place_id.partition("/")[2]) for place in page.places}


@pytest.mark.parametrize(
    ("what", "category"),
    [
        ("dentists", "dentist"), ("plumber", "plumber"), ("lawyers", "lawyer"), ("Restaurants", "restaurant"),
        ("hair salons", "hair_salon"), ("vets", "veterinary_care"), ("accountants", "accounting"),
        ("roofing contractors", "roofing_contractor"), ("yoga studios", "yoga_studio"), ("florists", "florist"),
        ("car repair", "car_repair"), ("hotels", "hotel"),
    ],
)  # fmt: skip
def test_every_trade_is_found_by_what_people_type(osm: Provider, what: str, category: str) -> None:
    everywhere = Area(-90, -180, 90, 180)
    page = osm.find_places(what, everywhere)
    assert numbers(page) == on_the_map(everywhere, category)
    assert page.places
    assert page.next_page is None


def test_an_area_has_what_is_inside_and_nothing_else(osm: Provider) -> None:
    for area in AUSTIN.quarters():
        page = osm.find_places("dentists", area)
        assert numbers(page) == on_the_map(area, "dentist")
        assert all(area.contains(place.latitude or 0, place.longitude or 0) for place in page.places)
    assert osm.find_places("dentists", Area(0, 0, 0.1, 0.1)).places == ()


def test_an_area_may_cross_the_date_line(osm: Provider) -> None:
    pacific = Area(-60, 150, 60, -100)
    page = osm.find_places("dentists", pacific)
    assert numbers(page) == on_the_map(pacific, "dentist")
    assert {(place.longitude or 0) > 0 for place in page.places} == {True, False}


def test_places_are_as_the_map_has_them(osm: Provider) -> None:
    page = osm.find_places("dentists", AUSTIN)
    for place in page.places:
        check(place)
        business = BY_OSM_ID[int(place.provider_place_id.partition("/")[2])]
        assert place.name == business.name
        assert (place.latitude, place.longitude) == (business.latitude, business.longitude)
        assert place.phone in (None, business.phone)
        assert place.country_code in (None, "US")
        assert place.website is None or place.website in (business.website or "")
        assert place.main_category == "dentist"
        assert place.attribution == osm.attribution == ATTRIBUTION
        assert place.fields == COLUMNS
    shares = [sum(bool(getattr(place, name)) for place in page.places) for name in ("phone", "website", "street")]
    assert all(count > len(page.places) / 4 for count in shares)
    assert any(place.opening_hours for place in page.places)


def test_what_is_not_in_the_table_is_looked_for_by_name(osm: Provider) -> None:
    business = next(one for one in WORLD if one.town == TOWN and one.status == "operational")
    word = business.name.split()[0]
    page = osm.find_places(word, AUSTIN)
    assert business.osm_id in numbers(page)
    assert all(word.lower() in (place.name or "").lower() for place in page.places)


def test_a_word_is_found_where_a_word_begins(osm: Provider) -> None:
    names = [place.name or "" for place in osm.find_places("den", AUSTIN).places]
    assert names
    assert all(re.search(r"\bden", name, re.IGNORECASE) for name in names)


@pytest.mark.parametrize(
    "what", ['qq"q\\q', "qx.*+?()[]{}|^$qy", "d'Qr", "zum (alten) Wirt", "日本", "q" * 500, "';qut;"]
)
def test_nothing_that_is_typed_breaks_the_question(osm: Provider, what: str) -> None:
    assert osm.find_places(what, AUSTIN).places == ()


def test_a_name_is_never_read_as_part_of_the_question() -> None:
    query = places_query('bob"](1,2,3,4);out;//', AUSTIN)
    assert query is not None
    outside_quotes = re.sub(r'"[^"]*"', "", query)
    assert "bob" in query
    assert "bob" not in outside_quotes
    assert outside_quotes.count(";out") == 1


@pytest.mark.parametrize("what", ["", " \x00", "!!!", "the best near me"])
def test_nothing_to_look_for_is_not_asked_for(osm: Provider, what: str) -> None:
    assert trouble(lambda: osm.find_places(what, AUSTIN)).reason == "bad-request"


def test_an_area_is_the_towns_box(osm: Provider) -> None:
    assert osm.find_area("Austin, TX") == AUSTIN


def test_an_area_that_nobody_knows(osm: Provider) -> None:
    fault = trouble(lambda: osm.find_area("Atlantis"))
    assert (type(fault), fault.reason) == (Final, "unknown-place")
    assert trouble(lambda: osm.find_area(" ")).reason == "bad-request"


def test_details_are_the_element_itself(osm: Provider) -> None:
    place = osm.find_places("dentists", AUSTIN).places[0]
    again = osm.find_details(place.provider_place_id, ["phone"])
    assert (again.provider_place_id, again.name, again.raw) == (place.provider_place_id, place.name, place.raw)
    assert trouble(lambda: osm.find_details("node/5", ["phone"])).reason == "not-found"
    assert trouble(lambda: osm.find_details("ChIJ", ["phone"])).reason == "bad-request"
    assert trouble(lambda: osm.find_details("node/1);out", ["phone"])).reason == "bad-request"


def test_everything_is_free(osm: Provider) -> None:
    assert sum(osm.price(call) for call in ("area", "places", "details")) == 0


def test_nominatim_answers_once_a_second() -> None:
    with serving(WORLD) as served, pytest.MonkeyPatch.context() as patch:
        point_at(served.address[1], patch)
        osm = provider_named("osm")
        assert osm.find_area("Austin, TX") == AUSTIN
        fault = trouble(lambda: osm.find_area("Austin, TX"))
        assert (type(fault), fault.reason, fault.status) == (Passing, "rate-limited", 429)
        assert fault.retry_after == timedelta(seconds=10)
        time.sleep(1.05)  # the rule that is tested is one of time
        assert osm.find_area("Austin, TX") == AUSTIN


def test_overpass_has_so_many_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    with troubled(WORLD, monkeypatch, slots=1, slot_seconds=600):
        osm = provider_named("openstreetmap")
        osm.find_places("dentists", AUSTIN)
        fault = trouble(lambda: osm.find_places("dentists", AUSTIN))
    assert (type(fault), fault.reason) == (Passing, "rate-limited")
    assert fault.retry_after == timedelta(seconds=10)


def test_every_fault_of_overpass_has_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    script = {"overpass": {1: 504, 2: 429, 3: "timed-out", 4: "reset", 5: 500}}
    with troubled(WORLD, monkeypatch, script=script):
        osm = provider_named("openstreetmap")
        faults = [trouble(lambda: osm.find_places("dentists", AUSTIN)) for _ in range(5)]
        assert osm.find_places("dentists", AUSTIN).places
    assert [fault.reason for fault in faults] == [
        "server-error", "rate-limited", "timeout", "connection-lost", "server-error",
    ]  # fmt: skip
    assert all(isinstance(fault, Passing) for fault in faults)
    assert [fault.retry_after is not None for fault in faults] == [True, True, True, False, False]
    assert "timed out" in str(faults[2])


def test_every_fault_of_nominatim_has_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    with troubled(WORLD, monkeypatch, script={"nominatim": {1: 503, 2: "reset"}}):
        osm = provider_named("openstreetmap")
        assert [trouble(lambda: osm.find_area("Austin")).reason for _ in range(2)] == [
            "server-error", "connection-lost",
        ]  # fmt: skip
        assert osm.find_area("Austin") == AUSTIN


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (Reply(400, b"<html>parse error", HTML), "bad-request"),
        (Reply(403, b"<html>blocked", HTML), "blocked"),
        (Reply(301, b"", None, (("Location", "http://a.example/"),)), "bad-response"),
        (Reply(200, b"<html>busy", HTML), "bad-response"),
        (Reply(200, b"{}", JSON), "bad-response"),
        (Reply(200, b'{"elements": [], "remark": "runtime error: out of memory"}', JSON), "server-error"),
        (Reply(429, b"", HTML, (("Retry-After", "77"),)), "rate-limited"),
        (Reply(200, b"x" * 40_000_000, JSON), "too-large"),
    ],
)
def test_answers_have_words(monkeypatch: pytest.MonkeyPatch, reply: Reply, word: str) -> None:
    with answering(lambda _: reply, monkeypatch):
        fault = trouble(lambda: provider_named("openstreetmap").find_places("dentists", AUSTIN))
    assert fault.reason == word
    if reply.status == 429:
        assert fault.retry_after == timedelta(seconds=77)


def test_both_servers_are_told_who_asks_and_asked_for_little(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Request] = []
    places = Places(WORLD, **ROOMY)  # type: ignore[arg-type]

    def listen(request: Request) -> Reply:
        heard.append(request)
        return places.answer(request) or Reply(404)

    with answering(listen, monkeypatch, CRAWLER_CONTACT="owner@agency.example"):
        osm = provider_named("openstreetmap")
        osm.find_places("dentists", osm.find_area("Austin, TX"))
        assert {request.headers["user-agent"] for request in heard} == {user_agent()}
    nominatim, overpass = heard
    assert "owner@agency.example" in nominatim.headers["user-agent"]
    assert parse_qs(nominatim.query) == {"q": ["Austin, TX"], "format": ["jsonv2"], "limit": ["5"]}
    query = unquote_plus(overpass.body.decode()).removeprefix("data=")
    assert query.startswith("[out:json][timeout:25][maxsize:")
    assert query.endswith(f"out center tags {osm.most_results};")
    assert 'nwr["amenity"="dentist"](30.' in query


@pytest.mark.parametrize("name", ["NOMINATIM_URL", "OVERPASS_URL"])
def test_the_public_servers_are_not_asked_by_nobody(osm: Provider, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name)  # the public one is the default
    settings.settings.cache_clear()
    fault = trouble(lambda: osm.find_area("Austin") if name == "NOMINATIM_URL" else osm.find_places("dentists", AUSTIN))
    assert (type(fault), fault.reason) == (Final, "contact-needed")
    assert "set CRAWLER_CONTACT" in str(fault)


@pytest.mark.parametrize("value", ["nominatim", "ftp://a.example", "https://user:pw@a.example", "https://a.example:1/"])
def test_an_address_that_cannot_be_asked_is_refused_at_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("NOMINATIM_URL", value)
    settings.settings.cache_clear()
    with pytest.raises(Exception, match="NOMINATIM_URL is") as caught:
        settings.settings()
    assert "pw" not in str(caught.value)

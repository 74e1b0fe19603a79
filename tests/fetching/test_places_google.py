"""The Google client against the sandbox's Google, over real sockets: paging, areas, details, and every word."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

import settings
from errors import BadInput, BadSetting, Final, Passing, Trouble
from fetching.client import client
from fetching.places import PlacePage, Provider, provider_named
from sandbox import Served, serving
from sandbox.business import Business
from sandbox.message import JSON, Reply, Request
from sandbox.world import World
from services.place import COLUMNS, WEEKDAYS, Area, FoundPlace
from tests.fetching.providers import answering, point_at, troubled
from tests.services.storable import check

WORLD = World(900, 3)
TOWN = WORLD.towns[0]
AUSTIN = Area(TOWN.south, TOWN.west, TOWN.north, TOWN.east)


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    yield
    client().close()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture
def google(served: Served, monkeypatch: pytest.MonkeyPatch) -> Provider:
    point_at(served.address[1], monkeypatch)
    return provider_named("google")


def keyed(served: Served, monkeypatch: pytest.MonkeyPatch, key: str) -> Provider:
    point_at(served.address[1], monkeypatch, GOOGLE_MAPS_API_KEY=key)
    return provider_named("google")


def pages(provider: Provider, what: str, area: Area) -> list[PlacePage]:
    found = [provider.find_places(what, area)]
    while found[-1].next_page:
        found.append(provider.find_places(what, area, found[-1].next_page))
    return found


def everyone(provider: Provider, what: str, area: Area) -> list[FoundPlace]:
    return [place for page in pages(provider, what, area) for place in page.places]


def dentists(area: Area) -> set[str]:
    indexes = WORLD.inside(area.south, area.west, area.north, area.east, "dentist")
    return {WORLD.business(index).place_id for index in indexes}


def trouble(ask: Any) -> Trouble:
    with pytest.raises(Trouble) as caught:
        ask()
    return caught.value


def test_a_search_is_paged_to_its_end(google: Provider) -> None:
    world_wide = Area(-90, -180, 90, 180)
    found = pages(google, "dentists", world_wide)
    assert [len(page.places) for page in found] == [20, 20, 20]
    assert len({place.provider_place_id for page in found for place in page.places}) == google.most_results


def test_a_rectangle_has_what_is_inside_and_nothing_else(google: Provider) -> None:
    for area in AUSTIN.quarters():
        places = everyone(google, "dentists", area)
        assert {place.provider_place_id for place in places} == dentists(area)
        assert all(area.contains(place.latitude or 0, place.longitude or 0) for place in places)
    assert dentists(AUSTIN)


def test_a_rectangle_may_cross_the_date_line(google: Provider) -> None:
    pacific = Area(-60, 150, 0, -100)
    assert {place.provider_place_id for place in everyone(google, "dentists", pacific)} == dentists(pacific)
    assert dentists(pacific)


def test_nothing_found_is_an_empty_page(google: Provider) -> None:
    assert google.find_places("dentists", Area(0, 0, 0.1, 0.1)) == PlacePage((), None)


def test_one_search_brings_all_that_is_stored(google: Provider) -> None:
    for place in everyone(google, "dentists", AUSTIN):
        business = WORLD.by_place_id(place.provider_place_id)
        assert business is not None
        check(place)
        assert facts(place) == truth(business)
        assert place.fields == COLUMNS
        assert place.attribution == google.attribution == "Google Maps"


def facts(place: FoundPlace) -> dict[str, object]:
    return {
        "name": place.name,
        "address": place.formatted_address,
        "split": (place.city, place.region, place.postal_code, place.country_code),
        "phone": place.phone,
        "website": place.website,
        "category": place.main_category,
        "rating": (place.rating, place.review_count, place.price_level),
        "point": (place.latitude, place.longitude, place.utc_offset_minutes),
        "status": place.business_status,
        "open": {day for day, spans in (place.opening_hours or {}).items() if spans},
    }


def truth(business: Business) -> dict[str, object]:
    rating = None if business.rating is None else Decimal(str(business.rating))
    days = {WEEKDAYS[(day + 6) % 7] for day, spans in business.hours.items() if spans}
    return {
        "name": business.name,
        "address": business.address,
        "split": (TOWN.name, TOWN.region or None, business.postal_code, TOWN.country),
        "phone": business.phone or None,
        "website": (business.website or "").strip() or None,
        "category": business.category.name,
        "rating": (rating, business.review_count or None, business.price_level),
        "point": (business.latitude, business.longitude, TOWN.utc_offset_minutes),
        "status": business.status,
        "open": days,
    }


def test_an_area_is_the_towns_box(google: Provider) -> None:
    assert google.find_area("Austin, TX") == AUSTIN


@pytest.mark.parametrize("where", ["Atlantis", "Austin, MN", "Zilker"])
def test_an_area_that_nobody_knows(google: Provider, where: str) -> None:
    fault = trouble(lambda: google.find_area(where))
    assert (type(fault), fault.reason) == (Final, "unknown-place")
    assert where in str(fault)


def test_details_bring_what_was_asked_for(google: Provider) -> None:
    business = next(one for one in WORLD if one.website and one.phone and one.rating)
    place = google.find_details(business.place_id, ["phone", "rating"])
    assert place.fields == {"phone", "rating"}
    assert (place.phone, place.rating) == (business.phone, Decimal(str(business.rating)))
    assert (place.name, place.website, place.latitude) == (None, None, None)
    assert google.find_details(business.place_id, COLUMNS).website == (business.website or "").strip()


def test_details_of_a_place_that_is_gone(google: Provider) -> None:
    fault = trouble(lambda: google.find_details("ChIJnobody", ["name"]))
    assert (type(fault), fault.reason, fault.status) == (Final, "not-found", 404)


@pytest.mark.parametrize("place_id", ["", "../places", "a/b", "a b", "ä", "x" * 1025])
def test_what_cannot_be_an_id_is_not_asked_for(google: Provider, served: Served, place_id: str) -> None:
    before = len(served.log())
    assert trouble(lambda: google.find_details(place_id, ["name"])).reason == "bad-request"
    assert len(served.log()) == before


def test_nothing_to_look_for_is_not_asked_for(google: Provider, served: Served) -> None:
    before = len(served.log())
    assert trouble(lambda: google.find_places(" \x00 ", AUSTIN)).reason == "bad-request"
    assert trouble(lambda: google.find_area("")).reason == "bad-request"
    assert len(served.log()) == before


def test_prices_are_those_of_the_settings(google: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [google.price(call) for call in ("area", "places", "details")] == [
        Decimal("0.032"), Decimal("0.035"), Decimal("0.020"),
    ]  # fmt: skip
    monkeypatch.setenv("GOOGLE_SEARCH_USD", "0.5")
    settings.settings.cache_clear()
    assert google.price("places") == Decimal("0.5")


@pytest.mark.parametrize(
    ("key", "kind", "word", "status"),
    [
        ("wrong-key-0123456789", Final, "bad-key", 400),
        ("forbidden", Final, "bad-key", 403),
        ("sandbox-quota-0-mine", Passing, "rate-limited", 429),
        ("sandbox-fail-after-0-mine", Passing, "server-error", 503),
        ("bad\x07key", Final, "bad-key", None),
        ("späte-schlüssel", Final, "bad-key", None),
    ],
)
def test_every_refusal_has_its_word_and_keeps_the_key_secret(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    key: str,
    kind: type,
    word: str,
    status: int | None,
) -> None:
    caplog.set_level(logging.DEBUG)
    google = keyed(served, monkeypatch, key)
    for ask in (
        lambda: google.find_area("Austin, TX"),
        lambda: google.find_places("dentists", AUSTIN),
        lambda: google.find_details("ChIJnobody", ["name"]),
    ):
        fault = trouble(ask)
        assert (type(fault), fault.reason, fault.status) == (kind, word, status)
        assert key not in f"{fault} {fault!r} {fault.error} {fault.__cause__!r}" or key == "forbidden"
    if key != "forbidden":
        assert key not in caplog.text
        assert key not in json.dumps(served.log())


def test_the_key_is_a_header_and_nothing_else(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Request] = []

    def listen(request: Request) -> Reply:
        heard.append(request)
        return Reply(200, b"{}", JSON)

    with answering(listen, monkeypatch, GOOGLE_MAPS_API_KEY="sandbox-secret"):
        provider_named("google").find_places("dentists", AUSTIN, "the-token")
    (request,) = heard
    assert request.headers["x-goog-api-key"] == "sandbox-secret"
    assert "sandbox-secret" not in f"{request.path} {request.query} {request.body!r}"
    body = json.loads(request.body)
    assert set(body) == {"textQuery", "pageSize", "pageToken", "locationRestriction"}
    assert (body["textQuery"], body["pageSize"], body["pageToken"]) == ("dentists", 20, "the-token")
    fields = request.headers["x-goog-fieldmask"].split(",")
    assert "nextPageToken" in fields
    assert "*" not in request.headers["x-goog-fieldmask"]
    assert not {"places.photos", "places.reviews", "places.editorialSummary"} & set(fields)


def test_without_a_key_nothing_is_asked(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(served.address[1], monkeypatch)
    monkeypatch.delenv("GOOGLE_MAPS_API_KEY")
    settings.settings.cache_clear()
    before = len(served.log())
    fault = trouble(lambda: provider_named("google").find_area("Austin, TX"))
    assert (type(fault), fault.reason) == (Final, "bad-key")
    assert "GOOGLE_MAPS_API_KEY is not set" in str(fault)
    assert len(served.log()) == before


def test_a_quota_used_up_midway_keeps_what_came_before(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    google = keyed(served, monkeypatch, "sandbox-quota-2-midway")
    first = google.find_places("dentists", Area(-90, -180, 90, 180))
    second = google.find_places("dentists", Area(-90, -180, 90, 180), first.next_page)
    assert len(first.places) == len(second.places) == 20
    fault = trouble(lambda: google.find_places("dentists", Area(-90, -180, 90, 180), second.next_page))
    assert (type(fault), fault.reason) == (Passing, "rate-limited")


def test_a_page_that_is_no_longer_known_is_stale(google: Provider) -> None:
    page = google.find_places("dentists", AUSTIN).next_page
    assert page
    fault = trouble(lambda: google.find_places("dentists", AUSTIN, page[:-4] + "AAAA"))
    assert (type(fault), fault.reason) == (Passing, "stale-page")
    assert trouble(lambda: google.find_places("plumbers", AUSTIN, page)).reason == "stale-page"


def test_an_expired_page_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    with troubled(WORLD, monkeypatch, token_seconds=-1):
        google = provider_named("google")
        page = google.find_places("dentists", AUSTIN).next_page
        fault = trouble(lambda: google.find_places("dentists", AUSTIN, page))
    assert (type(fault), fault.reason) == (Passing, "stale-page")


def test_connections_that_break_and_hang_keep_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    script = {"google": {1: "reset", 2: "hang", 3: 500, 4: 504}}
    patience = {"FETCH_READ_SECONDS": "0.5", "FETCH_TOTAL_SECONDS": "1"}
    with troubled(WORLD, monkeypatch, values=patience, script=script):
        google = provider_named("google")
        words = [trouble(lambda: google.find_places("dentists", AUSTIN)) for _ in range(4)]
        assert google.find_places("dentists", AUSTIN).places
    assert [fault.reason for fault in words] == ["connection-lost", "timeout", "server-error", "server-error"]
    assert all(isinstance(fault, Passing) for fault in words)


def test_nobody_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with troubled(World(1), monkeypatch):
        google = provider_named("google")
    assert trouble(lambda: google.find_area("Austin, TX")).reason == "refused"


def error(status: str, *details: dict[str, Any], message: str = "no") -> bytes:
    return json.dumps({"error": {"status": status, "message": message, "details": list(details)}}).encode()


INFO = "type.googleapis.com/google.rpc.ErrorInfo"
RETRY = "type.googleapis.com/google.rpc.RetryInfo"
FIELD = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "textQuery"}]}


@pytest.mark.parametrize(
    ("status", "body", "headers", "word", "wait"),
    [
        (429, error("RESOURCE_EXHAUSTED"), (("Retry-After", "7"),), "rate-limited", timedelta(seconds=7)),
        (429, error("RESOURCE_EXHAUSTED", {"@type": RETRY, "retryDelay": "30.5s"}), (), "rate-limited",
         timedelta(seconds=31)),
        (429, error("RESOURCE_EXHAUSTED", {"@type": INFO, "metadata": {"quota_limit": "SearchPerDayPerProject"}}), (),
         "rate-limited", timedelta(hours=1)),
        (429, error("RESOURCE_EXHAUSTED"), (), "rate-limited", None),
        (429, b"<html>slow down", (("Retry-After", "9"),), "rate-limited", timedelta(seconds=9)),
        (403, error("PERMISSION_DENIED", {"@type": INFO, "reason": "RATE_LIMIT_EXCEEDED"}), (), "rate-limited", None),
        (403, error("PERMISSION_DENIED", {"@type": INFO, "reason": "SERVICE_DISABLED"}), (), "bad-key", None),
        (401, error("UNAUTHENTICATED"), (), "bad-key", None),
        (400, error("INVALID_ARGUMENT", {"@type": INFO, "reason": "API_KEY_INVALID"}), (), "bad-key", None),
        (400, error("INVALID_ARGUMENT", FIELD), (), "bad-request", None),
        (400, error("INVALID_ARGUMENT"), (), "stale-page", None),
        (400, error("FAILED_PRECONDITION"), (), "bad-request", None),
        (503, error("UNAVAILABLE"), (("Retry-After", "3"),), "server-error", timedelta(seconds=3)),
        (502, b"<html>bad gateway", (), "server-error", None),
        (403, b"<html>blocked by your company", (), "blocked", None),
        (302, b"", (("Location", "http://elsewhere.example/"),), "bad-response", None),
        (200, b"<html>welcome to the hotel's network", (), "bad-response", None),
        (200, b"[" * 100_000, (), "bad-response", None),
        (200, b"\xff\xfe\x00", (), "bad-response", None),
        (200, b"x" * 9_000_000, (), "too-large", None),
        (500, b'{"error": []}', (), "server-error", None),
        (400, b'{"error": {"status": 5, "details": [5, {"@type": 5}]}}', (), "request-rejected", None),
    ],
)  # fmt: skip
def test_answers_have_words_by_status_and_details(
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    body: bytes,
    headers: tuple[tuple[str, str], ...],
    word: str,
    wait: timedelta | None,
) -> None:
    with answering(lambda _: Reply(status, body, JSON, headers), monkeypatch):
        fault = trouble(lambda: provider_named("google").find_places("dentists", AUSTIN, "token"))
    assert (fault.reason, fault.retry_after) == (word, wait)


def test_a_message_that_repeats_the_key_does_not_tell_it(monkeypatch: pytest.MonkeyPatch) -> None:
    body = error("PERMISSION_DENIED", message="the key sandbox-secret-1 is not allowed")
    with answering(lambda _: Reply(403, body, JSON), monkeypatch, GOOGLE_MAPS_API_KEY="sandbox-secret-1"):
        fault = trouble(lambda: provider_named("google").find_area("Austin, TX"))
    assert "sandbox-secret-1" not in f"{fault} {fault.error} {fault!r}"
    assert "the key *** is not allowed" in str(fault)


def test_odd_answers_are_empty_pages_not_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = [b"{}", b"[]", b"null", b'{"places": {}}', b'{"places": [null], "nextPageToken": 5}']
    with answering(lambda _: Reply(200, odd.pop(), JSON), monkeypatch):
        while odd:
            assert provider_named("google").find_places("dentists", AUSTIN) == PlacePage((), None)


def test_the_sandbox_provider_needs_no_key(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_ADDRESS", f"127.0.0.1:{served.address[1]}")
    settings.settings.cache_clear()
    sandbox = provider_named("sandbox")
    assert sandbox.name == "sandbox"
    places = sandbox.find_places("dentists", sandbox.find_area("Austin, TX")).places
    assert {place.attribution for place in places} == {sandbox.attribution} == {"made up by the sandbox"}


def test_the_sandbox_provider_needs_a_sandbox() -> None:
    assert trouble(lambda: provider_named("sandbox")).reason == "no-sandbox"


def test_an_unknown_provider_is_named() -> None:
    with pytest.raises(BadInput, match="no provider 'bing'"):
        provider_named("bing")


def test_the_key_is_never_sent_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_PLACES_URL", "http://places.googleapis.com")
    settings.settings.cache_clear()
    with pytest.raises(BadSetting, match="GOOGLE_PLACES_URL"):
        settings.settings()

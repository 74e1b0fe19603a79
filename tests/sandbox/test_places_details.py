"""Google's places: masks, fields and what is left out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sandbox.business import Business
from sandbox.places import Places
from sandbox.places.hours import MINUTES_PER_DAY, spans
from tests.sandbox.test_places import AUSTIN, Clock, dentists, details, mixed, read, refused, search


def place(business: Business, mask: str = "*", clock: Clock | None = None) -> dict[str, Any]:
    reply = details(Places(mixed(), now=clock or Clock()), business.place_id, mask)
    assert reply.status == 200
    shown: dict[str, Any] = read(reply)
    return shown


def one(**facts: object) -> Business:
    """Give the first business with these facts."""
    return next(b for b in mixed() if all(getattr(b, name) == value for name, value in facts.items()))


def test_details_give_exactly_the_fields_asked_for() -> None:
    business = mixed().business(0)
    assert place(business, "id") == {"id": business.place_id}
    assert place(business, "displayName.text,location.latitude") == {
        "displayName": {"text": business.name},
        "location": {"latitude": business.latitude},
    }
    assert place(business, "name,formattedAddress") == {
        "name": f"places/{business.place_id}",
        "formattedAddress": business.address,
    }


def test_a_search_gives_exactly_the_fields_asked_for() -> None:
    found = read(search(Places(dentists()), {"textQuery": AUSTIN}, "places.displayName.text,places.location"))
    assert set(found) == {"places"}
    for shown in found["places"]:
        assert set(shown) == {"displayName", "location"}
        assert set(shown["displayName"]) == {"text"}
        assert set(shown["location"]) == {"latitude", "longitude"}


def test_a_mask_reaches_into_lists() -> None:
    business = one(status="operational", rating=4.5)
    shown = place(business, "addressComponents.longText,regularOpeningHours.periods.open.day")
    assert all(set(part) == {"longText"} for part in shown["addressComponents"])
    assert all(set(span) == {"open"} for span in shown["regularOpeningHours"]["periods"])
    assert all(set(span["open"]) == {"day"} for span in shown["regularOpeningHours"]["periods"])


def test_the_wider_of_two_masks_wins() -> None:
    business = mixed().business(0)
    whole = place(business, "displayName")
    assert place(business, "displayName,displayName.text") == whole
    assert place(business, "displayName.text,displayName") == whole
    assert place(business, "displayName.*") == whole
    assert place(business, "display_name") == whole


@pytest.mark.parametrize(
    "mask", ["", "places.id", "phone", "displayName.txt", "id.x", "id, name", "id,", "displayName..text", ".", "**"]
)
def test_a_bad_mask_is_refused(mask: str) -> None:
    refused(details(Places(mixed()), mixed().business(0).place_id, mask), 400, "INVALID_ARGUMENT")


@pytest.mark.parametrize("mask", ["", "id", "places.phone", "places.id,token", "places.id places.name"])
def test_a_bad_mask_of_a_search_is_refused(mask: str) -> None:
    refused(search(Places(dentists()), {"textQuery": AUSTIN}, mask), 400, "INVALID_ARGUMENT")


def test_a_field_without_a_value_is_right_and_absent() -> None:
    assert place(mixed().business(0), "reviews,photos,editorialSummary") == {}


def test_unknown_and_malformed_ids() -> None:
    places = Places(mixed())
    refused(details(places, "ChIJnobody"), 404, "NOT_FOUND")
    refused(details(places, "a/b"), 400, "INVALID_ARGUMENT")
    refused(details(places, ""), 400, "INVALID_ARGUMENT")
    refused(details(places, "x" * 301), 400, "INVALID_ARGUMENT")


def test_everything_agrees_with_the_world() -> None:
    for business in (mixed().business(index) for index in range(300)):
        shown = place(business)
        assert shown["primaryType"] == business.category.name == shown["types"][0]
        assert (shown["location"]["latitude"], shown["location"]["longitude"]) == (
            business.latitude,
            business.longitude,
        )
        assert shown.get("websiteUri") == business.website
        assert shown.get("rating") == business.rating
        assert shown.get("userRatingCount", 0) == business.review_count
        assert shown["businessStatus"] == business.status.upper().replace("-", "_")
        assert shown["utcOffsetMinutes"] == business.town.utc_offset_minutes
        assert None not in shown.values()
        assert "" not in shown.values()


def test_the_international_number_is_the_same_number() -> None:
    towns = set()
    for business in mixed():
        shown = place(business, "internationalPhoneNumber,nationalPhoneNumber")
        if business.phone:
            assert re.sub(r"[ -]", "", shown["internationalPhoneNumber"]) == business.phone
            assert re.fullmatch(r"\+\d{1,3} [\d -]+", shown["internationalPhoneNumber"])
            assert shown["nationalPhoneNumber"] == business.phone_national
            towns.add(business.town.name)
        if len(towns) == len(mixed().towns):
            return
    pytest.fail(f"no phones in {set(mixed().towns) - towns}")


def test_an_address_is_taken_apart() -> None:
    business = one(town=mixed().towns[0])
    parts = {part["types"][0]: part for part in place(business, "addressComponents")["addressComponents"]}
    assert parts["street_number"]["longText"] == business.house_number
    assert parts["route"]["longText"] == business.street
    assert parts["locality"]["longText"] == "Austin"
    state = parts["administrative_area_level_1"]
    assert (state["longText"], state["shortText"]) == ("Texas", "TX")
    assert (parts["country"]["longText"], parts["country"]["shortText"]) == ("United States", "US")
    assert parts["postal_code"]["longText"] == business.postal_code


def test_prices_are_words() -> None:
    business = next(b for b in mixed() if b.price_level == 2)
    assert place(business, "priceLevel") == {"priceLevel": "PRICE_LEVEL_MODERATE"}
    assert place(next(b for b in mixed() if b.price_level is None), "priceLevel") == {}


def test_hours_hold_every_span_and_a_line_a_day() -> None:
    for business in (mixed().business(index) for index in range(100)):
        hours = place(business, "regularOpeningHours").get("regularOpeningHours")
        if hours is None:
            assert not any(business.hours.values())
            continue
        assert [line.split(":")[0] for line in hours["weekdayDescriptions"]][::6] == ["Monday", "Sunday"]
        if "close" not in hours["periods"][0]:
            continue
        told = [
            (
                span["open"]["day"],
                span["open"]["hour"] * 60 + span["open"]["minute"],
                (span["close"]["hour"] * 60 + span["close"]["minute"])
                + (span["close"]["day"] - span["open"]["day"]) % 7 * MINUTES_PER_DAY,
            )
            for span in hours["periods"]
        ]
        assert told == list(spans(business))


def test_open_now_follows_the_clock_of_the_town() -> None:
    business = next(
        b
        for b in mixed()
        if b.status == "operational" and b.town.name == "Austin" and b.hours.get(3) and not b.hours.get(0)
    )
    wednesday_noon_in_austin = Clock(1_700_071_200.0 - 15 * 60)
    sunday = Clock(wednesday_noon_in_austin.time + 4 * 86_400)
    mask = "regularOpeningHours.openNow"
    opens, closes = business.hours[3][0]
    assert opens < "11:45" < closes, "choose another moment"
    assert place(business, mask, wednesday_noon_in_austin) == {"regularOpeningHours": {"openNow": True}}
    assert place(business, mask, sunday) == {"regularOpeningHours": {"openNow": False}}


def test_closed_businesses_say_so() -> None:
    assert place(one(status="closed-permanently"), "businessStatus") == {"businessStatus": "CLOSED_PERMANENTLY"}

"""Google's JSON: what is read of it, and that nothing in it can do harm."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.google_place import FIELDS_OF, area_of, found_place, found_places, mask_of
from services.place import COLUMNS, WEEKDAYS, Area, FoundPlace
from tests.services.storable import check, json_values, objects_with

PLACE: dict[str, Any] = {
    "id": "ChIJ123",
    "displayName": {"text": " Smile  Dental\n", "languageCode": "en"},
    "formattedAddress": "1 Congress Ave, Austin, TX 78701, USA",
    "postalAddress": {
        "regionCode": "US", "postalCode": "78701", "administrativeArea": "Texas", "locality": "Austin",
        "addressLines": ["1 Congress Ave", "Suite 200"],
    },
    "addressComponents": [
        {"longText": "1", "shortText": "1", "types": ["street_number"]},
        {"longText": "Congress Avenue", "shortText": "Congress Ave", "types": ["route"]},
        {"longText": "Texas", "shortText": "TX", "types": ["administrative_area_level_1", "political"]},
        {"longText": "United States", "shortText": "US", "types": ["country", "political"]},
    ],
    "internationalPhoneNumber": "+1 512-555-0100",
    "websiteUri": " HTTP://Smile.example/?utm_source=google ",
    "primaryType": "dentist",
    "types": ["dentist", "dental_clinic", "point_of_interest", "establishment"],
    "rating": 4.7,
    "userRatingCount": 120,
    "priceLevel": "PRICE_LEVEL_MODERATE",
    "regularOpeningHours": {"periods": [
        {"open": {"day": 1, "hour": 9, "minute": 0}, "close": {"day": 1, "hour": 17, "minute": 30}},
        {"open": {"day": 5, "hour": 18}, "close": {"day": 6, "hour": 2}},
        {"open": {"day": 3, "hour": 8}, "close": {"day": 4}},
    ]},
    "location": {"latitude": 30.27, "longitude": -97.74},
    "utcOffsetMinutes": -360,
    "businessStatus": "CLOSED_TEMPORARILY",
    "attributions": [{"provider": "A Guide", "providerUri": "https://guide.example"}],
}  # fmt: skip


def read(**changes: Any) -> FoundPlace:
    place = found_place(PLACE | changes)
    assert place is not None
    check(place)
    return place


def test_everything_is_read() -> None:
    place = read()
    assert place.name == "Smile Dental"
    assert place.formatted_address == "1 Congress Ave, Austin, TX 78701, USA"
    assert (place.street, place.city) == ("1 Congress Ave, Suite 200", "Austin")
    assert (place.region, place.postal_code, place.country_code) == ("TX", "78701", "US")
    assert place.phone == "+15125550100"
    assert place.website == "HTTP://Smile.example/?utm_source=google"
    assert (place.main_category, place.categories) == ("dentist", ("dentist", "dental_clinic"))
    assert (place.rating, place.review_count, place.price_level) == (Decimal("4.7"), 120, 2)
    assert (place.latitude, place.longitude, place.utc_offset_minutes) == (30.27, -97.74, -360)
    assert place.business_status == "closed-temporarily"
    assert place.attribution == "Google Maps, A Guide"
    assert place.raw is not None
    assert place.raw["rating"] == 4.7
    assert place.fields == COLUMNS


def test_hours_are_under_the_day_they_begin_on() -> None:
    hours = read().opening_hours
    assert hours is not None
    assert hours["monday"] == [["09:00", "17:30"]]
    assert hours["friday"] == [["18:00", "02:00"]]
    assert hours["wednesday"] == [["08:00", "24:00"]]
    assert hours["saturday"] == hours["sunday"] == []


def test_a_period_without_an_end_is_always() -> None:
    hours = read(regularOpeningHours={"periods": [{"open": {"day": 0, "hour": 0, "minute": 0}}]}).opening_hours
    assert hours == {key: [["00:00", "24:00"]] for key in WEEKDAYS}


def test_a_weekend_without_a_break_is_cut_at_midnight() -> None:
    hours = read(regularOpeningHours={"periods": [{"open": {"day": 5, "hour": 18}, "close": {"day": 1, "hour": 6}}]})
    assert hours.opening_hours is not None
    assert {day: spans for day, spans in hours.opening_hours.items() if spans} == {
        "friday": [["18:00", "24:00"]],
        "saturday": [["00:00", "24:00"]],
        "sunday": [["00:00", "24:00"]],
        "monday": [["00:00", "06:00"]],
    }


@pytest.mark.parametrize("hours", [None, {}, {"periods": []}, {"periods": [{"open": {"day": 9}}]}, {"periods": [5]}])
def test_hours_that_make_no_sense_are_unknown(hours: object) -> None:
    assert read(regularOpeningHours=hours).opening_hours is None


def test_components_do_where_there_is_no_postal_address() -> None:
    place = read(postalAddress=None)
    assert (place.street, place.region, place.country_code) == ("1 Congress Avenue", "TX", "US")


@pytest.mark.parametrize(
    ("field", "value", "column"),
    [
        ("rating", 7, "rating"), ("rating", "4.5", "rating"), ("rating", True, "rating"),
        ("userRatingCount", -1, "review_count"), ("userRatingCount", 2**31, "review_count"),
        ("userRatingCount", 1.5, "review_count"), ("priceLevel", "PRICE_LEVEL_UNSPECIFIED", "price_level"),
        ("businessStatus", "ON_FIRE", "business_status"), ("location", {"latitude": 91, "longitude": 1}, "longitude"),
        ("location", {}, "latitude"), ("utcOffsetMinutes", 9_999, "utc_offset_minutes"),
        ("internationalPhoneNumber", "none", "phone"), ("websiteUri", "http://a.example/" + "x" * 2048, "website"),
        ("websiteUri", "\x00 ", "website"), ("displayName", "Smile", "name"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_none(field: str, value: object, column: str) -> None:
    assert getattr(read(**{field: value}), column) is None


@pytest.mark.parametrize("place_id", [None, "", " ", 5, "x" * 1025, "é" * 513, "\x00"])
def test_a_place_without_a_usable_id_is_none(place_id: object) -> None:
    assert found_place(PLACE | {"id": place_id}) is None


def test_a_page_has_each_place_once() -> None:
    places = found_places({"places": [PLACE, {"no": "id"}, None, PLACE, PLACE | {"id": "other"}]})
    assert [place.provider_place_id for place in places] == ["ChIJ123", "other"]


def test_masks_ask_for_what_is_stored_and_no_more() -> None:
    assert set(FIELDS_OF) == COLUMNS
    assert mask_of(["website", "phone"]) == ["id", "attributions", "internationalPhoneNumber", "websiteUri"]
    assert mask_of(["latitude", "longitude"]) == ["id", "attributions", "location"]
    assert mask_of(["made_up"]) == ["id", "attributions"]
    assert len(mask_of(COLUMNS)) == len(set(mask_of(COLUMNS)))


def town(**changes: Any) -> dict[str, Any]:
    viewport = {"low": {"latitude": 30.1, "longitude": -98}, "high": {"latitude": 30.5, "longitude": -97.5}}
    return {"types": ["locality", "political"], "viewport": viewport} | changes


def test_an_area_is_a_town_rather_than_a_business_of_that_name() -> None:
    bar = town(types=["bar", "point_of_interest"], viewport={"low": {"latitude": 1}, "high": {"latitude": 2}})
    assert area_of({"places": [bar, town()]}) == Area(30.1, -98, 30.5, -97.5)
    assert area_of({"places": [bar]}) is None
    assert area_of({}) is None


def test_an_area_may_touch_zero_or_cross_the_180th_meridian() -> None:
    at_zero = {"low": {"longitude": -1}, "high": {"latitude": 5, "longitude": 1}}
    assert area_of({"places": [town(viewport=at_zero)]}) == Area(0, -1, 5, 1)
    fiji = {"low": {"latitude": -21, "longitude": 176}, "high": {"latitude": -12, "longitude": -178}}
    assert area_of({"places": [town(viewport=fiji)]}) == Area(-21, 176, -12, -178)


points = objects_with("latitude", "longitude", "day", "hour", "minute")
strange_places = st.fixed_dictionaries(
    {"id": st.just("a") | json_values},
    optional={
        **dict.fromkeys((name for name in PLACE if name != "id"), json_values),
        "postalAddress": objects_with(*PLACE["postalAddress"]) | json_values,
        "addressComponents": st.lists(objects_with("longText", "shortText", "types") | json_values, max_size=3),
        "displayName": objects_with("text") | json_values,
        "location": points | json_values,
        "regularOpeningHours": st.fixed_dictionaries(
            {"periods": st.lists(st.fixed_dictionaries({"open": points}, optional={"close": points}), max_size=3)}
        ),
        "viewport": st.fixed_dictionaries({"low": points, "high": points}) | json_values,
        "types": st.just(["locality"]) | json_values,
    },
)


@given(strange_places | json_values)
def test_any_json_gives_a_place_that_can_be_stored_or_none(value: object) -> None:
    place = found_place(value)
    if place is not None:
        check(place)


@given(
    st.fixed_dictionaries({"places": st.lists(strange_places | json_values, max_size=3) | json_values}) | json_values
)
def test_any_json_gives_a_page_and_perhaps_an_area(value: object) -> None:
    for place in found_places(value):
        check(place)
    area = area_of(value)
    assert area is None or area.width > 0

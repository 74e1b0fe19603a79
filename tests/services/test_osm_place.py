"""OpenStreetMap's JSON and tags: what is read of them, and that nothing in them can do harm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.osm_hours import opening_hours
from services.osm_place import area_of, found_place, found_places
from services.osm_trade import tags_of, value_of, words_of
from services.place import COLUMNS, WEEKDAYS, Area, FoundPlace
from tests.services.storable import check, check_hours, json_values, objects_with, texts

TAGS = {
    "name": "Smile Dental", "amenity": "dentist", "healthcare": "dentist;orthodontist", "addr:housenumber": "1",
    "addr:street": "Congress Avenue", "addr:city": "Austin", "addr:postcode": "78701", "addr:state": "TX",
    "addr:country": "US", "phone": "(512) 555-0100;+1 512 555 0101", "website": "smile.example",
    "opening_hours": "Mo-Fr 09:00-17:00; Sa 10:00-14:00",
}  # fmt: skip


def read(tags: dict[str, Any] | None = None, **changes: Any) -> FoundPlace:
    element = {"type": "node", "id": 7, "lat": 30.27, "lon": -97.74, "tags": TAGS if tags is None else tags} | changes
    place = found_place(element)
    assert place is not None
    check(place)
    return place


def test_everything_is_read() -> None:
    place = read()
    assert place.provider_place_id == "node/7"
    assert place.name == "Smile Dental"
    assert place.formatted_address == "1 Congress Avenue, Austin, TX 78701, US"
    assert (place.street, place.city, place.region) == ("1 Congress Avenue", "Austin", "TX")
    assert (place.postal_code, place.country_code) == ("78701", "US")
    assert place.phone == "+15125550100"
    assert place.website == "smile.example"
    assert (place.main_category, place.categories) == ("dentist", ("dentist", "orthodontist"))
    assert (place.latitude, place.longitude) == (30.27, -97.74)
    assert place.attribution == "© OpenStreetMap contributors, ODbL 1.0"
    assert place.fields == COLUMNS
    assert place.opening_hours is not None
    assert place.opening_hours["saturday"] == [["10:00", "14:00"]]
    assert place.business_status is None


def test_a_way_is_where_its_centre_is() -> None:
    element = {"type": "way", "id": 8, "center": {"lat": 1.5, "lon": 2.5}, "tags": {"name": "x"}}
    place = found_place(element)
    assert place is not None
    assert (place.provider_place_id, place.latitude, place.longitude) == ("way/8", 1.5, 2.5)


def test_an_address_is_written_as_its_country_does() -> None:
    tags = {"addr:housenumber": "5a", "addr:street": "Hauptstraße", "addr:city": "Berlin", "addr:postcode": "10115"}
    assert read(tags).street == "Hauptstraße 5a"
    assert read(tags | {"addr:country": "de"}).formatted_address == "Hauptstraße 5a, 10115 Berlin, DE"
    assert read({"addr:housenumber": "5"}).street is None
    assert read({"addr:full": "5 Main St"}).formatted_address == "5 Main St"


def test_a_national_number_borrows_the_country_that_all_others_name() -> None:
    bare = {"type": "node", "id": 1, "tags": {"name": "a", "phone": "(512) 555-0100"}}
    named = {"type": "node", "id": 2, "tags": {"name": "b", "addr:country": "US"}}
    abroad = {"type": "node", "id": 3, "tags": {"name": "c", "addr:country": "MX"}}
    assert [place.phone for place in found_places({"elements": [bare, named]})] == ["+15125550100", None]
    assert found_places({"elements": [bare, named]})[0].country_code is None
    assert found_places({"elements": [bare, named, abroad]})[0].phone is None
    assert found_places({"elements": [bare]})[0].phone is None


@pytest.mark.parametrize("key", ["phone", "contact:phone", "mobile"])
def test_phones_have_many_keys(key: str) -> None:
    assert read({key: "+49 30 12345678"}).phone == "+493012345678"


@pytest.mark.parametrize(
    ("tags", "website"),
    [
        ({"contact:website": "https://a.example"}, "https://a.example"),
        ({"url": "a.example/x;y"}, "a.example/x;y"),
        ({"website": "https://a.example; https://b.example"}, "https://a.example"),
        ({"website": "https://a.example/" + "x" * 3_000}, None),
        ({}, None),
    ],
)
def test_websites_have_many_keys(tags: dict[str, str], website: str | None) -> None:
    assert read(tags).website == website


def test_what_is_disused_is_closed() -> None:
    assert read({"disused": "yes"}).business_status == "closed-permanently"
    assert read({"disused": "no"}).business_status is None


@pytest.mark.parametrize(
    "element", [None, {}, {"type": "area", "id": 1}, {"type": "node", "id": "1"}, {"type": "node", "id": 0}]
)
def test_what_is_no_element_is_none(element: object) -> None:
    assert found_place(element) is None


def test_an_area_is_a_town_rather_than_anything_else() -> None:
    pub = {"category": "amenity", "boundingbox": ["1", "2", "3", "4"]}
    town = {"category": "boundary", "boundingbox": ["30.1", "30.5", "-98.0", "-97.5"]}
    assert area_of([pub, town]) == Area(30.1, -98, 30.5, -97.5)
    assert area_of([pub]) == Area(1, 3, 2, 4)
    assert area_of([]) is None


def test_a_point_gets_some_room() -> None:
    area = area_of([{"category": "place", "boundingbox": ["1", "1", "3", "3"], "lat": "1.0", "lon": "3.0"}])
    assert area is not None
    assert area.contains(1, 3)


@pytest.mark.parametrize(
    "answer", [None, {}, [5], [{"boundingbox": ["x", "2", "3", "4"]}], [{"lat": "95", "lon": "1"}]]
)
def test_what_is_no_area_is_none(answer: object) -> None:
    assert area_of(answer) is None


def spans(text: str) -> dict[str, list[list[str]]] | None:
    hours = opening_hours(text)
    return hours and {day[:2]: found for day, found in hours.items() if found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24/7", {key: [["00:00", "24:00"]] for key in (day[:2] for day in WEEKDAYS)}),
        ("Mo 09:00-12:00,13:00-17:00", {"mo": [["09:00", "12:00"], ["13:00", "17:00"]]}),
        ("Mo 9:00 - 12:00, 13:00-17:00", {"mo": [["09:00", "12:00"], ["13:00", "17:00"]]}),
        ("Mo,We 08:00-09:00; Th off", {"mo": [["08:00", "09:00"]], "we": [["08:00", "09:00"]]}),
        ("Sa-Mo 10:00-11:00", {"mo": [["10:00", "11:00"]], "sa": [["10:00", "11:00"]], "su": [["10:00", "11:00"]]}),
        ("Mo-We 10:00-11:00; Tu off", {"mo": [["10:00", "11:00"]], "we": [["10:00", "11:00"]]}),
        ("Mo-We 10:00-11:00; Tu-We closed", {"mo": [["10:00", "11:00"]]}),
        ("Mo 10:00-11:00, Mo 12:00-13:00", {"mo": [["10:00", "11:00"], ["12:00", "13:00"]]}),
        ("Mo 10:00-11:00; Mo 12:00-13:00", {"mo": [["12:00", "13:00"]]}),
        ("Fr 18:00-02:00", {"fr": [["18:00", "02:00"]]}),
        ("Fr 18:00-26:00", {"fr": [["18:00", "02:00"]]}),
        ("Fr 00:00-24:00; PH off", {"fr": [["00:00", "24:00"]]}),
        ("Fr,PH 08:00-09:00;", {"fr": [["08:00", "09:00"]]}),
        ("off", {}),
        ("PH off", None), ("", None), ("by appointment", None), ("Mo-Fr 09:00-17:00+", None), ("sunrise-sunset", None),
        ("Mo-Fr 25:00-26:00", None), ("Mo 09:70-10:00", None), ("Mo-Fr 09:00-17:00 || Sa", None),
        ("Jan-Mar Mo 09:00-17:00", None), ("Mo[1] 09:00-10:00", None), ('Mo 09:00-10:00 "by phone"', None),
        ("Mo-Fr 09:00-17:00; " * 50, None), ("Mo-Fr", None), ("week 1-10 09:00-12:00", None),
    ],
)  # fmt: skip
def test_common_hours_are_read_and_others_left_alone(text: str, expected: object) -> None:
    assert spans(text) == expected


@given(
    texts | st.lists(st.sampled_from(["Mo", "-", "Fr", ",", ";", " ", "09:00", "17:00", "off", "24/7"])).map("".join)
)
def test_any_text_gives_hours_or_nothing(text: str) -> None:
    check_hours(opening_hours(text))


@pytest.mark.parametrize(
    ("what", "tag"),
    [
        ("dentists", ("amenity", "dentist")), ("Dentist", ("amenity", "dentist")), ("plumber", ("craft", "plumber")),
        ("Car repair", ("shop", "car_repair")), ("hair salons", ("shop", "hairdresser")),
        ("lawyer", ("office", "lawyer")), ("attorneys", ("office", "lawyer")), ("law firms", ("office", "lawyer")),
        ("bakeries", ("shop", "bakery")), ("cafés", ("amenity", "cafe")), ("the best pharmacies near me",
        ("amenity", "pharmacy")), ("vets", ("amenity", "veterinary")), ("yoga studios", ("sport", "yoga")),
        ("GYMS", ("leisure", "fitness_centre")), ("bed and breakfasts", ("tourism", "guest_house")),
        ("accountants", ("office", "accountant")), ("roofing contractors", ("craft", "roofer")),
    ],
)  # fmt: skip
def test_what_people_type_finds_its_tags(what: str, tag: tuple[str, str]) -> None:
    assert tag in tags_of(what)


def test_a_trade_that_is_not_in_the_table() -> None:
    assert tags_of("saddle makers") == ()
    assert value_of("Saddle Makers") == "saddle_maker"
    assert words_of("Joe's Saddles & Co.") == ("joe's", "saddles", "co")


elements = st.fixed_dictionaries(
    {"type": st.sampled_from(["node", "way"]) | json_values, "id": st.just(1) | json_values},
    optional={
        "tags": objects_with(*TAGS, "addr:full", "contact:website", "disused") | json_values,
        "center": objects_with("lat", "lon") | json_values,
        **dict.fromkeys(("lat", "lon"), json_values),
    },
)


@given(st.fixed_dictionaries({"elements": st.lists(elements | json_values, max_size=4) | json_values}) | json_values)
def test_any_json_gives_places_that_can_be_stored(value: object) -> None:
    for place in found_places(value):
        check(place)


@given(st.lists(objects_with("category", "boundingbox", "lat", "lon") | json_values, max_size=3) | json_values)
def test_any_json_gives_an_area_or_none(value: object) -> None:
    area = area_of(value)
    assert area is None or area.width > 0

"""Overpass: the query language, the elements, the limits and the errors."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.message import Reply, Request
from sandbox.places import Places
from sandbox.places.geometry import Circle, distance
from tests.sandbox.test_places import Clock, dentists, get, mixed, read

BOX = "30.0987,-97.9384,30.5169,-97.5614"
TOWN = mixed().towns[0]


def roomy(**options: Any) -> Places:
    return Places(options.pop("world", mixed()), slots=10**6, gap_seconds=0, **options)


def post(places: Places, query: str) -> Reply:
    body = f"data={quote_plus(query)}".encode()
    reply = places.answer(Request("POST", "overpass.example", "/api/interpreter", "", {}, body))
    assert reply is not None
    return reply


def elements(query: str, places: Places | None = None) -> list[dict[str, Any]]:
    reply = post(places or roomy(), f"[out:json][timeout:25];{query}")
    assert reply.status == 200, reply.body
    found: list[dict[str, Any]] = read(reply)["elements"]
    return found


def keys(found: list[dict[str, Any]]) -> set[tuple[str, int]]:
    return {(one["type"], one["id"]) for one in found}


def text(reply: Reply) -> str:
    assert isinstance(reply.body, bytes)
    return reply.body.decode()


def test_an_answer_has_the_usual_head() -> None:
    answer = read(post(roomy(), f'[out:json];node["amenity"="dentist"]({BOX});out 1;'))
    assert answer["version"] == 0.6
    assert answer["generator"]
    assert set(answer["osm3s"]) == {"timestamp_osm_base", "copyright"}
    assert len(answer["elements"]) == 1


def test_the_map_holds_about_seven_in_ten_and_always_the_same() -> None:
    found = elements(f"nwr[amenity=dentist]({BOX});out ids;")
    there = [one for one in mixed() if one.category.name == "dentist" and one.town == TOWN]
    assert 0.6 * len(there) < len(found) < 0.8 * len(there)
    assert keys(found) == keys(elements(f"nwr[amenity=dentist]({BOX});out ids;"))
    everyone = elements(f"nwr[amenity=dentist]({BOX});out ids;", roomy(osm_percent=100))
    assert len(everyone) == len([one for one in there if one.status != "closed-permanently"])


def test_elements_are_where_their_businesses_are() -> None:
    known = {one.osm_id: one for one in mixed()}
    found = elements(f"nwr[amenity=dentist]({BOX});out center tags;")
    for one in found:
        business = known[one["id"]]
        spot = one if one["type"] == "node" else one["center"]
        assert (spot["lat"], spot["lon"]) == (business.latitude, business.longitude)
        assert one["tags"]["name"] == business.name
        assert one["tags"]["amenity"] == "dentist"
    assert {one["type"] for one in found} == {"node", "way"}


def test_tags_have_gaps_and_spellings() -> None:
    tags = [one["tags"] for one in elements("nwr[name];out tags;")]
    for key in ("phone", "contact:phone", "website", "contact:website", "addr:street", "opening_hours", "email"):
        assert 0 < sum(key in one for one in tags) < len(tags), key
    sites = [one["website"] for one in tags if "website" in one]
    assert any("//" not in site for site in sites)
    assert any(site.startswith("http") for site in sites)
    phones = [one["phone"] for one in tags if "phone" in one]
    assert any(phone.startswith("+") for phone in phones)
    assert any(phone.startswith("(") for phone in phones)
    assert any(";" in phone for phone in phones)


@pytest.mark.parametrize(
    "query",
    [
        f'(node["amenity"="dentist"]({BOX});way["amenity"="dentist"]({BOX}););out;',
        f"(node[amenity=dentist]({BOX});way[amenity=dentist]({BOX});relation[amenity=dentist]({BOX}););out body;",
        f'nwr["amenity"~"^dentist$"]({BOX});out tags center;',
        f'nwr["amenity"~"DENT",i]({BOX});out;',
        f"nw['amenity'='dentist'][\"name\"]({BOX})->.found;.found out;",
        'area["name"="Austin"]["boundary"="administrative"]->.a;nwr["amenity"="dentist"](area.a);out center;',
        'area["name"="Austin"]["admin_level"="8"]->.a;(nwr["amenity"="dentist"](area.a);)->.x;.x out;',
        "area[name=Austin];nwr[amenity=dentist](area);out;",
        'area["ISO3166-2"="US-TX"]->.texas;nwr[amenity=dentist](area.texas);out;',
        "// a comment\nnwr[amenity=dentist]\n  (around:80000,30.3078,-97.7499); /* another */ out;",
        f"nwr[amenity=dentist][!building][shop!=florist]({BOX});out;",
        f"nwr[~\"^amen\"~\"dentist\"]({BOX});out;",
        f"nwr[amenity]({BOX})->.a;nwr.a[amenity=dentist];out;",
    ],
)  # fmt: skip
def test_many_forms_mean_the_same(query: str) -> None:
    wanted = keys(elements(f"nwr[amenity=dentist]({BOX});out ids;"))
    assert wanted
    assert keys(elements(query)) == wanted


def test_a_box_in_the_settings_holds_for_all() -> None:
    reply = post(roomy(), f"[out:json][bbox:{BOX}];nwr[amenity=dentist];out ids;")
    assert keys(read(reply)["elements"]) == keys(elements(f"nwr[amenity=dentist]({BOX});out ids;"))


def test_an_area_is_known_by_its_number() -> None:
    found = read(get(roomy(), "nominatim.example", "/search", {"q": "Austin, TX"}))
    number = 3_600_000_000 + found[0]["osm_id"]
    wanted = keys(elements(f"nwr[amenity=dentist]({BOX});out ids;"))
    assert keys(elements(f"nwr[amenity=dentist](area:{number});out ids;")) == wanted
    assert keys(elements(f"area({number})->.a;nwr[amenity=dentist](area.a);out ids;")) == wanted


def test_around_is_a_circle() -> None:
    circle = Circle(30.3, -97.75, 4_000)
    found = elements("nwr[amenity=dentist](around:4000,30.3,-97.75);out center;", roomy(osm_percent=100))
    there = [
        one
        for one in mixed()
        if one.category.name == "dentist"
        and one.status != "closed-permanently"
        and distance(circle.latitude, circle.longitude, one.latitude, one.longitude) <= 4_000
    ]
    assert {one["id"] for one in found} == {one.osm_id for one in there}
    assert there


def test_elements_are_found_by_number() -> None:
    first, second = elements(f"nwr[amenity=dentist]({BOX});out ids 2;")
    assert keys(elements(f"nwr({first['id']});out;")) == keys([first])
    assert keys(elements(f"nwr(id:{first['id']},{second['id']},5);out;")) == keys([first, second])


def test_counting() -> None:
    found = elements(f"nwr[amenity=dentist]({BOX});out ids;")
    (count,) = elements(f"nwr[amenity=dentist]({BOX});out count;")
    assert count["type"] == "count"
    assert int(count["tags"]["total"]) == len(found)
    assert int(count["tags"]["nodes"]) == sum(one["type"] == "node" for one in found)


def test_what_out_shows() -> None:
    def way(modes: str) -> dict[str, Any]:
        return elements(f"way[amenity=dentist]({BOX});out {modes} 1;")[0]

    assert set(way("ids")) == {"type", "id"}
    assert set(way("tags")) == {"type", "id", "tags"}
    assert set(way("skel")) == {"type", "id", "nodes"}
    assert set(way("body")) == set(way("")) == {"type", "id", "nodes", "tags"}
    assert set(way("tags center")) == {"type", "id", "center", "tags"}
    assert {"bounds", "geometry"} <= set(way("geom"))
    assert {"version", "timestamp"} <= set(way("meta"))
    node = elements(f"node[amenity=dentist]({BOX});out center tags 1;")[0]
    assert set(node) == {"type", "id", "lat", "lon", "tags"}


def test_the_corners_of_ways_can_be_had() -> None:
    found = elements(f"way[amenity=dentist]({BOX});(._;>;);out body;")
    ways = [one for one in found if one["type"] == "way"]
    corners = {one["id"] for one in found if one["type"] == "node"}
    assert ways
    assert {corner for way in ways for corner in way["nodes"]} == corners


def test_get_and_a_bare_body_work_too() -> None:
    query = f"[out:json];nwr[amenity=dentist]({BOX});out ids;"
    places = roomy()
    wanted = read(post(places, query))
    assert wanted["elements"]
    assert read(get(places, "overpass.example", "/api/interpreter", {"data": query})) == wanted
    bare = places.answer(Request("POST", "overpass.example", "/api/interpreter", "", {}, query.encode()))
    assert bare is not None
    assert read(bare) == wanted


@pytest.mark.parametrize(
    "query",
    [
        "", "[out:json];", "[out:json]", "[out:json];node;out;", "[out:json];node[amenity=dentist](1,2,3);out;",
        "[out:json];node[amenity=dentist](5,0,1,1);out;", "[out:json];node[amenity=dentist]out;",
        '[out:json];node["amenity=dentist];out;', "[out:json];nodes[a=b];out;", "[out:json];(node[a=b];",
        "[out:json];node[a=b];out sideways;", "[out:json][speed:5];node[a=b];out;",
        "[out:json];node[a=b](around:5);out;",
        "[out:json];node[a~'(x+)+y'];out;", "[out:json];node[a~'['];out;", "[out:json];node[a=b](1e999);out;",
        "node[amenity=dentist](1,2,3,4);out;", "[out:json];" + "(" * 5_000, "[out:json];" + "node[a=b];" * 100,
        "[out:json];" + " " * 30_000, "[out:json];node[a~'.*.*.*.*x'];out;", "[out:json];\x00",
    ],
)  # fmt: skip
def test_a_query_that_cannot_be_read_is_answered_with_html(query: str) -> None:
    reply = post(roomy(), query)
    assert reply.status == 400
    assert "<strong" in text(reply)
    assert "line 1" in text(reply)


def test_the_line_of_an_error_is_named() -> None:
    assert "line 3" in text(post(roomy(), "[out:json];\n\nnode[;"))


pieces = st.sampled_from(
    ["[out:json]", ";", "node", "nwr", "area", "[amenity=dentist]", f"({BOX})", "(", ")", "->", ".a", "out", "center",
     "[", "]", '"', "~", "!", ">", "._", "(area.a)", "(around:5,1,2)", "5", "[a~'b']", ":", ",", "'", "\\", "/*", "é"]
)  # fmt: skip


@given(st.lists(pieces, max_size=25).map("".join) | st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_no_query_makes_it_fall_over(query: str) -> None:
    places = roomy(world=dentists(20))
    assert post(places, query).status in (200, 400)
    assert post(places, "[out:json];" + query + ";out;").status in (200, 400)


def test_too_many_at_once_are_refused_until_a_slot_is_free() -> None:
    clock = Clock()
    places = Places(dentists(), now=clock, slots=2, slot_seconds=5)
    query = f"[out:json];node[amenity=dentist]({BOX});out 1;"
    assert [post(places, query).status for _ in range(3)] == [200, 200, 429]
    assert "rate_limited" in text(post(places, query))
    status = text(get(places, "overpass.example", "/api/status"))
    assert "Rate limit: 2" in status
    assert "Slot available after" in status
    clock.time += 5
    assert "2 slots available now." in text(get(places, "overpass.example", "/api/status"))
    assert post(places, query).status == 200
    assert places.overpass.statuses == [200, 200, 429, 429, 200]


def test_gateway_timeouts_and_late_timeouts() -> None:
    places = roomy(script={"overpass": {1: 504, 2: "timed-out", 3: "reset"}})
    query = f"[out:json];node[amenity=dentist]({BOX});out 1;"
    late = post(places, query)
    assert late.status == 504
    assert "<strong" in text(late)
    remarked = post(places, query)
    assert remarked.status == 200
    assert "timed out" in read(remarked)["remark"]
    assert read(remarked)["elements"] == []
    assert post(places, query).resets
    assert "remark" not in read(post(places, query))


def test_every_place_filter_must_hold() -> None:
    around, south = "(around:6000,30.3078,-97.7499)", "(30.0987,-97.9384,30.3078,-97.5614)"
    circle = keys(elements(f"nwr[amenity=dentist]{around};out ids;"))
    half = keys(elements(f"nwr[amenity=dentist]{south};out ids;"))
    both = circle & half
    assert both < circle
    assert both < half
    assert keys(elements(f"nwr[amenity=dentist]{around}{south};out ids;")) == both
    assert keys(elements(f"nwr[amenity=dentist]{south}{around};out ids;")) == both


def test_a_box_may_cross_the_date_line() -> None:
    found = elements("nwr[amenity=dentist](-60,150,60,-100);out center;")
    longitudes = [one.get("lon") or one["center"]["lon"] for one in found]
    assert any(longitude > 150 for longitude in longitudes)
    assert any(longitude < -100 for longitude in longitudes)
    assert all(longitude > 150 or longitude < -100 for longitude in longitudes)


def test_closed_businesses_are_off_the_map() -> None:
    closed = next(one for one in mixed() if one.status == "closed-permanently")
    open_one = next(one for one in mixed() if one.status == "operational")
    places = roomy(osm_percent=100)
    assert elements(f"nwr({closed.osm_id});out;", places) == []
    assert elements(f"nwr({open_one.osm_id});out;", places)

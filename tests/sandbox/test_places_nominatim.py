"""Nominatim: towns, and the manners it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.message import Reply
from sandbox.places import Places
from tests.sandbox.test_places import Clock, get, mixed, read

AGENT = "ScraperSky/1.0 (contact@scrapersky.example)"


def ask(places: Places, agent: str = AGENT, **query: str) -> Reply:
    return get(places, "nominatim.example", "/search", query, agent)


def found(**query: str) -> list[dict[str, Any]]:
    reply = ask(Places(mixed()), **query)
    assert reply.status == 200
    towns: list[dict[str, Any]] = read(reply)
    return towns


def test_a_town_is_found_with_its_box() -> None:
    (town,) = found(q="Austin, TX", format="jsonv2", limit="1", addressdetails="1")
    known = mixed().towns[0]
    assert list(map(float, town["boundingbox"])) == [known.south, known.north, known.west, known.east]
    assert all(isinstance(edge, str) for edge in (*town["boundingbox"], town["lat"], town["lon"]))
    assert known.south < float(town["lat"]) < known.north
    assert known.west < float(town["lon"]) < known.east
    assert town["display_name"] == "Austin, Texas, United States"
    assert (town["osm_type"], town["category"], town["type"]) == ("relation", "boundary", "administrative")
    assert {"place_id", "osm_id", "importance", "licence"} <= set(town)
    assert town["address"]["state"] == "Texas"
    assert town["address"]["country_code"] == "us"


def test_details_and_class_depend_on_the_question() -> None:
    (plain,) = found(q="Austin", format="json")
    assert "address" not in plain
    assert (plain["class"], "category" in plain) == ("boundary", False)


@pytest.mark.parametrize("text", ["austin", "Austin Texas", "Austin, TX, USA", "AUSTIN, United States"])
def test_spellings_of_a_town(text: str) -> None:
    assert [town["name"] for town in found(q=text)] == ["Austin"]


def test_english_names_parts_and_countries() -> None:
    assert [town["name"] for town in found(q="Munich, Germany")] == ["München"]
    assert [town["name"] for town in found(city="Lyon", country="France")] == ["Lyon"]
    assert found(q="Lyon", countrycodes="us,de") == []
    assert len(found(q="Lyon", countrycodes="fr")) == 1


@pytest.mark.parametrize("text", ["Atlantis", "Austin, MN", "Austin Berlin", "dentists in Austin"])
def test_an_unknown_town_is_an_empty_list(text: str) -> None:
    assert found(q=text) == []


@pytest.mark.parametrize("query", [{}, {"q": ""}, {"q": "Austin", "format": "yaml"}, {"q": "Austin", "limit": "all"}])
def test_a_bad_question_is_refused(query: dict[str, str]) -> None:
    reply = ask(Places(mixed()), **query)
    assert reply.status == 400
    assert read(reply)["error"]["message"]


@pytest.mark.parametrize("agent", ["", "python-httpx/0.28.1", "python-requests/2.32", "Python-urllib/3.11", "curl/8.5"])
def test_callers_must_say_who_they_are(agent: str) -> None:
    places = Places(mixed())
    assert ask(places, agent, q="Austin").status == 403
    assert ask(places, AGENT, q="Austin").status == 200


def test_one_call_a_second() -> None:
    clock = Clock()
    places = Places(mixed(), now=clock)
    assert ask(places, q="Austin").status == 200
    clock.time += 0.9
    assert ask(places, q="Austin").status == 429
    clock.time += 0.2
    assert ask(places, q="Austin").status == 200
    assert places.nominatim.statuses == [200, 429, 200]


def test_faults_come_by_script() -> None:
    places = Places(mixed(), script={"nominatim": {1: 503, 2: "reset"}}, gap_seconds=0)
    assert ask(places, q="Austin").status == 503
    assert ask(places, q="Austin").resets
    assert ask(places, q="Austin").status == 200


@given(st.dictionaries(st.sampled_from(["q", "format", "limit", "city", "countrycodes"]), st.text(max_size=30)))
@settings(max_examples=100, deadline=None)
def test_no_question_makes_it_fall_over(query: dict[str, str]) -> None:
    assert ask(Places(mixed(10)), **query).status in (200, 400)

"""Saved views: a table as a person likes to see it, opened, changed and deleted by that person alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.dashboard.browsers import Browser
from tests.entities.world import World

SHOWN: dict[str, Any] = {
    "entity": "places",
    "where": ["rating>=4", "curation_status=New"],
    "sort": "-rating",
    "columns": "phone,rating",
}


@pytest.fixture
def world(db: str, url: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def views(page: LexborHTMLParser) -> dict[str, str]:
    return {node.text().strip(): node.attributes["href"] or "" for node in page.css(".drop .plain a")}


def names(page: LexborHTMLParser) -> list[str]:
    return [node.text().strip() for node in page.css("tbody th a")]


def test_a_view_brings_back_filter_order_and_columns(viewer: Browser, world: World) -> None:
    for name, rating in (("good", 4), ("best", 5), ("bad", 1)):
        world.place(name=name, rating=rating)
    world.place(name="decided", rating=5, curation_status="Maybe")
    saved = viewer.send("/views", name="<b>Good ones</b>", **SHOWN)
    assert saved.status_code == 303
    page = viewer.see(saved.headers["location"])
    assert views(page) == {"<b>Good ones</b>": saved.headers["location"]}
    assert names(page) == ["best", "good"]
    assert [node.text().strip() for node in page.css("thead th")] == ["Name", "Phone", "Rating ▼", "Decision", "Work"]
    assert "is saved" in (page.css("#notes")[0].text())
    changed = viewer.see(f"{saved.headers['location']}&where=name%3Dbest")
    assert "Save the changes" in (changed.css(".drop")[0].text())
    fields = changed.css('.drop form[action="/views"]')[0].css("input")
    form: dict[str, Any] = {}
    for field in fields:
        form.setdefault(field.attributes["name"] or "", []).append(field.attributes["value"] or "")
    again = viewer.send("/views", **{name: values for name, values in form.items() if name != "csrf"})
    assert names(viewer.see(again.headers["location"])) == ["best"]
    assert len(views(viewer.see("/curate/places"))) == 1


def test_a_view_is_renamed_and_deleted_by_its_owner_alone(
    curator: Browser, visit: Callable[..., Browser], stranger: Browser, world: World
) -> None:
    curator.send("/views", name="mine", **SHOWN)
    curator.send("/views", name="other", entity="places")
    view = world.rows("SELECT id FROM saved_views WHERE name = 'mine'")[0]["id"]
    for other in (visit("curator"), stranger):
        assert views(other.see("/curate/places")) == {}
        assert other.send(f"/views/{view}/rename", name="theirs").status_code == 404
        assert other.send(f"/views/{view}/delete").status_code == 404
    assert curator.send(f"/views/{view}/rename", name="other").status_code == 409
    assert curator.send(f"/views/{view}/rename", name=" ").status_code == 400
    assert curator.send(f"/views/{view}/rename", name="renamed").status_code == 303
    assert set(views(curator.see("/curate/places"))) == {"other", "renamed"}
    assert curator.send(f"/views/{view}/delete").headers["location"] == "/curate/places"
    assert set(views(curator.see("/curate/places"))) == {"other"}
    assert curator.client.post("/views", data={"name": "forged", "entity": "places"}).status_code == 403


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"name": "a", "entity": "nothing"}, 404),
        ({"name": "", "entity": "places"}, 400),
        ({"name": "a", "entity": "places", "where": "nonsense"}, 400),
        ({"name": "a", "entity": "places", "sort": "nonsense"}, 400),
        ({"name": "a", "entity": "places", "columns": "nonsense"}, 400),
        ({"name": "a" * 3000, "entity": "places"}, 422),
    ],
    ids=["table", "no-name", "condition", "sort", "column", "long-name"],
)
def test_what_cannot_be_shown_is_refused_in_one_sentence(
    curator: Browser, world: World, fields: dict[str, Any], status: int
) -> None:
    answer = curator.send("/views", **fields)
    assert answer.status_code == status
    assert world.rows("SELECT 1 FROM saved_views") == []


def test_a_view_that_could_not_be_opened_again_is_not_saved(viewer: Browser) -> None:
    refused = viewer.send("/views", entity="places", name="long", where=[f"name~{'x' * 1900}"] * 5)
    assert refused.status_code == 400
    assert "Nothing was saved" in refused.text
    assert views(viewer.see("/curate/places")) == {}

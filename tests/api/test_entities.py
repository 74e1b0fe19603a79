"""Entities over HTTP: one contract for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from api.routes.pages import PageKind
from entities.catalog import ENTITIES
from models.page import PAGE_KINDS
from tests.api.people import Person
from tests.entities.world import World

API = "/api/v3"
# Searches have routes of their own, with the same list.
NAMES = [name for name in ENTITIES if name != "searches"]


@pytest.fixture
def world(db: str, viewer: Person) -> Iterator[World]:
    """Rows of the viewer's tenant."""
    made = World(db, viewer.tenant_id)
    yield made
    made.close()


@pytest.fixture
def elsewhere(db: str, stranger: Person) -> Iterator[World]:
    made = World(db, stranger.tenant_id)
    yield made
    made.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_list_is_filtered_sorted_counted_and_paged(name: str, viewer: Person, world: World, elsewhere: World) -> None:
    ids = world.fill(name)
    elsewhere.fill(name)
    where = f"id={','.join(map(str, ids))}"
    wanted: dict[str, str | int] = {"where": where, "sort": "curation_status,-created_at", "limit": 5}
    seen: list[int] = []
    answer = viewer.client.get(f"{API}/{name}", params=wanted).json()
    while answer["next_cursor"]:
        assert answer["total"] == len(ids)
        seen += [row["id"] for row in answer["items"]]
        answer = viewer.client.get(f"{API}/{name}", params=wanted | {"cursor": answer["next_cursor"]}).json()
    seen += [row["id"] for row in answer["items"]]
    assert sorted(seen) == sorted(ids)
    assert set(answer["items"][0]) == {column.name for column in ENTITIES[name].listed}
    assert viewer.client.get(f"{API}/{name}", params={"total": "none"}).json()["total"] is None


def test_searches_are_listed_by_the_same_contract(viewer: Person, world: World, elsewhere: World) -> None:
    ids = world.fill("searches")
    elsewhere.fill("searches")
    answer = viewer.client.get(f"{API}/searches", params={"sort": "-spent_usd", "limit": 3}).json()
    assert (answer["total"], len(answer["items"])) == (len(ids), 3)
    assert set(answer["items"][0]) == {column.name for column in ENTITIES["searches"].listed}


@pytest.mark.parametrize("name", NAMES)
def test_one_row_is_shown_with_all_its_columns(name: str, viewer: Person, world: World) -> None:
    row_id = world.fill(name)[1]
    answer = viewer.client.get(f"{API}/{name}/{row_id}")
    assert answer.status_code == 200
    assert {column.name for column in ENTITIES[name].shown} <= set(answer.json())


@pytest.mark.parametrize("name", NAMES)
def test_another_tenant_sees_and_changes_nothing(
    name: str, viewer: Person, stranger: Person, world: World, elsewhere: World
) -> None:
    row_id = world.fill(name)[0]
    (nothing,) = world.rows("SELECT max(id) + 1000 AS id FROM work")
    assert stranger.client.get(f"{API}/{name}", params={"where": f"id={row_id}"}).json()["items"] == []
    for path in (f"{name}/{row_id}", f"{name}/{row_id}/journey"):
        there, nowhere = (
            stranger.client.get(f"{API}/{path}"),
            stranger.client.get(f"{API}/{path.replace(str(row_id), str(nothing['id']))}"),
        )
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert there.json()["detail"].replace(str(row_id), "") == nowhere.json()["detail"].replace(
            str(nothing["id"]), ""
        )
    change = stranger.client.patch(f"{API}/{name}/{row_id}", json={"curation_status": "Archived"})
    assert change.status_code == 404
    assert viewer.client.get(f"{API}/{name}/{row_id}").json()["curation_status"] == "New"
    assert world.rows("SELECT 1 FROM operations") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_is_stored_queued_noted_and_remembered(name: str, curator: Person, world: World) -> None:
    row_id = world.make(name)
    answer = curator.client.patch(f"{API}/{name}/{row_id}", json={"curation_status": "Selected"})
    assert (answer.status_code, answer.json()["curation_status"]) == (200, "Selected")
    shown = next(iter(ENTITIES[name].stages.values()))
    assert answer.json()[f"{shown}_status"] == "Queued"
    (entry,) = world.rows("SELECT * FROM audit_entries")
    assert (entry["user_id"], entry["entity"]) == (curator.user_id, name)
    assert len(world.rows("SELECT 1 FROM operations WHERE status = 'Selected'")) == 1


@pytest.mark.parametrize("name", NAMES)
def test_viewers_change_nothing(name: str, viewer: Person, world: World) -> None:
    row_id = world.make(name)
    answer = viewer.client.patch(f"{API}/{name}/{row_id}", json={"curation_status": "Archived"})
    assert answer.status_code == 403
    assert "does not include 'curate'" in answer.json()["detail"]


UNCHANGEABLE: list[tuple[Any, int]] = [
    ({}, 400),
    ({"curation_status": None}, 400),
    ({"curation_status": "Loved"}, 422),
    ({"tenant_id": "x"}, 422),
    ([], 422),
]


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_changed_is_refused(name: str, curator: Person, world: World) -> None:
    row_id = world.make(name)
    for body, status in UNCHANGEABLE:
        answer = curator.client.patch(f"{API}/{name}/{row_id}", json=body)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), body


UNLISTABLE = [
    ({"where": "colour=red"}, "There is no field 'colour'"),
    ({"where": "created_at~5"}, "created_at cannot be compared by ~"),
    ({"sort": "colour"}, "cannot be sorted by 'colour'"),
    ({"cursor": "x"}, "This cursor cannot be read"),
    ({"where": "id=' OR 1=1 --"}, "is compared with a number"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_list_that_cannot_be_is_refused_in_a_sentence(name: str, viewer: Person) -> None:
    for params, sentence in UNLISTABLE:
        answer = viewer.client.get(f"{API}/{name}", params=params)
        assert answer.status_code == 400, params
        assert sentence in answer.json()["detail"]


@pytest.mark.parametrize(
    "params", [{"limit": 0}, {"limit": 501}, {"limit": "x"}, {"total": "maybe"}, {"where": "title=\x00"}]
)
def test_parameters_have_limits(params: dict[str, Any], viewer: Person) -> None:
    assert viewer.client.get(f"{API}/pages", params=params).status_code in (400, 422)


def test_facts_of_a_business_are_corrected_with_an_entry_of_how_they_were(curator: Person, world: World) -> None:
    business = world.business(
        name="Acme", phone="+15125550199", country_code="DE",
        field_sources={"phone": {"source": "sandbox", "expires_at": "2026-01-01T00:00:00+00:00"}},
    )  # fmt: skip
    body = {"name": "  Acme   Dental ", "phone": "030 901820", "website": "acme.example", "city": None}
    answer = curator.client.patch(f"{API}/local_businesses/{business}", json=body)
    assert answer.status_code == 200
    row = answer.json()
    assert (row["name"], row["phone"], row["website"], row["city"]) == (
        "Acme Dental",
        "+4930901820",
        "acme.example",
        None,
    )
    assert row["field_sources"]["phone"] == {"source": "person", "expires_at": None}
    (entry,) = world.rows("SELECT * FROM audit_entries")
    assert (entry["action"], entry["entity_id"]) == ("update", business)
    assert entry["detail"]["before"]["phone"] == "+15125550199"
    assert entry["api_key_id"] is not None


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"phone": "call me"}, "'call me' is no phone number"),
        ({"country_code": "Texas"}, "There is no region 'Texas'"),
        ({"website": "not a site"}, "is no website"),
        ({"name": "x" * 600}, "longer than 500 characters"),
    ],
)
def test_what_is_no_fact_is_refused_and_nothing_is_half_done(
    body: dict[str, str], sentence: str, curator: Person, world: World
) -> None:
    business = world.business(name="Acme", city="Austin")
    answer = curator.client.patch(f"{API}/local_businesses/{business}", json={"city": "Dallas"} | body)
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    (row,) = world.rows("SELECT name, city FROM local_businesses WHERE id = %s", business)
    assert (row["name"], row["city"]) == ("Acme", "Austin")


def test_the_kind_of_a_page_is_corrected(curator: Person, world: World) -> None:
    page = world.page(kind="blog")
    answer = curator.client.patch(f"{API}/pages/{page}", json={"kind": "contact", "curation_status": "Maybe"})
    assert (answer.json()["kind"], answer.json()["curation_status"]) == ("contact", "Maybe")
    assert curator.client.patch(f"{API}/pages/{page}", json={"kind": None}).status_code == 400
    assert get_args(PageKind) == PAGE_KINDS


def test_every_list_describes_its_fields(viewer: Person) -> None:
    told = viewer.client.get(f"{API}/openapi.json").json()
    for name in NAMES:
        about = told["paths"][f"{API}/{name}"]["get"]["description"]
        assert all(f"`{field}`" in about for field in ENTITIES[name].fields), name
    row = told["components"]["schemas"]["PageRow"]
    assert "page_processing_status" in row["properties"]

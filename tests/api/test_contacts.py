"""Contacts over HTTP: added, changed and deleted by hand, each with its proof and its entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.people import Person
from tests.entities.world import World

CONTACTS = "/api/v3/contacts"


@pytest.fixture
def world(db: str, curator: Person) -> Iterator[World]:
    made = World(db, curator.tenant_id)
    yield made
    made.close()


def test_a_contact_is_added_validated_changed_and_deleted(curator: Person, world: World) -> None:
    domain = world.domain(name="acme.example")
    body = {"kind": "email", "value": "Ann@Acme.example", "domain": "acme.example", "person_name": "Ann Low"}
    made = curator.client.post(CONTACTS, json=body)
    assert made.status_code == 201
    row = made.json()
    assert (row["value"], row["domain_id"], row["person_name"]) == ("ann@acme.example", domain, "Ann Low")
    assert [seen["method"] for seen in row["sightings"]] == ["manual"]
    assert row["contact_validation_status"] == "Queued"
    changed = curator.client.patch(
        f"{CONTACTS}/{row['id']}", json={"note": "met at the fair", "value": "al@acme.example"}
    )
    assert (changed.json()["note"], changed.json()["value"]) == ("met at the fair", "al@acme.example")
    assert curator.client.delete(f"{CONTACTS}/{row['id']}").status_code == 204
    assert curator.client.get(f"{CONTACTS}/{row['id']}").status_code == 404
    entries = world.rows("SELECT action, user_id, api_key_id FROM audit_entries ORDER BY id")
    assert [entry["action"] for entry in entries] == ["create", "update", "delete"]
    assert {entry["user_id"] for entry in entries} == {curator.user_id}
    assert None not in {entry["api_key_id"] for entry in entries}


def test_the_same_contact_twice_is_a_conflict(curator: Person, world: World) -> None:
    body = {"kind": "email", "value": "ann@acme.example", "domain_id": world.domain()}
    assert curator.client.post(CONTACTS, json=body).status_code == 201
    again = curator.client.post(CONTACTS, json=body)
    assert (again.status_code, again.json()["detail"]) == (409, "The domain has this email already.")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"domain": None}, "give either domain_id or domain"),
        ({"domain_id": 1}, "give either domain_id or domain"),
        ({"domain": "nobody.example"}, "There is no domain 'nobody.example'"),
        ({"value": "no address"}, "'no address' is no email"),
        ({"kind": "phone", "value": "12", "country_code": "US"}, "'12' is no phone"),
        ({"kind": "phone", "value": "512 555 0100", "country_code": "XX"}, "There is no region 'XX'"),
        ({"person_name": "x" * 1500}, "longer than 1000 characters"),
    ],
)
def test_what_is_no_contact_is_refused(body: dict[str, Any], sentence: str, curator: Person, world: World) -> None:
    world.domain(name="acme.example")
    given = {"kind": "email", "value": "ann@acme.example", "domain": "acme.example"} | body
    answer = curator.client.post(CONTACTS, json=given)
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    assert world.rows("SELECT 1 FROM contacts") == []


def test_strangers_neither_add_to_a_domain_nor_touch_a_contact(curator: Person, stranger: Person, world: World) -> None:
    domain = world.domain(name="acme.example")
    contact = world.contact(domain)
    for whose in ({"domain_id": domain}, {"domain": "acme.example"}):
        answer = stranger.client.post(CONTACTS, json={"kind": "email", "value": "x@acme.example"} | whose)
        assert answer.status_code == 400
        assert "There is no domain" in answer.json()["detail"]
    assert stranger.client.delete(f"{CONTACTS}/{contact}").status_code == 404
    assert stranger.client.patch(f"{CONTACTS}/{contact}", json={"note": "mine"}).status_code == 404
    assert curator.client.get(f"{CONTACTS}/{contact}").json()["note"] is None


def test_viewers_only_look(viewer: Person, world: World) -> None:
    domain = world.domain()
    contact = world.contact(domain)
    body = {"kind": "email", "value": "x@acme.example", "domain_id": domain}
    assert viewer.client.get(f"{CONTACTS}/{contact}").status_code == 200
    assert viewer.client.post(CONTACTS, json=body).status_code == 403
    assert viewer.client.delete(f"{CONTACTS}/{contact}").status_code == 403

"""Everybody makes and revokes keys of their own; admins see all of the tenant."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.accounts.residents import PASSWORD, resident, value
from tests.api.people import People, Person

KEYS = "/api/v3/keys"


def add(person: Person, **body: Any) -> httpx.Response:
    return person.client.post(KEYS, json={"name": uuid4().hex} | body)


def me(url: str, secret: str) -> httpx.Response:
    return httpx.get(f"{url}/api/v3/auth/me", headers={"X-API-Key": secret}, timeout=60)


def test_a_key_is_shown_once(viewer: Person, url: str) -> None:
    made = add(viewer, name="nightly")
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    secret, key = made.json()["secret"], made.json()["key"]
    assert me(url, secret).json()["api_key_id"] == key["id"]
    assert key["prefix"] == secret[:12]
    listed = viewer.client.get(KEYS)
    assert secret not in listed.text
    assert listed.json()["items"][0]["name"] == "nightly"


def test_who_has_logged_in_makes_keys_too(url: str) -> None:
    user = resident("curator")
    body = {"email": user["email"], "password": PASSWORD}
    token = httpx.post(f"{url}/api/v3/auth/login", json=body, timeout=60).json()["access_token"]
    made = httpx.post(
        f"{url}{KEYS}", json={"name": "x"}, headers={"Authorization": f"Bearer {token}"}, timeout=60
    ).json()
    assert made["key"]["made_with_id"] is None
    assert me(url, made["secret"]).json()["scopes"] == ["read", "export", "curate", "submit"]


def test_a_key_cannot_do_more_than_its_maker(curator: Person, people: People) -> None:
    assert add(curator, scopes=["read", "curate"]).json()["key"]["scopes"] == ["read", "curate"]
    assert add(curator, scopes=["administer"]).status_code == 403
    narrow = people.person("admin", scopes=["read"])
    assert add(narrow, scopes=["administer"]).status_code == 403
    assert add(narrow).json()["key"]["scopes"] == ["read"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": ""}, 422),
        ({"name": "  "}, 400),
        ({"name": "x" * 101}, 422),
        ({"name": "x\x00"}, 422),
        ({"scopes": ["king"]}, 422),
        ({"scopes": ["read"] * 21}, 422),
        ({"expires_at": "2020-01-01T00:00:00Z"}, 400),
        ({"expires_at": "2030-01-01T00:00:00"}, 422),
        ({"expires_at": "9999-12-31T23:59:59-23:59"}, 400),
        ({"expires_at": "0001-01-01T00:00:00+23:59"}, 400),
        ({"user_id": str(uuid4())}, 422),
    ],
)
def test_what_cannot_be_made_is_refused(viewer: Person, body: dict[str, Any], status: int) -> None:
    answer = add(viewer, **body)
    assert answer.status_code == status, answer.text


def test_a_name_is_taken_once(viewer: Person, curator: Person, stranger: Person) -> None:
    assert add(viewer, name="nightly").status_code == 201
    assert add(curator, name="nightly").status_code == 409
    assert add(stranger, name="nightly").status_code == 201


def test_a_revoked_key_is_refused_at_once(viewer: Person, url: str) -> None:
    made = add(viewer).json()
    path = f"{KEYS}/{made['key']['id']}"
    answer = viewer.client.delete(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert me(url, made["secret"]).status_code == 401
    assert viewer.client.delete(path).status_code == 204


def test_a_revoked_key_takes_those_with_it_that_it_made(admin: Person, url: str) -> None:
    first = add(admin).json()
    with httpx.Client(base_url=url, headers={"X-API-Key": first["secret"]}) as program:
        second = program.post(KEYS, json={"name": "second"}).json()
    assert second["key"]["made_with_id"] == first["key"]["id"]
    admin.client.delete(f"{KEYS}/{first['key']['id']}")
    assert me(url, second["secret"]).status_code == 401


def test_people_see_their_own_keys_and_admins_the_tenants(
    admin: Person, viewer: Person, curator: Person, stranger: Person
) -> None:
    def seen(person: Person, **query: str) -> set[str]:
        return {row["user_id"] for row in person.client.get(KEYS, params=query).json()["items"]}

    everybody = {str(person.user_id) for person in (admin, viewer, curator)}
    assert seen(viewer) == {str(viewer.user_id)}
    assert seen(viewer, user_id=str(admin.user_id)) == {str(viewer.user_id)}
    assert seen(admin) == everybody
    assert seen(admin, user_id=str(viewer.user_id)) == {str(viewer.user_id)}
    assert seen(admin, user_id=str(stranger.user_id)) == set()
    assert seen(stranger) == {str(stranger.user_id)}


def test_keys_of_others_are_not_there_except_for_admins(admin: Person, viewer: Person, stranger: Person) -> None:
    made = add(viewer).json()["key"]["id"]
    for person in (stranger,):
        assert person.client.delete(f"{KEYS}/{made}").status_code == 404
    theirs = add(admin).json()["key"]["id"]
    assert viewer.client.delete(f"{KEYS}/{theirs}").status_code == 404
    assert viewer.client.delete(f"{KEYS}/999999999").status_code == 404
    assert viewer.client.delete(f"{KEYS}/0").status_code == 422
    assert viewer.client.delete(f"{KEYS}/{2**63}").status_code == 422
    assert admin.client.delete(f"{KEYS}/{made}").status_code == 204


def test_a_list_goes_on_where_it_ended(viewer: Person) -> None:
    for _ in range(4):
        add(viewer)
    first = viewer.client.get(KEYS, params={"limit": 3}).json()
    second = viewer.client.get(KEYS, params={"limit": 3, "cursor": first["next_cursor"]}).json()
    ids = [row["id"] for row in first["items"] + second["items"]]
    assert ids == sorted(set(ids), reverse=True)
    assert (len(ids), first["total"], second["next_cursor"]) == (5, 5, None)
    assert viewer.client.get(KEYS, params={"cursor": "x"}).status_code == 400


def test_it_is_written_down_with_which_key_it_was_done(viewer: Person) -> None:
    made = add(viewer, name="mine").json()["key"]["id"]
    viewer.client.delete(f"{KEYS}/{made}")
    own = value("SELECT id FROM api_keys WHERE user_id = %s AND id <> %s", viewer.user_id, made)
    entries = value("SELECT jsonb_agg(jsonb_build_array(action, entity_id, api_key_id) ORDER BY id) FROM audit_entries")
    assert entries == [["create", made, own], ["revoke", made, own]]

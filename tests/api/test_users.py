"""Admins look after the users of their own tenant."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.accounts.residents import PASSWORD, resident, value
from tests.api.people import People, Person

USERS = "/api/v3/users"


def add(person: Person, **body: Any) -> httpx.Response:
    return person.client.post(USERS, json={"email": f"{uuid4().hex}@example.org"} | body)


def change(person: Person, user_id: object, **body: Any) -> httpx.Response:
    return person.client.patch(f"{USERS}/{user_id}", json=body)


def test_an_added_user_comes_in_by_a_link(admin: Person, url: str) -> None:
    answer = add(admin, email="Anna@Example.org", role="curator", name="Anna")
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    user, link = answer.json()["user"], answer.json()["link"]
    assert (user["email"], user["role"], user["has_password"]) == ("anna@example.org", "curator", False)
    assert link["path"] == f"/login#{link['token']}"
    used = httpx.post(f"{url}/api/v3/auth/link", json={"token": link["token"], "password": PASSWORD}, timeout=60)
    assert used.status_code == 200
    assert admin.client.get(f"{USERS}/{user['id']}").json()["has_password"] is True


def test_a_user_with_a_password_gets_no_link(admin: Person, url: str) -> None:
    made = add(admin, email="anna@example.org", password=PASSWORD).json()
    assert made["link"] is None
    body = {"email": "anna@example.org", "password": PASSWORD}
    assert httpx.post(f"{url}/api/v3/auth/login", json=body, timeout=60).status_code == 200


def test_two_users_do_not_share_an_address(admin: Person, stranger: Person) -> None:
    assert add(admin, email="anna@example.org").status_code == 201
    assert add(admin, email="ANNA@example.org").status_code == 409
    assert add(stranger, email="anna@example.org").status_code == 409


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"email": "anna"}, 400),
        ({"email": "a\x00@b"}, 400),
        ({"email": None}, 422),
        ({"role": "king"}, 422),
        ({"password": "short"}, 422),
        ({"name": "x\x00"}, 422),
        ({"name": "x" * 201}, 422),
        ({"tenant_id": str(uuid4())}, 422),
    ],
)
def test_what_cannot_be_added_is_refused(admin: Person, body: dict[str, Any], status: int) -> None:
    assert add(admin, **body).status_code == status


def test_only_admins_look_after_users(curator: Person, viewer: Person, people: People) -> None:
    limited = people.person("admin", scopes=["read", "curate", "operate"])
    for person in (curator, viewer, limited):
        assert person.client.get(USERS).status_code == 403
        assert add(person).status_code == 403
        assert person.client.get(f"{USERS}/{person.user_id}").status_code == 403
        assert change(person, person.user_id, role="admin").status_code == 403
        assert person.client.post(f"{USERS}/{person.user_id}/link").status_code == 403


def test_users_of_another_tenant_are_not_there(admin: Person, stranger: Person) -> None:
    missing, theirs = (f"{USERS}/{user_id}" for user_id in (uuid4(), stranger.user_id))
    for path in (missing, theirs):
        assert admin.client.get(path).status_code == 404
        assert admin.client.patch(path, json={"role": "viewer"}).status_code == 404
        assert admin.client.post(f"{path}/link").status_code == 404
    assert admin.client.get(missing).json() == admin.client.get(theirs).json()
    listed = admin.client.get(USERS).json()
    assert [row["id"] for row in listed["items"]] == [str(admin.user_id)]
    assert listed["total"] == 1


def test_a_list_goes_on_where_it_ended(admin: Person) -> None:
    for _ in range(4):
        add(admin)
    first = admin.client.get(USERS, params={"limit": 3}).json()
    second = admin.client.get(USERS, params={"limit": 3, "cursor": first["next_cursor"], "total": "none"}).json()
    emails = [row["email"] for row in first["items"] + second["items"]]
    assert emails == sorted(set(emails))
    assert (len(emails), first["total"], second["total"], second["next_cursor"]) == (5, 5, None, None)
    for bad in ("x", "é", "AA", "\x00"):
        assert admin.client.get(USERS, params={"cursor": bad}).status_code == 400
    assert admin.client.get(USERS, params={"page": 2}).status_code == 422


def test_a_change_changes_what_is_said(admin: Person) -> None:
    user = resident("viewer")
    assert change(admin, user["id"], name="Anna").json()["name"] == "Anna"
    changed = change(admin, user["id"], role="curator").json()
    assert (changed["name"], changed["role"], changed["is_active"]) == ("Anna", "curator", True)
    assert change(admin, user["id"], name=None).json()["name"] is None
    assert change(admin, user["id"]).status_code == 400
    assert change(admin, user["id"], role=None).status_code == 422
    assert change(admin, user["id"], is_active=None).status_code == 422
    assert change(admin, user["id"], email="new@example.org").status_code == 422


def test_who_is_let_go_is_out_at_once(admin: Person, people: People) -> None:
    gone = people.person("curator")
    assert gone.client.get("/api/v3/auth/me").status_code == 200
    assert change(admin, gone.user_id, is_active=False).status_code == 200
    assert gone.client.get("/api/v3/auth/me").status_code == 401


def test_the_last_admin_stays(stranger: Person, people: People) -> None:
    assert change(stranger, stranger.user_id, role="viewer").status_code == 409
    assert change(stranger, stranger.user_id, is_active=False).status_code == 409
    people.person("admin", tenant_id=stranger.tenant_id)
    assert change(stranger, stranger.user_id, role="viewer").status_code == 200
    assert stranger.client.get(USERS).status_code == 403


def test_a_link_for_who_forgot_the_password(admin: Person, url: str) -> None:
    user = resident("viewer")
    answer = admin.client.post(f"{USERS}/{user['id']}/link")
    assert answer.status_code == 201
    body = {"token": answer.json()["token"], "password": "another good password"}
    assert httpx.post(f"{url}/api/v3/auth/link", json=body, timeout=60).status_code == 200
    change(admin, user["id"], is_active=False)
    assert admin.client.post(f"{USERS}/{user['id']}/link").status_code == 409


def test_it_is_written_down_who_did_it(admin: Person) -> None:
    user = add(admin).json()["user"]
    change(admin, user["id"], role="curator")
    admin.client.post(f"{USERS}/{user['id']}/link")
    entries = value(
        "SELECT jsonb_agg(jsonb_build_array(action, user_id, api_key_id IS NOT NULL) ORDER BY id) FROM audit_entries"
    )
    assert entries == [[action, str(admin.user_id), True] for action in ("create", "update", "make-link")]


def test_a_key_lets_nobody_in_who_may_do_more_than_it(admin: Person, people: People) -> None:
    narrow = people.person("admin", scopes=["read", "administer"])
    assert add(narrow, role="viewer").status_code == 201
    refused = add(narrow, role="admin", password=PASSWORD)
    assert (refused.status_code, "operate" in refused.json()["detail"]) == (403, True)
    user = add(admin, role="viewer").json()["user"]["id"]
    assert change(narrow, user, role="curator").status_code == 403
    assert change(narrow, user, name="Anna").status_code == 200
    assert narrow.client.post(f"{USERS}/{user}/link").status_code == 201
    assert narrow.client.post(f"{USERS}/{admin.user_id}/link").status_code == 403
    assert change(admin, user, role="admin", is_active=False).status_code == 200
    assert change(narrow, user, is_active=True).status_code == 403
    assert change(people.person("admin", scopes=["administer"]), user, role="viewer").status_code == 200

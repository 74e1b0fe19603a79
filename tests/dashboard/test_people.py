"""Users and keys on pages: what is shown once is shown once, roles are kept, and no tenant reaches another."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx

from dashboard.visitor import COOKIE
from tests.accounts.residents import PASSWORD, value
from tests.api.doors import audited, rows
from tests.dashboard.browsers import Browser

HOSTILE = '"><script>alert(1)</script>'


def secret_of(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found = re.search(r'id="once"[^>]* value="([^"]+)"', answer.text)
    assert found is not None
    return found[1]


def test_a_new_user_comes_in_by_a_link_that_is_shown_once(admin: Browser) -> None:
    answer = admin.send("/people/users", email="anna@example.org", name=HOSTILE, role="curator")
    link = secret_of(answer)
    base, _, token = link.partition("/login#")
    assert base == str(admin.client.base_url).rstrip("/")
    assert token.startswith("ssl_")
    listed = admin.client.get("/people").text
    assert token not in listed
    assert HOSTILE not in listed
    assert "anna@example.org" in listed
    with httpx.Client(base_url=base, timeout=60) as anna:
        found = re.search(r'name="csrf" value="(\w+)"', anna.get("/login/link").text)
        assert found is not None
        typed = {"csrf": found[1], "token": token, "password": PASSWORD, "again": PASSWORD}
        assert anna.post("/login/link", data=typed).status_code == 303
        assert anna.get("/account").status_code == 200
    assert ("create", "users") in audited(admin.person.tenant_id)
    assert value("SELECT count(*) FROM audit_entries WHERE detail::text LIKE %s", f"%{token}%") == 0


def test_a_user_is_changed_let_go_and_let_in_again(admin: Browser, visit: Callable[..., Browser]) -> None:
    curator = visit("curator")
    path = f"/people/users/{curator.person.user_id}"
    assert admin.send(path, name="Ben", role="viewer").headers["location"] == path
    assert "The user is changed." in admin.text(path)
    assert curator.client.get("/schedules/new").status_code == 403
    assert admin.send(f"{path}/let-go").status_code == 303
    assert curator.client.get("/account").status_code == 303
    assert "activate them first" in admin.send(f"{path}/link").text
    assert admin.send(f"{path}/let-in").status_code == 303
    assert secret_of(admin.send(f"{path}/link")) != secret_of(admin.send(f"{path}/link"))
    (row,) = rows("SELECT name, role, is_active FROM users WHERE id = %s", curator.person.user_id)
    assert row == {"name": "Ben", "role": "viewer", "is_active": True}


def test_what_cannot_be_is_said_on_the_page(admin: Browser) -> None:
    taken = admin.send("/people/users", email="anna@example.org")
    assert taken.status_code == 200
    for email, status, says in (
        ("anna@example.org", 409, "There is a user with this address already"),
        (HOSTILE, 400, ""),
        ("", 400, ""),
    ):
        refused = admin.send("/people/users", email=email)
        assert refused.status_code == status
        assert says in refused.text
        assert HOSTILE not in refused.text
    own = f"/people/users/{admin.person.user_id}"
    for act in (f"{own}/let-go", own):
        last = admin.send(act, role="viewer")
        assert (last.status_code, "the last admin who is active" in last.text) == (409, True)
    assert admin.send(own, role="king").status_code == 400
    assert admin.client.get("/people/users/nobody").status_code == 422


def test_only_an_admin_of_the_tenant_sees_its_users(curator: Browser, stranger: Browser, admin: Browser) -> None:
    own = curator.client.get("/people")
    assert (own.status_code, own.headers["location"]) == (303, "/people/keys")
    path = f"/people/users/{admin.person.user_id}"
    for act in ("", "/let-go", "/let-in", "/link"):
        assert curator.send(path + act, role="viewer").status_code == 403
        assert stranger.send(path + act, role="viewer").status_code == 404
    assert curator.client.get(path).status_code == 403
    assert stranger.client.get(path).status_code == 404
    assert value("SELECT role FROM users WHERE id = %s", admin.person.user_id) == "admin"


def test_a_key_is_shown_once_and_works_until_it_is_revoked(curator: Browser, url: str) -> None:
    key = secret_of(curator.send("/people/keys", name=HOSTILE, scopes=["read"], days=30))
    assert key.startswith("ssk_")
    listed = curator.client.get("/people/keys").text
    assert key not in listed
    assert HOSTILE not in listed
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as program:
        assert program.get("/api/v3/auth/me").json()["scopes"] == ["read"]
        key_id = value("SELECT id FROM api_keys WHERE name = %s", HOSTILE)
        assert curator.send(f"/people/keys/{key_id}/revoke").status_code == 303
        assert program.get("/api/v3/auth/me").status_code == 401
    assert "revoked" in curator.text("/people/keys")
    assert audited(curator.person.tenant_id)[-2:] == [("create", "keys"), ("revoke", "keys")]


def test_everybody_has_their_own_keys_and_an_admin_those_of_the_tenant(
    viewer: Browser, curator: Browser, admin: Browser, stranger: Browser
) -> None:
    secret_of(curator.send("/people/keys", name="nightly export", scopes=["export"]))
    key_id = value("SELECT id FROM api_keys WHERE name = 'nightly export'")
    assert "nightly export" in curator.text("/people/keys")
    assert "nightly export" in admin.text("/people/keys")
    assert "nightly export" in admin.text(f"/people/users/{curator.person.user_id}")
    for other in (viewer, stranger):
        assert "nightly export" not in other.see("/people/keys").css_first("main table").text()  # type: ignore[union-attr]
        assert other.send(f"/people/keys/{key_id}/revoke").status_code == 404
    assert value("SELECT revoked_at FROM api_keys WHERE id = %s", key_id) is None
    assert admin.send(f"/people/keys/{key_id}/revoke").status_code == 303
    assert value("SELECT revoked_at FROM api_keys WHERE id = %s", key_id) is not None


def test_a_key_does_no_more_than_its_maker(viewer: Browser) -> None:
    assert [box.attributes["value"] for box in viewer.see("/people/keys").css("input[name=scopes]")] == ["read"]
    for typed, status, says in (
        ({"name": "x", "scopes": ["read", "administer"]}, 403, "cannot do more than its maker"),
        ({"name": "x"}, 400, "choose what it may do"),
        ({"name": " ", "scopes": ["read"]}, 400, "has 1 to 100 characters"),
        ({"name": "x", "scopes": ["fly"]}, 400, "There is no scope"),
        ({"name": "x", "scopes": ["read"], "days": -1}, 422, "days"),
    ):
        refused = viewer.send("/people/keys", **typed)
        assert refused.status_code == status, refused.text
        assert says in refused.text
    assert value("SELECT count(*) FROM api_keys WHERE user_id = %s", viewer.person.user_id) == 1
    assert COOKIE in viewer.client.cookies

"""Log in, go on, log out, over HTTP."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from accounts import users
from accounts.tokens import ALGORITHM, AUDIENCE, ISSUER
from embedded import Servers
from embedded.processes import wait_until
from settings import settings
from tests.accounts.residents import PASSWORD, SECRET, at_once, execute, guest, resident, value
from tests.api.people import People, Person
from tests.cli.terminal import PROGRAM, environment, free_port

ANOTHER = "another good password"


@pytest.fixture
def http(url: str) -> Iterator[httpx.Client]:
    """Somebody who has not said who they are."""
    with httpx.Client(base_url=f"{url}/api/v3", timeout=60) as client:
        yield client


@pytest.fixture
def anna(url: str) -> dict[str, Any]:
    return resident("curator", email="anna@example.org")


def log_in(http: httpx.Client, email: str = "anna@example.org", password: str = PASSWORD) -> httpx.Response:
    return http.post("/auth/login", json={"email": email, "password": password})


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def signed_in(http: httpx.Client, **who: str) -> dict[str, str]:
    """Log in and give the header that proves it."""
    return bearing(log_in(http, **who).json()["access_token"])


def me(http: httpx.Client, headers: dict[str, str]) -> httpx.Response:
    return http.get("/auth/me", headers=headers)


def test_a_log_in_gives_tokens_that_nobody_on_the_way_may_keep(http: httpx.Client, anna: dict[str, Any]) -> None:
    answer = log_in(http)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert {**answer.json(), "access_token": "", "refresh_token": ""} == {
        "access_token": "",
        "refresh_token": "",
        "token_type": "bearer",
        "expires_in": 900,
    }
    said = me(http, bearing(answer.json()["access_token"])).json()
    assert said == {
        "user_id": str(anna["id"]),
        "tenant_id": str(settings().default_tenant_id),
        "email": "anna@example.org",
        "name": None,
        "role": "curator",
        "scopes": ["read", "export", "curate", "submit"],
        "is_operator": False,
        "api_key_id": None,
    }


def test_a_wrong_password_and_an_unknown_address_are_the_same(http: httpx.Client, anna: dict[str, Any]) -> None:
    wrong, unknown = log_in(http, password="a wrong password"), log_in(http, email="bob@example.org")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    assert wrong.headers["content-type"] == "application/problem+json"


def test_a_key_says_who_it_calls_for(curator: Person) -> None:
    said = curator.client.get("/api/v3/auth/me").json()
    assert said["user_id"] == str(curator.user_id)
    assert said["api_key_id"] is not None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"email": "anna@example.org"},
        {"email": "anna@example.org", "password": "x" * 257},
        {"email": "anna@example.org", "password": PASSWORD, "remember": True},
        {"email": ["anna@example.org"], "password": PASSWORD},
        {"email": "x" * 321, "password": PASSWORD},
    ],
)
def test_a_body_that_cannot_be_read_is_refused_without_repeating_it(http: httpx.Client, body: dict[str, Any]) -> None:
    answer = http.post("/auth/login", json=body)
    assert answer.status_code == 422
    assert PASSWORD not in answer.text
    assert "xxx" not in answer.text


@pytest.mark.parametrize("email", ["\x00", "\u202e", "' OR 1=1 --", "=1+1", "%", "ä@ö", " "])
def test_odd_letters_are_no_user(http: httpx.Client, email: str) -> None:
    assert log_in(http, email=email).status_code == 401
    assert log_in(http, password=f"{email}\x00").status_code == 401


def test_too_many_wrong_passwords_lock_the_account_and_say_for_how_long(
    http: httpx.Client, anna: dict[str, Any]
) -> None:
    for _ in range(5):
        assert log_in(http, password="a wrong password").status_code == 401
    locked = log_in(http)
    assert locked.status_code == 429
    assert 800 < int(locked.headers["retry-after"]) <= 900
    unknown = [log_in(http, email="bob@example.org") for _ in range(6)][-1]
    assert unknown.status_code == 429
    assert unknown.json()["detail"] == locked.json()["detail"]


def test_two_web_processes_count_together(
    url: str, http: httpx.Client, db: str, servers: Servers, anna: dict[str, Any], tmp_path: Path
) -> None:
    port = free_port()
    given = environment(DATABASE_URL=db, REDIS_URL=servers.broker_url, WEB_PORT=port, JWT_SECRET_KEY=SECRET)
    process = subprocess.Popen([PROGRAM, "serve"], cwd=tmp_path, env=given, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v3", timeout=60) as other:
            assert wait_until(lambda: _answers(other), 60)
            for client in (http, other, http, other, http):
                assert log_in(client, password="a wrong password").status_code == 401
            assert log_in(other).status_code == 429
            assert log_in(http).status_code == 429
    finally:
        process.kill()
        process.wait()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/auth/me").status_code == 401
    except httpx.TransportError:
        return False


def test_one_address_may_fail_only_so_often_over_all_accounts(
    http: httpx.Client, anna: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGIN_TRIES_PER_ADDRESS", "4")
    settings.cache_clear()
    for number in range(4):
        assert log_in(http, email=f"{number}@example.org").status_code == 401
    assert log_in(http).status_code == 429
    elsewhere = {"X-Forwarded-For": "192.0.2.9"}
    body = {"email": "anna@example.org", "password": PASSWORD}
    assert http.post("/auth/login", json=body, headers=elsewhere).status_code == 200
    refused = http.post("/auth/refresh", json={"refresh_token": "ssr_x"})
    assert refused.status_code == 429
    assert http.post("/auth/link", json={"token": "ssl_x", "password": PASSWORD}).status_code == 429


def test_a_refresh_token_works_once_and_shown_again_ends_the_log_in(http: httpx.Client, anna: dict[str, Any]) -> None:
    first = log_in(http).json()
    second = http.post("/auth/refresh", json={"refresh_token": first["refresh_token"]})
    assert second.status_code == 200
    assert second.headers["cache-control"] == "no-store"
    headers = bearing(second.json()["access_token"])
    assert me(http, headers).status_code == 200
    assert http.post("/auth/refresh", json={"refresh_token": first["refresh_token"]}).status_code == 401
    assert me(http, headers).status_code == 401
    assert http.post("/auth/refresh", json={"refresh_token": second.json()["refresh_token"]}).status_code == 401


def test_who_logs_out_is_out(http: httpx.Client, anna: dict[str, Any]) -> None:
    made = log_in(http).json()
    headers = bearing(made["access_token"])
    answer = http.post("/auth/logout", headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")
    assert me(http, headers).status_code == 401
    assert http.post("/auth/logout", headers=headers).status_code == 401
    assert http.post("/auth/refresh", json={"refresh_token": made["refresh_token"]}).status_code == 401


def test_a_new_password_ends_the_other_log_ins(http: httpx.Client, anna: dict[str, Any]) -> None:
    here, elsewhere = signed_in(http), signed_in(http)
    body = {"old_password": PASSWORD, "new_password": ANOTHER}
    assert http.post("/auth/password", json=body | {"old_password": "wrong"}, headers=here).status_code == 400
    assert http.post("/auth/password", json=body | {"new_password": "short"}, headers=here).status_code == 422
    assert http.post("/auth/password", json=body, headers=here).status_code == 204
    assert me(http, here).status_code == 200
    assert me(http, elsewhere).status_code == 401
    assert log_in(http).status_code == 401
    assert log_in(http, password=ANOTHER).status_code == 200


def test_a_key_neither_logs_out_nor_changes_a_password(viewer: Person) -> None:
    assert viewer.client.post("/api/v3/auth/logout").status_code == 409
    body = {"old_password": PASSWORD, "new_password": ANOTHER}
    assert viewer.client.post("/api/v3/auth/password", json=body).status_code == 409


def test_a_link_sets_a_password_once(http: httpx.Client) -> None:
    user, token = guest()
    body = {"token": token, "password": PASSWORD}
    assert http.post("/auth/link", json=body | {"password": "short"}).status_code == 422
    first = http.post("/auth/link", json=body)
    assert first.status_code == 200
    assert me(http, bearing(first.json()["access_token"])).json()["email"] == user["email"]
    again = http.post("/auth/link", json=body | {"password": ANOTHER})
    assert again.status_code == 401
    assert "ask an admin" in again.json()["detail"]
    assert log_in(http, email=user["email"]).status_code == 200


def test_of_many_who_use_a_link_at_once_one_gets_in(url: str) -> None:
    _, token = guest()
    came = at_once(
        5, lambda: httpx.post(f"{url}/api/v3/auth/link", json={"token": token, "password": PASSWORD}, timeout=60)
    )
    assert sorted(one.status_code for one in came if isinstance(one, httpx.Response)) == [200, 401, 401, 401, 401]


def test_a_role_counts_at_once(http: httpx.Client, anna: dict[str, Any]) -> None:
    headers = signed_in(http)
    assert http.get("/users", headers=headers).status_code == 403
    users.change(settings().default_tenant_id, anna["id"], {"role": "admin"})
    assert http.get("/users", headers=headers).status_code == 200
    resident("admin")
    users.change(settings().default_tenant_id, anna["id"], {"role": "viewer"})
    assert http.get("/users", headers=headers).status_code == 403
    users.change(settings().default_tenant_id, anna["id"], {"is_active": False})
    assert me(http, headers).status_code == 401


def forged(http: httpx.Client, secret: str = SECRET, algorithm: str = ALGORITHM, **changed: Any) -> str:
    """A token of a session that lives, signed by somebody else or saying something else."""
    said = jwt.decode(log_in(http).json()["access_token"], options={"verify_signature": False})
    return jwt.encode(said | changed, secret, algorithm)


def test_only_our_own_tokens_count(http: httpx.Client, anna: dict[str, Any], people: People) -> None:
    assert me(http, bearing(forged(http))).status_code == 200, "what is forged below is wrong in one thing only"
    now = datetime.now(UTC)
    stranger = people.stranger()
    for token in (
        forged(http, secret="a-secret-that-somebody-else-has-chosen"),
        forged(http, secret="", algorithm="none"),
        forged(http, secret="s" * 64, algorithm="HS512"),
        forged(http, exp=now - timedelta(minutes=1)),
        forged(http, aud="another-api"),
        forged(http, iss="another-issuer"),
        forged(http, tenant=str(stranger.tenant_id)),
        forged(http, sub=str(stranger.user_id)),
        forged(http, session=str(stranger.user_id)),
        "x",
        "a.b.c",
        "é.é.é",
    ):
        answer = http.get("/auth/me", headers={b"Authorization": f"Bearer {token}".encode()})
        assert answer.status_code == 401, token
        assert f'"{token}"' not in answer.text
    assert (AUDIENCE, ISSUER) == ("scrapersky-api", "scrapersky")


def test_an_expired_session_is_over_before_its_token_is(http: httpx.Client, anna: dict[str, Any]) -> None:
    headers = signed_in(http)
    execute("UPDATE sessions SET expires_at = now()")
    assert me(http, headers).status_code == 401


def test_without_a_secret_nobody_logs_in_and_keys_still_work(
    http: httpx.Client, viewer: Person, anna: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = signed_in(http)
    monkeypatch.delenv("JWT_SECRET_KEY")
    settings.cache_clear()
    for path, body in (
        ("login", {"email": "anna@example.org", "password": PASSWORD}),
        ("refresh", {"refresh_token": "ssr_x"}),
        ("link", {"token": "ssl_x", "password": PASSWORD}),
    ):
        answer = http.post(f"/auth/{path}", json=body)
        assert answer.status_code == 503
        assert "set it to 32 or more random characters" in answer.json()["detail"]
    assert me(http, headers).status_code == 401
    assert viewer.client.get("/api/v3/auth/me").status_code == 200


def test_no_secret_is_stored(http: httpx.Client, anna: dict[str, Any]) -> None:
    made = log_in(http).json()
    tables = ("users", "sessions", "audit_entries", "login_attempts", "login_links", "api_keys")
    for table in tables:
        stored = str(value(f"SELECT jsonb_agg(to_jsonb({table}))::text FROM {table}"))
        assert PASSWORD not in stored
        assert made["refresh_token"] not in stored
        assert made["access_token"] not in stored

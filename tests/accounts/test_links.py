"""A link lets its user in once."""

from __future__ import annotations

import pytest

from accounts import links, login, sessions, tokens, users
from accounts.sessions import Tokens
from errors import BadInput, Conflict, NotFound, NotLoggedIn, TooManyTries
from settings import settings
from tests.accounts.residents import PASSWORD, at_once, execute, guest, resident, value

HERE = "192.0.2.1"

pytestmark = pytest.mark.usefixtures("house")


def test_a_link_sets_a_password_and_lets_in() -> None:
    user, token = guest("curator")
    claims = tokens.read(links.use(token, PASSWORD, HERE).access_token)
    assert claims is not None
    found = sessions.find(claims)
    assert found is not None
    assert (found.user_id, found.role) == (user["id"], "curator")
    assert login.log_in(user["email"], PASSWORD, HERE)


def test_a_link_works_once() -> None:
    user, token = guest()
    links.use(token, PASSWORD, HERE)
    with pytest.raises(NotLoggedIn, match="ask an admin for a new one"):
        links.use(token, "another good password", HERE)
    assert login.log_in(user["email"], PASSWORD, HERE)


def test_of_many_who_use_a_link_at_once_one_gets_in() -> None:
    user, token = guest()
    words = iter(range(100))
    came = at_once(6, lambda: links.use(token, f"{PASSWORD} {next(words)}", HERE), NotLoggedIn)
    assert sum(isinstance(one, Tokens) for one in came) == 1
    assert value("SELECT count(*) FROM sessions WHERE user_id = %s", user["id"]) == 1


def test_a_password_that_is_too_short_does_not_use_the_link_up() -> None:
    _, token = guest()
    with pytest.raises(BadInput):
        links.use(token, "short", HERE)
    assert links.use(token, PASSWORD, HERE)


def test_an_old_link_is_refused() -> None:
    _, token = guest()
    execute("UPDATE login_links SET expires_at = now() - interval '1 second'")
    with pytest.raises(NotLoggedIn):
        links.use(token, PASSWORD, HERE)


def test_a_link_of_somebody_who_was_let_go_is_refused() -> None:
    user, token = guest()
    users.change(settings().default_tenant_id, user["id"], {"is_active": False})
    users.change(settings().default_tenant_id, user["id"], {"is_active": True})
    with pytest.raises(NotLoggedIn):
        links.use(token, PASSWORD, HERE)


def test_a_new_link_replaces_the_old_one_and_ends_all_log_ins_when_used() -> None:
    user = resident()
    tenant_id = settings().default_tenant_id
    login.log_in(user["email"], PASSWORD, HERE)
    first = users.make_link(tenant_id, user["id"])
    second = users.make_link(tenant_id, user["id"])
    with pytest.raises(NotLoggedIn):
        links.use(first.token, PASSWORD, HERE)
    links.use(second.token, "another good password", HERE)
    assert value("SELECT count(*) FROM sessions WHERE revoked_at IS NULL") == 1
    with pytest.raises(NotLoggedIn):
        login.log_in(user["email"], PASSWORD, HERE)


def test_a_link_opens_an_account_that_was_locked() -> None:
    user = resident()
    for _ in range(6):
        with pytest.raises((NotLoggedIn, TooManyTries)):
            login.log_in(user["email"], "a wrong password", HERE)
    links.use(users.make_link(settings().default_tenant_id, user["id"]).token, PASSWORD, HERE)
    assert login.log_in(user["email"], PASSWORD, HERE)


def test_links_cannot_be_guessed_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGIN_TRIES_PER_ADDRESS", "3")
    settings.cache_clear()
    for guess in range(3):
        with pytest.raises(NotLoggedIn):
            links.use(f"ssl_{guess}", PASSWORD, HERE)
    with pytest.raises(TooManyTries):
        links.use("ssl_3", PASSWORD, HERE)


def test_only_a_hash_of_it_is_kept() -> None:
    _, token = guest()
    assert token not in value("SELECT to_jsonb(login_links)::text FROM login_links")


def test_there_is_no_link_for_strangers_and_for_who_was_let_go() -> None:
    from uuid import uuid4

    tenant_id, user = settings().default_tenant_id, resident()
    with pytest.raises(NotFound):
        users.make_link(tenant_id, uuid4())
    with pytest.raises(NotFound):
        users.make_link(uuid4(), user["id"])
    users.change(tenant_id, user["id"], {"is_active": False})
    with pytest.raises(Conflict, match="not active"):
        users.make_link(tenant_id, user["id"])


def test_nobody_comes_in_as_the_program_itself() -> None:
    with pytest.raises(NotFound):
        users.make_link(settings().default_tenant_id, settings().scheduler_system_user_id)

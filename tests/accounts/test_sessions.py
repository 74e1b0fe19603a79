"""A session goes on with a token that works once, and ends for good."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from accounts import login, sessions, tokens, users
from accounts.caller import Caller
from accounts.sessions import Tokens
from errors import Conflict, NotLoggedIn
from settings import settings
from tests.accounts.residents import PASSWORD, at_once, caller_of, execute, resident, value

HERE = "192.0.2.1"

pytestmark = pytest.mark.usefixtures("house")


@pytest.fixture
def user(house: str) -> dict[str, Any]:
    resident("admin")
    return resident("curator")


def logged_in(user: dict[str, Any]) -> Tokens:
    return login.log_in(user["email"], PASSWORD, HERE)


def who(made: Tokens) -> Caller | None:
    claims = tokens.read(made.access_token)
    assert claims is not None
    return sessions.find(claims)


def test_a_refresh_gives_new_tokens_for_the_same_session(user: dict[str, Any]) -> None:
    first = logged_in(user)
    second = sessions.refresh(first.refresh_token, HERE)
    assert second.refresh_token != first.refresh_token
    assert who(first) == who(second) is not None
    assert value("SELECT count(*) FROM sessions") == 1


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_token_that_is_shown_again_ends_the_session(user: dict[str, Any], rounds: int) -> None:
    first = last = logged_in(user)
    for _ in range(rounds):
        last = sessions.refresh(last.refresh_token, HERE)
    with pytest.raises(NotLoggedIn):
        sessions.refresh(first.refresh_token, HERE)
    assert who(last) is None
    with pytest.raises(NotLoggedIn):
        sessions.refresh(last.refresh_token, HERE)
    assert value("SELECT detail ->> 'why' FROM audit_entries ORDER BY id DESC LIMIT 1") == (
        "a refresh token was used twice"
    )


def test_of_two_who_refresh_at_once_one_gets_tokens_and_neither_keeps_the_session(user: dict[str, Any]) -> None:
    made = logged_in(user)
    came = at_once(6, lambda: sessions.refresh(made.refresh_token, HERE), NotLoggedIn)
    winners = [one for one in came if isinstance(one, Tokens)]
    assert len(winners) == 1
    assert who(winners[0]) is None


@pytest.mark.parametrize("token", ["", "ssr_", "ssr_x.y", "x" * 200, "\x00", "ssr_" + "5" * 32 + ".abc", "ssk_abc"])
def test_an_invented_token_is_refused(token: str) -> None:
    with pytest.raises(NotLoggedIn):
        sessions.refresh(token, HERE)


def test_an_access_token_refreshes_nothing(user: dict[str, Any]) -> None:
    with pytest.raises(NotLoggedIn):
        sessions.refresh(logged_in(user).access_token, HERE)


def test_what_is_stored_is_no_token(user: dict[str, Any]) -> None:
    made = logged_in(user)
    stored = value("SELECT to_jsonb(sessions)::text FROM sessions")
    assert made.refresh_token not in stored
    assert made.refresh_token.partition(".")[2] not in stored


def test_a_role_counts_at_once(user: dict[str, Any]) -> None:
    made = logged_in(user)
    users.change(settings().default_tenant_id, user["id"], {"role": "viewer"})
    found = who(made)
    assert found is not None
    assert (found.role, found.scopes) == ("viewer", frozenset({"read"}))


def test_who_is_let_go_is_out_at_once_and_stays_out_when_let_in_again(user: dict[str, Any]) -> None:
    made = logged_in(user)
    users.change(settings().default_tenant_id, user["id"], {"is_active": False})
    assert who(made) is None
    with pytest.raises(NotLoggedIn):
        sessions.refresh(made.refresh_token, HERE)
    users.change(settings().default_tenant_id, user["id"], {"is_active": True})
    assert who(made) is None


def test_a_session_that_ended_does_not_go_on(user: dict[str, Any]) -> None:
    made = logged_in(user)
    caller = who(made)
    assert caller is not None
    sessions.end(caller)
    assert who(made) is None
    with pytest.raises(NotLoggedIn):
        sessions.refresh(made.refresh_token, HERE)


def test_a_session_ends_by_itself(user: dict[str, Any]) -> None:
    made = logged_in(user)
    execute("UPDATE sessions SET expires_at = now() - interval '1 second'")
    assert who(made) is None
    with pytest.raises(NotLoggedIn):
        sessions.refresh(made.refresh_token, HERE)


def test_a_refresh_does_not_make_a_session_longer(user: dict[str, Any]) -> None:
    made = logged_in(user)
    before = value("SELECT expires_at FROM sessions")
    sessions.refresh(made.refresh_token, HERE)
    assert value("SELECT expires_at FROM sessions") == before


def test_a_token_of_another_tenant_or_user_finds_no_session(user: dict[str, Any]) -> None:
    claims = tokens.read(logged_in(user).access_token)
    assert claims is not None
    assert sessions.find(claims) is not None
    assert sessions.find(tokens.Claims(claims.user_id, uuid4(), claims.session_id)) is None
    assert sessions.find(tokens.Claims(resident()["id"], claims.tenant_id, claims.session_id)) is None


def test_a_key_has_no_session_to_end(user: dict[str, Any]) -> None:
    with pytest.raises(Conflict, match="revoke the key"):
        sessions.end(caller_of(user))


def test_who_logs_in_for_every_call_leaves_no_heap(user: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    made = [logged_in(user) for _ in range(5)]
    assert value("SELECT count(*) FROM sessions") == 3
    assert [who(one) is not None for one in made] == [False, False, True, True, True]

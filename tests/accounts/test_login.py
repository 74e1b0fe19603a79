"""Who knows the password gets in; who does not learns nothing, not even whether there is such a user."""

from __future__ import annotations

import pytest

from accounts import login, sessions, tokens, users
from accounts.caller import Caller
from errors import BadInput, Conflict, NotLoggedIn, TooManyTries
from settings import settings
from tests.accounts.residents import PASSWORD, at_once, caller_of, execute, guest, resident, value

HERE = "192.0.2.1"

pytestmark = pytest.mark.usefixtures("house")


def entered(user: dict[str, object], password: str = PASSWORD) -> Caller:
    """Log in and give who that is."""
    claims = tokens.read(login.log_in(str(user["email"]), password, HERE).access_token)
    assert claims is not None
    found = sessions.find(claims)
    assert found is not None
    return found


def test_the_right_password_begins_a_session() -> None:
    user = resident("curator")
    found = entered(user)
    assert (found.user_id, found.role, found.api_key_id) == (user["id"], "curator", None)
    assert value("SELECT last_login_at IS NOT NULL FROM users WHERE id = %s", user["id"])
    assert value("SELECT action FROM audit_entries WHERE user_id = %s", user["id"]) == "login"


def test_the_case_of_an_address_does_not_matter() -> None:
    resident(email="Anna.Muster@Example.ORG")
    assert login.log_in(" anna.MUSTER@example.org ", PASSWORD, HERE).refresh_token


def test_every_refusal_says_the_same() -> None:
    gone = resident("admin")
    resident("admin")
    users.change(settings().default_tenant_id, gone["id"], {"is_active": False})
    without_password, _ = guest()
    said = set()
    for email, password in (
        ("nobody@example.org", PASSWORD),
        (resident()["email"], "another password"),
        (gone["email"], PASSWORD),
        (without_password["email"], ""),
        ("", ""),
    ):
        with pytest.raises(NotLoggedIn) as refused:
            login.log_in(email, password, HERE)
        said.add(str(refused.value))
    assert said == {login.WRONG}


def test_an_account_that_is_locked_tells_not_whether_it_exists() -> None:
    said = set()
    for email in (resident()["email"], "nobody@example.org"):
        for _ in range(5):
            with pytest.raises(NotLoggedIn):
                login.log_in(email, "another password", HERE)
        with pytest.raises(TooManyTries) as refused:
            login.log_in(email, PASSWORD, HERE)
        said.add(str(refused.value))
    assert len(said) == 1


def test_a_success_forgets_the_failures_before() -> None:
    user = resident()
    for _ in range(3):
        for _ in range(4):
            with pytest.raises(NotLoggedIn):
                login.log_in(user["email"], "another password", HERE)
        entered(user)


def test_a_weak_hash_is_renewed_at_the_next_log_in() -> None:
    from tests.accounts.test_passwords import WEAK

    user = resident()
    weak = WEAK.hash(PASSWORD)
    execute("UPDATE users SET password_hash = %s WHERE id = %s", weak, user["id"])
    entered(user)
    assert value("SELECT password_hash FROM users WHERE id = %s", user["id"]) != weak
    entered(user)


def test_a_new_password_ends_the_other_log_ins() -> None:
    user = resident()
    here, elsewhere = entered(user), entered(user)
    login.change_password(here, PASSWORD, "another good password", HERE)
    live = value("SELECT array_agg(id) FROM sessions WHERE revoked_at IS NULL")
    assert live == [here.session_id]
    assert elsewhere.session_id not in live
    with pytest.raises(NotLoggedIn):
        login.log_in(user["email"], PASSWORD, HERE)
    entered(user, "another good password")


def test_a_new_password_needs_the_old_one() -> None:
    user = resident()
    found = entered(user)
    with pytest.raises(BadInput, match="present password is not right"):
        login.change_password(found, "not this password", "another good password", HERE)
    with pytest.raises(BadInput, match="12 to 256"):
        login.change_password(found, PASSWORD, "short", HERE)
    entered(user)


def test_the_old_password_cannot_be_tried_out_from_a_stolen_session() -> None:
    found = entered(resident())
    for _ in range(5):
        with pytest.raises(BadInput):
            login.change_password(found, "not this password", "another good password", HERE)
    with pytest.raises(TooManyTries):
        login.change_password(found, PASSWORD, "another good password", HERE)


def test_a_key_changes_no_password() -> None:
    with pytest.raises(Conflict, match="log in first"):
        login.change_password(caller_of(resident()), PASSWORD, "another good password", HERE)


def test_of_many_tries_at_once_five_are_checked() -> None:
    user = resident()
    came = at_once(12, lambda: login.log_in(user["email"], "a wrong password", HERE), NotLoggedIn, TooManyTries)
    assert sum(isinstance(one, NotLoggedIn) for one in came) == 5
    assert sum(isinstance(one, TooManyTries) for one in came) == 7

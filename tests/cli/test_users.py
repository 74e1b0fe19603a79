"""`scrapersky user` and `scrapersky key`: the command line adds people and keys as the API does."""

from __future__ import annotations

import json

import pytest

from accounts import keys, links, login
from errors import BadInput, Conflict, NotAllowed, NotFound, NotLoggedIn
from settings import settings
from tests.accounts.residents import PASSWORD, SECRET, value
from tests.cli.terminal import run_here

HERE = "127.0.0.1"


@pytest.fixture(autouse=True)
def _configured(configured: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", SECRET)
    monkeypatch.setenv("WEB_PORT", "8123")
    settings.cache_clear()


def link_in(said: str) -> str:
    """The token of the one link that was printed."""
    (line,) = (line for line in said.splitlines() if "/login#" in line)
    address, _, token = line.partition("#")
    assert address == "http://127.0.0.1:8123/login"
    return token


def listed(noun: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run_here(noun, "list", "--json").splitlines()]


def test_an_added_user_comes_in_by_the_link() -> None:
    said = run_here("user", "add", "Anna@example.org", "--role", "admin", "--name", "Anna")
    links.use(link_in(said), PASSWORD, HERE)
    assert login.log_in("anna@example.org", PASSWORD, HERE)
    (row,) = listed("user")
    assert (row["email"], row["role"], row["name"], row["has_password"]) == ("anna@example.org", "admin", "Anna", True)
    assert "anna@example.org" in run_here("user", "list")


def test_a_new_link_replaces_the_one_before() -> None:
    first = link_in(run_here("user", "add", "anna@example.org"))
    second = link_in(run_here("user", "link", "ANNA@example.org"))
    with pytest.raises(NotLoggedIn):
        links.use(first, PASSWORD, HERE)
    assert links.use(second, PASSWORD, HERE)


def test_a_user_is_let_go_and_let_in_again() -> None:
    run_here("user", "add", "boss@example.org", "--role", "admin")
    links.use(link_in(run_here("user", "add", "anna@example.org")), PASSWORD, HERE)
    assert "not log in any more" in run_here("user", "disable", "anna@example.org")
    with pytest.raises(NotLoggedIn):
        login.log_in("anna@example.org", PASSWORD, HERE)
    with pytest.raises(Conflict):
        run_here("user", "link", "anna@example.org")
    run_here("user", "enable", "anna@example.org")
    assert login.log_in("anna@example.org", PASSWORD, HERE)
    with pytest.raises(Conflict, match="last admin"):
        run_here("user", "disable", "boss@example.org")


def test_what_cannot_be_done_is_said() -> None:
    assert "There are no users" in run_here("user", "list")
    run_here("user", "add", "anna@example.org")
    for arguments, refusal in (
        (("add", "anna@example.org"), Conflict),
        (("add", "anna"), BadInput),
        (("add", "bob@example.org", "--role", "king"), BadInput),
        (("link", "bob@example.org"), NotFound),
        (("disable", "bob@example.org"), NotFound),
    ):
        with pytest.raises(refusal):
            run_here("user", *arguments)


def test_a_key_is_printed_once_and_revoked_by_name() -> None:
    run_here("user", "add", "anna@example.org", "--role", "curator")
    said = run_here("key", "add", "nightly", "--user", "anna@example.org", "--scope", "read", "--expires-in", "90d")
    (secret,) = (line for line in said.splitlines() if line.startswith("ssk_"))
    caller = keys.find(secret)
    assert caller is not None
    assert caller.role == "curator"
    assert caller.scopes == {"read"}
    (row,) = listed("key")
    assert (row["name"], row["scopes"], row["user_email"]) == ("nightly", ["read"], "anna@example.org")
    assert secret not in run_here("key", "list")
    assert "Revoked: nightly." in run_here("key", "revoke", "nightly")
    assert keys.find(secret) is None
    assert "revoked before" in run_here("key", "revoke", "nightly")
    assert "revoked" in run_here("key", "list")


def test_a_key_that_cannot_be_made_is_refused() -> None:
    assert "There are no keys" in run_here("key", "list")
    run_here("user", "add", "anna@example.org")
    for arguments, refusal in (
        (("add", "x", "--user", "bob@example.org"), NotFound),
        (("add", "x", "--user", "anna@example.org", "--scope", "administer"), NotAllowed),
        (("add", "x", "--user", "anna@example.org", "--scope", "king"), BadInput),
        (("add", "x", "--user", "anna@example.org", "--expires-in", "soon"), BadInput),
        (("revoke", "x"), NotFound),
    ):
        with pytest.raises(refusal):
            run_here("key", *arguments)


def test_what_the_command_line_does_is_written_down_without_a_user() -> None:
    run_here("user", "add", "anna@example.org")
    run_here("key", "add", "nightly", "--user", "anna@example.org")
    entries = value(
        "SELECT jsonb_agg(jsonb_build_array(action, entity, user_id, tenant_id) ORDER BY id) FROM audit_entries"
    )
    tenant = str(settings().default_tenant_id)
    assert entries == [["create", "users", None, tenant], ["create", "keys", None, tenant]]

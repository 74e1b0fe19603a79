"""`scrapersky tenant`: customers beside the first one."""

from __future__ import annotations

import json

import pytest

from accounts import links
from errors import BadInput, Conflict
from settings import settings
from tests.accounts.residents import PASSWORD, SECRET
from tests.cli.terminal import run_here
from tests.cli.test_users import HERE, link_in


@pytest.fixture(autouse=True)
def _configured(configured: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", SECRET)
    monkeypatch.setenv("WEB_PORT", "8123")
    settings.cache_clear()


def listed() -> dict[str, dict[str, object]]:
    return {row["name"]: row for row in map(json.loads, run_here("tenant", "list", "--json").splitlines())}


def test_a_tenant_comes_with_an_admin_of_its_own() -> None:
    said = run_here("tenant", "add", "Second  House", "--admin", "boss@second.example")
    assert links.use(link_in(said), PASSWORD, HERE)
    tenant = listed()["Second House"]
    assert tenant["users"] == 1
    assert str(tenant["id"]) in said
    assert "Second House" in run_here("tenant", "list")
    assert "boss@second.example" not in run_here("user", "list")


def test_two_tenants_have_two_names() -> None:
    run_here("tenant", "add", "Second", "--admin", "a@second.example")
    with pytest.raises(Conflict):
        run_here("tenant", "add", "SECOND", "--admin", "b@second.example")


def test_an_address_that_is_taken_leaves_no_tenant() -> None:
    run_here("tenant", "add", "Second", "--admin", "a@second.example")
    with pytest.raises(Conflict):
        run_here("tenant", "add", "Third", "--admin", "A@second.example")
    with pytest.raises(BadInput):
        run_here("tenant", "add", " ", "--admin", "b@second.example")
    assert set(listed()) == {"Default", "Second"}

"""The first start of a private installation makes an admin, and no other start does."""

from __future__ import annotations

from pathlib import Path

import pytest

from accounts import first_admin, links, login, users
from errors import NotLoggedIn
from pipeline import database
from settings import settings
from tests.accounts.residents import PASSWORD, at_once, resident, value

HERE = "127.0.0.1"


@pytest.fixture
def private(db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without settings, whose embedded database is this test's."""
    monkeypatch.setenv("SCRAPERSKY_DIR", str(tmp_path))
    settings.cache_clear()
    database.use(db)


@pytest.mark.usefixtures("private")
def test_the_link_makes_an_admin_who_can_log_in() -> None:
    link = first_admin.invite()
    assert link is not None
    links.use(link.token, PASSWORD, HERE)
    assert login.log_in("admin@localhost", PASSWORD, HERE)
    assert users.by_email(settings().default_tenant_id, "admin@localhost")["role"] == "admin"
    assert first_admin.invite() is None


@pytest.mark.usefixtures("private")
def test_until_it_is_used_every_start_shows_a_link_and_all_of_them_work_once() -> None:
    first, second = first_admin.invite(), first_admin.invite()
    assert first is not None
    assert second is not None
    links.use(first.token, PASSWORD, HERE)
    with pytest.raises(NotLoggedIn):
        links.use(second.token, "another good password", HERE)
    assert value("SELECT count(*) FROM users WHERE email = 'admin@localhost'") == 1


@pytest.mark.usefixtures("private")
def test_processes_that_start_at_once_make_one_admin() -> None:
    assert all(at_once(5, first_admin.invite))
    assert value("SELECT count(*) FROM users WHERE email = 'admin@localhost'") == 1


@pytest.mark.usefixtures("private")
def test_who_has_people_gets_no_admin() -> None:
    resident("viewer")
    assert first_admin.invite() is None


@pytest.mark.usefixtures("private")
def test_an_admin_who_was_let_go_is_not_brought_back() -> None:
    first_admin.invite()
    user = users.by_email(settings().default_tenant_id, "admin@localhost")
    resident("admin")
    users.change(settings().default_tenant_id, user["id"], {"is_active": False})
    assert first_admin.invite() is None


def test_servers_of_ones_own_get_no_admin(house: str) -> None:
    assert first_admin.invite() is None
    assert value("SELECT count(*) FROM users WHERE email = 'admin@localhost'") == 0

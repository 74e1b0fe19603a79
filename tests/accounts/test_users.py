"""Users belong to a tenant, which always has an admin."""

from __future__ import annotations

from uuid import UUID

import pytest

from accounts import users
from errors import BadInput, Conflict, NotFound
from settings import settings
from tests.accounts.residents import at_once, guest, resident, value


def test_the_last_admin_stays(tenant: UUID) -> None:
    only = resident("admin", tenant_id=tenant)
    resident("curator", tenant_id=tenant)
    for wanted in ({"role": "curator"}, {"is_active": False}, {"role": "viewer", "is_active": False}):
        with pytest.raises(Conflict, match="last admin"):
            users.change(tenant, only["id"], wanted)
    second, _ = guest("admin", tenant_id=tenant)
    assert users.change(tenant, only["id"], {"role": "curator"})["role"] == "curator"
    with pytest.raises(Conflict):
        users.change(tenant, second["id"], {"is_active": False})


def test_the_program_itself_is_no_admin_who_counts(house: str) -> None:
    only = resident("admin")
    with pytest.raises(Conflict):
        users.change(settings().default_tenant_id, only["id"], {"role": "viewer"})


def test_admins_who_let_each_other_go_at_once_leave_one(tenant: UUID) -> None:
    admins = iter([resident("admin", tenant_id=tenant)["id"] for _ in range(4)])
    came = at_once(4, lambda: users.change(tenant, next(admins), {"is_active": False}), Conflict)
    assert sum(isinstance(one, Conflict) for one in came) == 1
    assert value("SELECT count(*) FROM users WHERE tenant_id = %s AND is_active", tenant) == 1


def test_an_address_belongs_to_one_user_everywhere(tenant: UUID) -> None:
    user = resident(tenant_id=tenant)
    with pytest.raises(Conflict, match="already"):
        users.add(settings().default_tenant_id, users.Wish(user["email"].upper()))
    assert value("SELECT count(*) FROM audit_entries WHERE tenant_id = %s", settings().default_tenant_id) == 0


@pytest.mark.parametrize(
    "email", ["", "anna", "a@b@c", "a b@c", "@x", "x@", "ä@example.org", "x\x00@y", "x@scrapersky.invalid", "x" * 400]
)
def test_an_address_that_is_none_is_refused(tenant: UUID, email: str) -> None:
    with pytest.raises(BadInput, match="like name@"):
        users.add(tenant, users.Wish(email))


def test_a_role_that_does_not_exist_is_refused(tenant: UUID) -> None:
    with pytest.raises(BadInput, match="Use one of: viewer, curator, admin"):
        users.add(tenant, users.Wish("anna@example.org", "king"))


def test_users_are_listed_page_by_page_without_the_program_itself(tenant: UUID) -> None:
    made = sorted(resident(tenant_id=tenant)["email"] for _ in range(5))
    found, after, rounds = [], None, 0
    while rounds == 0 or after:
        page = users.list_users(tenant, after=after, limit=2)
        assert page.total == 5
        found += [row["email"] for row in page.rows]
        after, rounds = page.next_cursor, rounds + 1
    assert (found, rounds) == (made, 3)
    assert users.list_users(settings().default_tenant_id).rows == []
    with pytest.raises(NotFound):
        users.get(settings().default_tenant_id, settings().scheduler_system_user_id)


def test_a_change_is_written_down_with_how_it_was(tenant: UUID) -> None:
    resident("admin", tenant_id=tenant)
    user = resident(tenant_id=tenant)
    users.change(tenant, user["id"], {"role": "curator", "name": "  Anna   Muster "})
    users.change(tenant, user["id"], {"role": "curator"})
    entries = value(
        "SELECT jsonb_agg(detail -> 'changed') FROM audit_entries WHERE tenant_id = %s AND action = 'update'", tenant
    )
    assert entries == [{"role": ["viewer", "curator"], "name": [None, "Anna Muster"]}]

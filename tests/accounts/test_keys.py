"""Keys call in the name of a user, with less, and end when told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from accounts import keys, users
from accounts.caller import Caller
from accounts.keys import Wish
from errors import BadInput, Conflict, NotAllowed, NotFound
from tests.accounts.residents import at_once, caller_of, execute, resident, value


@pytest.fixture
def maker(tenant: UUID) -> Caller:
    """A curator."""
    return caller_of(resident("curator", tenant_id=tenant), tenant)


def found(secret: str) -> Caller:
    caller = keys.find(secret)
    assert caller is not None
    return caller


def test_a_key_does_what_its_maker_may_or_less(maker: Caller) -> None:
    _, everything = keys.add(maker, Wish("everything"))
    row, reading = keys.add(maker, Wish("reading", ["read"]))
    assert found(everything).scopes == maker.scopes
    assert found(reading).scopes == {"read"}
    assert found(reading).api_key_id == row["id"]
    assert row["scopes"] == ["read"]
    with pytest.raises(NotAllowed, match="may not administer, operate"):
        keys.add(maker, Wish("more", ["read", "operate", "administer"]))


def test_a_key_loses_what_its_user_loses(maker: Caller, tenant: UUID) -> None:
    resident("admin", tenant_id=tenant)
    _, secret = keys.add(maker, Wish("mine"))
    users.change(tenant, maker.user_id, {"role": "viewer"})
    assert found(secret).scopes == {"read"}
    users.change(tenant, maker.user_id, {"is_active": False})
    assert keys.find(secret) is None


def test_a_key_ends_when_it_is_revoked_or_its_time_is_over(maker: Caller, tenant: UUID) -> None:
    row, secret = keys.add(maker, Wish("short", expires_at=datetime.now(UTC) + timedelta(hours=1)))
    assert keys.find(secret)
    execute("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = %s", row["id"])
    assert keys.find(secret) is None
    other, secret = keys.add(maker, Wish("long"))
    assert keys.revoke(tenant, other["id"]) == ["long"]
    assert keys.find(secret) is None
    assert keys.revoke(tenant, other["id"]) == []


def test_keys_made_with_a_key_end_with_it(maker: Caller, tenant: UUID) -> None:
    parent, secret = keys.add(maker, Wish("parent", ["read", "export"]))
    _, child = keys.add(found(secret), Wish("child"))
    _, grandchild = keys.add(found(child), Wish("grandchild", ["read"]))
    _, sibling = keys.add(maker, Wish("sibling"))
    assert found(child).scopes == {"read", "export"}
    assert sorted(keys.revoke(tenant, parent["id"])) == ["child", "grandchild", "parent"]
    assert [keys.find(one) for one in (secret, child, grandchild)] == [None, None, None]
    assert keys.find(sibling)


def test_a_key_made_with_a_key_does_not_outlive_it(maker: Caller) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    _, secret = keys.add(maker, Wish("parent", expires_at=soon))
    assert keys.add(found(secret), Wish("child"))[0]["expires_at"] == soon
    assert keys.add(found(secret), Wish("later", expires_at=soon + timedelta(days=1)))[0]["expires_at"] == soon
    assert keys.add(found(secret), Wish("sooner", expires_at=soon - timedelta(minutes=1)))[0]["expires_at"] < soon


def test_a_revoked_key_makes_no_more_keys(maker: Caller, tenant: UUID) -> None:
    row, secret = keys.add(maker, Wish("parent"))
    caller = found(secret)
    keys.revoke(tenant, row["id"])
    with pytest.raises(NotAllowed, match="revoked"):
        keys.add(caller, Wish("child"))


def test_no_key_slips_through_while_its_maker_is_revoked(maker: Caller, tenant: UUID) -> None:
    row, secret = keys.add(maker, Wish("parent"))
    caller, names = found(secret), iter(range(100))

    def act() -> object:
        number = next(names)
        return keys.revoke(tenant, row["id"]) if number == 5 else keys.add(caller, Wish(f"child {number}"))

    at_once(10, act, NotAllowed)
    assert value("SELECT count(*) FROM api_keys WHERE revoked_at IS NULL") == 0


def test_a_name_is_taken_once_in_a_tenant(maker: Caller, tenant: UUID, house: str) -> None:
    keys.add(maker, Wish("nightly"))
    with pytest.raises(Conflict, match="choose another name"):
        keys.add(maker, Wish(" nightly "))
    assert keys.add(caller_of(resident("admin")), Wish("nightly"))


@pytest.mark.parametrize(
    "wish",
    [
        Wish(""),
        Wish("   "),
        Wish("x" * 101),
        Wish("past", expires_at=datetime(2020, 1, 1, tzinfo=UTC)),
        Wish("never", expires_at=datetime.max.replace(tzinfo=UTC)),
        Wish("odd", ["king"]),  # type: ignore[list-item]
    ],
)
def test_a_wish_that_cannot_be_granted_is_refused(maker: Caller, wish: Wish) -> None:
    with pytest.raises(BadInput):
        keys.add(maker, wish)
    assert value("SELECT count(*) FROM api_keys") == 0


def test_use_is_written_down_once_a_minute(maker: Caller) -> None:
    row, secret = keys.add(maker, Wish("busy"))
    keys.find(secret)
    first = value("SELECT used_at FROM api_keys WHERE id = %s", row["id"])
    assert first is not None
    keys.find(secret)
    assert value("SELECT used_at FROM api_keys WHERE id = %s", row["id"]) == first
    execute("UPDATE api_keys SET used_at = used_at - interval '61 seconds'")
    keys.find(secret)
    assert value("SELECT used_at FROM api_keys WHERE id = %s", row["id"]) > first


def test_a_key_of_another_tenant_or_user_is_not_there(maker: Caller, tenant: UUID, house: str) -> None:
    stranger = resident("admin")
    row, secret = keys.add(maker, Wish("mine"))
    with pytest.raises(NotFound):
        keys.revoke(caller_of(stranger).tenant_id, row["id"])
    with pytest.raises(NotFound):
        keys.revoke(tenant, row["id"], user_id=resident(tenant_id=tenant)["id"])
    assert keys.find(secret)


def test_only_a_hash_of_it_is_kept(maker: Caller) -> None:
    _, secret = keys.add(maker, Wish("mine"))
    assert secret not in value("SELECT to_jsonb(api_keys)::text FROM api_keys")


def test_keys_are_listed_newest_first_page_by_page(maker: Caller, tenant: UUID) -> None:
    made = [keys.add(maker, Wish(f"key {number}"))[0]["id"] for number in range(5)]
    first = keys.list_keys(tenant, limit=3)
    assert [row["id"] for row in first.rows] == made[:1:-1]
    assert first.total == 5
    rest = keys.list_keys(tenant, limit=3, after=first.next_cursor, total=False)
    assert [row["id"] for row in rest.rows] == made[1::-1]
    assert (rest.next_cursor, rest.total) == (None, None)

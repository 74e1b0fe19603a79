"""Admins read who changed what in their tenant, the newest first."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from accounts import audit
from accounts.caller import ROLE_SCOPES, Caller
from pipeline.database import transaction
from tests.accounts.residents import execute
from tests.api.people import Person

AUDIT = "/api/v3/audit"


def note(person: Person, action: str, entity: str = "contacts", **more: Any) -> None:
    caller = Caller(person.tenant_id, person.user_id, person.role, ROLE_SCOPES[person.role])
    with transaction() as (_, connection):
        audit.note(connection, caller, action, entity, more.pop("detail", {}), **more)


def seen(person: Person, **query: Any) -> list[str]:
    answer = person.client.get(AUDIT, params=query)
    assert answer.status_code == 200, answer.text
    assert answer.json()["total"] == len(answer.json()["items"])
    return [row["action"] for row in answer.json()["items"]]


def test_an_entry_says_who_did_what(admin: Person, curator: Person) -> None:
    note(curator, "update", entity_id=7, detail={"before": {"value": "a"}})
    (entry,) = admin.client.get(AUDIT).json()["items"]
    email = admin.client.get(f"/api/v3/users/{curator.user_id}").json()["email"]
    assert {**entry, "id": 0, "at": ""} == {
        "id": 0,
        "at": "",
        "user_id": str(curator.user_id),
        "user_email": email,
        "api_key_id": None,
        "api_key_name": None,
        "action": "update",
        "entity": "contacts",
        "entity_id": 7,
        "detail": {"before": {"value": "a"}},
    }


def test_what_was_done_with_a_key_names_it(admin: Person) -> None:
    made = admin.client.post("/api/v3/keys", json={"name": "nightly"}).json()
    admin.client.delete(f"/api/v3/keys/{made['key']['id']}", headers={"Authorization": f"Bearer {made['secret']}"})
    entry = admin.client.get(AUDIT).json()["items"][0]
    assert (entry["action"], entry["api_key_name"]) == ("revoke", "nightly")


def test_entries_are_chosen_by_user_entity_action_and_time(admin: Person, curator: Person) -> None:
    note(admin, "create", entity_id=1)
    note(curator, "update", entity_id=1)
    note(curator, "update", "pages", entity_id=2)
    note(curator, "erase", "suppressions")
    assert seen(admin) == ["erase", "update", "update", "create"]
    assert seen(admin, user_id=str(admin.user_id)) == ["create"]
    assert seen(admin, entity="contacts") == ["update", "create"]
    assert seen(admin, entity="contacts", entity_id=1, action="create") == ["create"]
    assert seen(admin, action="update") == ["update", "update"]
    times = [row["at"] for row in admin.client.get(AUDIT).json()["items"]]
    assert seen(admin, since=times[1]) == ["erase", "update"]
    assert seen(admin, until=times[1]) == ["update", "create"]
    later = (datetime.fromisoformat(times[0]) + timedelta(hours=1)).isoformat()
    assert seen(admin, since=later) == []
    assert seen(admin, user_id=str(uuid4())) == []


def test_another_tenants_entries_are_not_there(admin: Person, stranger: Person) -> None:
    note(stranger, "update")
    assert seen(admin) == []
    assert seen(admin, user_id=str(stranger.user_id)) == []
    assert seen(stranger) == ["update"]


def test_a_list_goes_on_where_it_ended_also_among_entries_of_one_moment(admin: Person) -> None:
    for number in range(7):
        note(admin, str(number))
    execute("UPDATE audit_entries SET at = '2026-01-01' WHERE action < '5'")
    found: list[str] = []
    cursor = None
    while len(found) < 7:
        page = admin.client.get(AUDIT, params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        found += [row["action"] for row in page["items"]]
        cursor = page["next_cursor"]
        assert page["total"] == 7
    assert found == ["6", "5", "4", "3", "2", "1", "0"]
    assert cursor is None
    assert admin.client.get(AUDIT, params={"total": "none"}).json()["total"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"cursor": "x"}, 400),
        ({"since": "9999-12-31T23:59:59-23:59"}, 400),
        ({"since": "2026-01-01T00:00:00"}, 422),
        ({"user_id": "anna"}, 422),
        ({"entity": "\x00"}, 422),
        ({"entity_id": 2**63}, 422),
        ({"limit": 0}, 422),
        ({"users": "x"}, 422),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(admin: Person, query: dict[str, Any], status: int) -> None:
    assert admin.client.get(AUDIT, params=query).status_code == status


def test_an_offset_that_no_country_has_is_understood(admin: Person) -> None:
    note(admin, "update")
    assert seen(admin, since="2020-01-01T00:00:00+23:59") == ["update"]


def test_only_admins_read_it(curator: Person, viewer: Person) -> None:
    assert curator.client.get(AUDIT).status_code == 403
    assert viewer.client.get(AUDIT).status_code == 403

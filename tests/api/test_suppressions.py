"""`/api/v3/suppressions` and `/erasures` over real HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.doors import audited, execute, many_contacts, rows
from tests.api.people import Person

LIST = "/api/v3/suppressions"
ERASURES = "/api/v3/erasures"


def suppress(person: Person, *values: str, **more: Any) -> dict[str, Any]:
    answer = person.client.post(LIST, json={"values": values, **more})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def standing(person: Person, value: str, **more: str) -> str:
    answer = person.client.get(f"{LIST}/check", params={"value": value, **more})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["state"])


def test_whom_somebody_suppresses_is_listed_as_a_hash_and_found_by_value(curator: Person, viewer: Person) -> None:
    assert suppress(curator, "Ann@Acme.example", "+1 512 555 0100", reason="asked") == {
        "added_count": 2, "known_count": 0
    }  # fmt: skip
    assert suppress(curator, "ann@acme.example", "bakery.example") == {"added_count": 1, "known_count": 1}
    page = viewer.client.get(LIST, params={"limit": 2}).json()
    assert (page["total"], [row["kind"] for row in page["items"]]) == (3, ["domain", "phone"])
    rest = viewer.client.get(LIST, params={"limit": 2, "cursor": page["next_cursor"]}).json()
    assert ([row["kind"] for row in rest["items"]], rest["next_cursor"]) == (["email"], None)
    assert "acme" not in str(rest) + str(page)
    assert viewer.client.get(LIST, params={"kind": "phone", "total": "none"}).json()["total"] is None
    assert standing(viewer, "ann@ACME.example") == "suppressed"
    assert standing(viewer, "somebody@bakery.example") == "suppressed by its domain"
    assert standing(viewer, "bob@acme.example") == "not listed"
    (entry, *_) = rows("SELECT user_id, api_key_id FROM audit_entries ORDER BY id")
    assert entry["user_id"] == curator.user_id
    assert entry["api_key_id"] is not None


def test_all_values_are_listed_or_none(curator: Person) -> None:
    answer = curator.client.post(LIST, json={"values": ["ann@acme.example", "neither nor"]})
    assert answer.status_code == 400
    assert "'neither nor' is no email, phone number or domain" in answer.json()["detail"]
    assert rows("SELECT 1 FROM suppressions") == []
    bad: list[dict[str, Any]] = [{"values": []}, {"values": ["x"] * 10_001}, {"values": ["a\x00b"]}, {"value": "x"}]
    for body in bad:
        assert curator.client.post(LIST, json=body).status_code == 422
    for more in ({"region": "Texas"}, {"kind": "phone"}):
        assert curator.client.post(LIST, json={"values": ["ann@acme.example"], **more}).status_code == 400


def test_a_value_or_an_entry_is_taken_off(curator: Person) -> None:
    suppress(curator, "ann@acme.example", "bob@acme.example")
    assert curator.client.delete(LIST, params={"value": "ANN@acme.example"}).status_code == 204
    assert curator.client.delete(LIST, params={"value": "ann@acme.example"}).status_code == 404
    (row,) = curator.client.get(LIST).json()["items"]
    assert curator.client.delete(f"{LIST}/{row['id']}").status_code == 204
    assert curator.client.delete(f"{LIST}/{row['id']}").status_code == 404
    assert [action for action, _ in audited(curator.tenant_id)] == ["suppress", "unsuppress", "unsuppress"]


def test_a_list_is_uploaded_and_its_rows_are_accounted_for(curator: Person) -> None:
    suppress(curator, "known@acme.example")
    lines = [
        "Email",
        "known@acme.example",
        "nobody",
        *[f"p{nth}@list.example" for nth in range(5000)],
        "P1@list.example",
    ]
    files = {"file": ("list.csv", "\n".join(lines).encode(), "text/csv")}
    answer = curator.client.post(f"{LIST}/uploads", files=files, data={"reason": "unsubscribed"})
    assert answer.status_code == 201
    assert answer.json() == {
        "added_count": 5000, "duplicate_count": 2, "rejected_count": 1,
        "rejected_rows": [{"row_number": 3, "reason": "no-address"}],
    }  # fmt: skip
    assert standing(curator, "p4999@list.example") == "suppressed"
    bad = {"file": ("list.csv", b"Email\na@b.example\n", "text/csv")}
    answer = curator.client.post(f"{LIST}/uploads", files=bad, data={"column": "Fax"})
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "The file has no column 'Fax': its columns are Email.",
    )


def test_nobody_else_sees_or_changes_the_list(curator: Person, stranger: Person, viewer: Person) -> None:
    suppress(curator, "ann@acme.example")
    (row,) = curator.client.get(LIST).json()["items"]
    assert stranger.client.get(LIST).json()["items"] == []
    assert standing(stranger, "ann@acme.example") == "not listed"
    assert stranger.client.delete(f"{LIST}/{row['id']}").status_code == 404
    assert stranger.client.delete(LIST, params={"value": "ann@acme.example"}).status_code == 404
    assert viewer.client.post(LIST, json={"values": ["a@b.example"]}).status_code == 403
    assert viewer.client.delete(f"{LIST}/{row['id']}").status_code == 403
    assert len(rows("SELECT 1 FROM suppressions")) == 1


def test_an_erasure_removes_every_copy_of_this_tenant_and_stays_on_the_list(
    admin: Person, curator: Person, stranger: Person
) -> None:
    for person in (admin, stranger):
        many_contacts(person.tenant_id, 200)
    body = {"value": "mail-7@site-8.example", "kind": "email"}
    assert curator.client.post(ERASURES, json=body).status_code == 403
    dry = admin.client.post(ERASURES, json=body | {"dry_run": True}).json()
    assert (dry["is_dry_run"], dry["rows"]) == (True, {"contacts": 1, "sightings": 1})
    assert len(rows("SELECT 1 FROM contacts WHERE value = 'mail-7@site-8.example'")) == 2
    done = admin.client.post(ERASURES, json=body).json()
    assert (done["is_dry_run"], done["rows"], done["listed_count"]) == (False, dry["rows"], 1)
    left = rows("SELECT tenant_id FROM contacts WHERE value = 'mail-7@site-8.example'")
    assert [row["tenant_id"] for row in left] == [stranger.tenant_id]
    assert standing(admin, "mail-7@site-8.example") == "erased"
    refused = curator.client.delete(LIST, params={"value": "mail-7@site-8.example"})
    assert refused.status_code == 409
    assert "erased on somebody's request" in refused.json()["detail"]
    params = {"value": "mail-7@site-8.example", "erased": "true"}
    assert curator.client.delete(LIST, params=params).status_code == 403
    assert admin.client.delete(LIST, params=params).status_code == 204


@pytest.mark.parametrize(
    "body", [{"value": "nobody", "kind": "email"}, {"value": "Ann Low", "kind": "person"}, {"value": "", "kind": None}]
)
def test_what_is_nobody_cannot_be_erased(admin: Person, body: dict[str, Any]) -> None:
    answer = admin.client.post(ERASURES, json=body)
    assert answer.status_code == 400
    assert answer.json()["detail"].endswith(".")


def test_an_erasure_leaves_alone_what_is_the_installations_and_says_nothing_of_it(
    admin: Person, stranger: Person
) -> None:
    told = "ask ann@acme.example"
    execute("INSERT INTO hosts (host, robots) VALUES ('other.example', %s), ('www.own.example', %s)", told, told)
    execute("INSERT INTO stage_controls (stage, note) VALUES ('deep_scan', %s)", told)
    execute("INSERT INTO domains (tenant_id, name) VALUES (%s, 'own.example')", stranger.tenant_id)
    for dry_run in (True, False):
        answer = stranger.client.post(ERASURES, json={"value": "ann@acme.example", "dry_run": dry_run})
        assert answer.json()["rows"] == {"hosts": 1}
    assert rows("SELECT host FROM hosts WHERE robots = %s", told) == [{"host": "other.example"}]
    assert rows("SELECT note FROM stage_controls") == [{"note": told}]
    answer = admin.client.post(ERASURES, json={"value": "ann@acme.example"})
    assert answer.json()["rows"] == {"hosts": 1, "stage_controls": 1}

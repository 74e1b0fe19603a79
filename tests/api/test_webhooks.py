"""Webhooks over HTTP: who may add them, what is shown of them, and what becomes of their messages."""

from __future__ import annotations

import base64
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

import settings
from notices import webhooks
from tests.api.people import People, Person

PATH = "/api/v3/webhooks"
URL = "https://hooks.your-company.com/leads"


def add(person: Person, url: str = URL, *events: str, **more: Any) -> dict[str, Any]:
    answer = person.client.post(PATH, json={"url": url, "events": list(events or ("contact.found",)), **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def rows(db: str, sql: str, *values: Any) -> list[dict[str, Any]]:
    with psycopg.connect(db, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(sql.encode(), values)
        return cursor.fetchall() if cursor.description else []


def test_the_secret_is_shown_when_it_is_made_and_never_again(admin: Person) -> None:
    made = add(admin, URL, "search.completed", "contact.found", description="leads into the CRM")
    assert len(base64.b64decode(made["secret"].removeprefix("whsec_"))) == 32
    shown = admin.client.get(f"{PATH}/{made['id']}").json()
    assert shown == {name: value for name, value in made.items() if name != "secret"}
    assert admin.client.get(PATH).json() == [shown]
    rotated = admin.client.post(f"{PATH}/{made['id']}/rotate-secret").json()
    assert rotated["secret"] != made["secret"]
    assert "secret" not in admin.client.patch(f"{PATH}/{made['id']}", json={"is_active": False}).json()


def test_what_is_given_is_changed_and_the_rest_stays(admin: Person) -> None:
    made = add(admin, description="first")
    changed = admin.client.patch(f"{PATH}/{made['id']}", json={"events": ["search.completed"], "description": None})
    assert changed.status_code == 200
    assert (changed.json()["events"], changed.json()["description"]) == (["search.completed"], None)
    assert (changed.json()["url"], changed.json()["is_active"]) == (URL, True)
    assert admin.client.patch(f"{PATH}/{made['id']}", json={}).status_code == 400


def test_a_removed_webhook_is_gone_with_what_it_was_told(admin: Person, db: str) -> None:
    made = add(admin)
    delivery = admin.client.post(f"{PATH}/{made['id']}/test").json()
    answer = admin.client.delete(f"{PATH}/{made['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert admin.client.get(f"{PATH}/{made['id']}").status_code == 404
    assert rows(db, "SELECT id FROM webhook_deliveries") == []
    (work,) = rows(db, "SELECT status, reason FROM work WHERE entity_id = %s", delivery["id"])
    assert (work["status"], work["reason"]) == ("Cancelled", "webhook-gone")


def test_a_test_is_queued_and_listed(admin: Person, db: str) -> None:
    made = add(admin)
    answer = admin.client.post(f"{PATH}/{made['id']}/test")
    assert answer.status_code == 202
    assert (answer.json()["event"], answer.json()["status"]) == ("webhook.test", "Queued")
    page = admin.client.get(f"{PATH}/{made['id']}/deliveries").json()
    assert (page["items"], page["total"], page["next_cursor"]) == ([answer.json()], 1, None)
    (work,) = rows(db, "SELECT stage, lane, sent_at IS NOT NULL AS is_rung FROM work")
    assert work["stage"] == "webhook_delivery"
    assert work["lane"] == f"hooks.your-company.com/webhook-{made['id']}"
    assert work["is_rung"]


def test_deliveries_come_a_page_at_a_time_newest_first(admin: Person) -> None:
    made = add(admin)
    sent = [admin.client.post(f"{PATH}/{made['id']}/test").json()["id"] for _ in range(5)]
    seen: list[int] = []
    cursor = None
    while True:
        params = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = admin.client.get(f"{PATH}/{made['id']}/deliveries", params=params).json()
        seen += [row["id"] for row in page["items"]]
        assert page["total"] == 5
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == sent[::-1]
    for bad in ("x", "-1", "1" * 30, "²"):
        assert admin.client.get(f"{PATH}/{made['id']}/deliveries", params={"cursor": bad}).status_code == 400


def test_a_failed_message_is_sent_again_by_hand(admin: Person, db: str) -> None:
    made = add(admin)
    sent = admin.client.post(f"{PATH}/{made['id']}/test").json()
    rows(db, "UPDATE work SET status = 'Error', reason = 'timeout', attempts = 4, finished_at = now()")
    answer = admin.client.post(f"/api/v3/webhook-deliveries/{sent['id']}/redeliver")
    assert answer.status_code == 202
    assert (answer.json()["status"], answer.json()["attempts"]) == ("Queued", 0)
    assert answer.json()["message_id"] == sent["message_id"]


def test_one_that_is_switched_off_is_not_tested(admin: Person) -> None:
    made = add(admin)
    sent = admin.client.post(f"{PATH}/{made['id']}/test").json()
    admin.client.patch(f"{PATH}/{made['id']}", json={"is_active": False})
    assert admin.client.post(f"{PATH}/{made['id']}/test").status_code == 409
    assert admin.client.post(f"/api/v3/webhook-deliveries/{sent['id']}/redeliver").status_code == 409


def test_the_same_url_twice_is_refused_but_two_tenants_may_share_it(admin: Person, stranger: Person) -> None:
    add(admin)
    other = add(admin, f"{URL}/2")
    add(stranger)
    draft = {"url": URL, "events": ["contact.found"]}
    assert admin.client.post(PATH, json=draft).status_code == 409
    assert admin.client.patch(f"{PATH}/{other['id']}", json={"url": URL}).status_code == 409


def test_there_is_a_most(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MOST", 1)
    add(admin)
    answer = admin.client.post(PATH, json={"url": f"{URL}/2", "events": ["contact.found"]})
    assert answer.status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {"url": "https://localhost/x", "events": ["contact.found"]},
        {"url": "ftp://hooks.example", "events": ["contact.found"]},
        {"url": "https://a.b/\x00", "events": ["contact.found"]},
        {"url": URL, "events": []},
        {"url": URL, "events": ["webhook.test"]},
        {"url": URL, "events": ["contact.found"], "secret": "mine"},
        {"url": URL, "events": ["contact.found"], "description": "x\x00"},
        {"url": URL},
        [],
    ],
)
def test_what_cannot_be_a_webhook_is_refused(admin: Person, body: object) -> None:
    answer = admin.client.post(PATH, json=body)
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert admin.client.get(PATH).json() == []


def test_production_wants_https(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", "production")
    monkeypatch.setenv("CRAWLER_CONTACT", "us@example.org")
    settings.settings.cache_clear()
    draft = {"url": "http://hooks.your-company.com/x", "events": ["contact.found"]}
    assert admin.client.post(PATH, json=draft).status_code == 400
    assert add(admin)["url"] == URL


def test_nobody_but_admins_sees_webhooks(people: People, admin: Person) -> None:
    made = add(admin)
    for role in ("viewer", "curator"):
        client = people.person(role).client
        assert client.get(PATH).status_code == 403
        assert client.delete(f"{PATH}/{made['id']}").status_code == 403
    reading = people.person("admin", scopes=["read"]).client
    assert reading.post(f"{PATH}/{made['id']}/rotate-secret").status_code == 403


def test_another_tenant_s_webhook_does_not_exist(admin: Person, stranger: Person) -> None:
    made = add(admin)
    sent = admin.client.post(f"{PATH}/{made['id']}/test").json()
    client = stranger.client
    answers = [
        client.get(f"{PATH}/{made['id']}"),
        client.patch(f"{PATH}/{made['id']}", json={"is_active": False}),
        client.delete(f"{PATH}/{made['id']}"),
        client.post(f"{PATH}/{made['id']}/test"),
        client.post(f"{PATH}/{made['id']}/rotate-secret"),
        client.get(f"{PATH}/{made['id']}/deliveries"),
        client.post(f"/api/v3/webhook-deliveries/{sent['id']}/redeliver"),
    ]
    assert [answer.status_code for answer in answers] == [404] * 7
    nowhere = client.get(f"{PATH}/{made['id'] + 1000}").json()["detail"]
    assert answers[0].json()["detail"] == nowhere.replace(str(made["id"] + 1000), str(made["id"]))
    assert client.get(PATH).json() == []
    assert admin.client.get(f"{PATH}/{made['id']}").json()["is_active"]


def test_only_the_installation_s_own_tenant_hears_of_failing_stages(admin: Person, stranger: Person) -> None:
    draft = {"url": URL, "events": ["stage.failing"]}
    assert admin.client.post(PATH, json=draft).status_code == 201
    assert stranger.client.post(PATH, json=draft).status_code == 400


def test_every_change_leaves_an_entry_without_the_secret(admin: Person, db: str) -> None:
    made = add(admin)
    secret = admin.client.post(f"{PATH}/{made['id']}/rotate-secret").json()["secret"]
    admin.client.patch(f"{PATH}/{made['id']}", json={"is_active": False})
    admin.client.delete(f"{PATH}/{made['id']}")
    found = rows(
        db, "SELECT action, user_id, entity_id, detail::text FROM audit_entries WHERE entity = 'webhooks' ORDER BY id"
    )
    assert [row["action"] for row in found] == ["create", "rotate-secret", "update", "delete"]
    assert {(row["user_id"], row["entity_id"]) for row in found} == {(admin.user_id, made["id"])}
    assert not any(hidden in row["detail"] for row in found for hidden in (secret, made["secret"]))

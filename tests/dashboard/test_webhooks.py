"""Webhooks on pages: a secret is shown once, tests are queued, and only admins of the tenant come near."""

from __future__ import annotations

import re

import httpx

from tests.accounts.residents import value
from tests.api.doors import audited, rows
from tests.dashboard.browsers import Browser

PAGES = "/people/webhooks"
URL = "https://hooks.acme.com/leads"


def secret_of(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found = re.search(r'value="(whsec_[^"]+)"', answer.text)
    assert found is not None
    return found[1]


def test_a_webhook_is_added_changed_tested_and_removed(admin: Browser) -> None:
    secret = secret_of(admin.send(PAGES, url=URL, events=["contact.found"], description="<b>CRM</b>"))
    listed = admin.client.get(PAGES).text
    assert URL in listed
    assert "<b>CRM" not in listed
    assert secret not in listed
    path = f"{PAGES}/{value('SELECT id FROM webhooks')}"
    admin.send(path, url=URL, events=["search.completed"], description="", is_active="true")
    assert rows("SELECT events, description, is_active FROM webhooks") == [
        {"events": ["search.completed"], "description": None, "is_active": True}
    ]
    admin.send(f"{path}/test")
    shown = admin.text(path)
    assert "webhook.test" in shown
    assert "Queued" in shown
    delivery = value("SELECT id FROM webhook_deliveries")
    assert admin.send(f"{PAGES}/deliveries/{delivery}/redeliver").headers["location"] == path
    assert secret_of(admin.send(f"{path}/rotate")) != secret
    admin.send(path, url=URL, events=["search.completed"])
    assert admin.send(f"{path}/test").status_code == 409
    assert "off" in admin.text(PAGES)
    admin.send(f"{path}/delete")
    assert rows("SELECT id FROM webhooks") == []
    assert [action for action, entity in audited(admin.person.tenant_id) if entity == "webhooks"] == [
        "create", "update", "test", "rotate-secret", "update", "delete",
    ]  # fmt: skip


def test_a_webhook_that_cannot_be_is_refused_with_one_sentence(admin: Browser, stranger: Browser) -> None:
    for typed, says in (
        ({"url": "ftp://x", "events": ["contact.found"]}, ""),
        ({"url": URL}, "at least one event"),
        ({"url": URL, "events": ["contact.lost"]}, "There is no event"),
    ):
        refused = admin.send(PAGES, **typed)
        assert refused.status_code == 400
        assert says in refused.text
    assert "stage.failing" not in stranger.text(PAGES)
    assert stranger.send(PAGES, url=URL, events=["stage.failing"]).status_code == 400
    assert rows("SELECT id FROM webhooks") == []


def test_only_admins_of_the_tenant_reach_a_webhook(admin: Browser, curator: Browser, stranger: Browser) -> None:
    admin.send(PAGES, url=URL, events=["contact.found"])
    path = f"{PAGES}/{value('SELECT id FROM webhooks')}"
    admin.send(f"{path}/test")
    again = f"{PAGES}/deliveries/{value('SELECT id FROM webhook_deliveries')}/redeliver"
    assert curator.client.get(PAGES).status_code == 403
    assert URL not in stranger.text(PAGES)
    for act in (path, f"{path}/test", f"{path}/rotate", f"{path}/delete", again):
        assert curator.send(act, url=URL, events=["contact.found"]).status_code == 403
        assert stranger.send(act, url=URL, events=["contact.found"]).status_code == 404
    assert len(rows("SELECT id FROM webhooks")) == 1

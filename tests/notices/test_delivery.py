"""webhook_delivery: a message in, a signed POST out; what does not arrive is sent again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import settings
from errors import Conflict
from notices import deliveries, webhooks
from scheduling import invariants
from tests.notices.office import Office
from tests.notices.receiver import URL, Receiver


def test_a_message_arrives_signed_and_says_what_it_is(office: Office, receiver: Receiver) -> None:
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    office.send()
    (message,) = receiver.heard
    assert message.path == "/leads"
    assert message.headers["content-type"] == "application/json"
    assert message.is_signed_with(webhook["secret"])
    assert not message.is_signed_with("whsec_" + "A" * 43 + "=")
    assert message.json.keys() == {"type", "timestamp", "data"}
    assert (message.type, message.data) == ("webhook.test", {"webhook_id": webhook["id"]})
    sent_at = datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), UTC)
    assert abs(datetime.now(UTC) - sent_at) < timedelta(minutes=5)
    (row,) = office.deliveries(webhook)
    assert (row["status"], row["status_code"], row["attempts"]) == ("Completed", 200, 1)
    assert row["message_id"] == message.id
    assert row["delivered_at"] is not None
    assert row["next_try_at"] is None


def test_a_receiver_that_fails_twice_hears_the_same_message_until_it_takes_it(
    office: Office, receiver: Receiver
) -> None:
    receiver.statuses = [500, 404, 204]
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    office.send()
    (row,) = office.deliveries(webhook)
    assert (row["status"], row["reason"], row["error"], row["status_code"]) == (
        "Queued",
        "server-error",
        "HTTP 500",
        500,
    )
    wait = row["next_try_at"] - datetime.now(UTC)
    assert timedelta(minutes=2) < wait < timedelta(minutes=8)
    office.send_now()
    assert office.endings() == {"Queued receiver-refused": 1}
    office.send_now()
    assert office.endings() == {"Completed": 1}
    assert len(receiver.heard) == 3
    assert len({message.id for message in receiver.heard}) == 1
    assert all(message.is_signed_with(webhook["secret"]) for message in receiver.heard)


def test_after_three_retries_it_ends_as_an_error(office: Office, receiver: Receiver) -> None:
    receiver.statuses = [503]
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    office.send()
    for _ in range(5):
        office.send_now()
    assert len(receiver.heard) == 4
    assert office.endings() == {"Error server-error": 1}
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_it_can_be_sent_again_by_hand_under_the_same_id(office: Office, receiver: Receiver) -> None:
    receiver.statuses = [500, 200]
    webhook = office.webhook()
    sent = deliveries.send_test(office.caller, webhook["id"])
    office.send()
    deliveries.redeliver(office.caller, sent["id"])  # it waits for its next try
    office.send()
    deliveries.redeliver(office.caller, sent["id"])  # it has arrived
    office.send()
    assert len(receiver.heard) == 3
    assert len({message.id for message in receiver.heard}) == 1


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirect_is_not_followed(office: Office, receiver: Receiver, status: int) -> None:
    receiver.statuses, receiver.headers = [status], {"Location": "http://other.example/elsewhere"}
    deliveries.send_test(office.caller, office.webhook()["id"])
    office.send()
    assert [message.path for message in receiver.heard] == ["/leads"]
    assert office.endings() == {"Queued receiver-refused": 1}


def test_a_receiver_that_says_gone_is_told_nothing_more(office: Office, receiver: Receiver) -> None:
    receiver.statuses = [410]
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    office.send()
    assert office.endings() == {"Error receiver-gone": 1}
    assert not webhooks.one(office.caller, webhook["id"])["is_active"]
    with pytest.raises(Conflict):
        deliveries.send_test(office.caller, webhook["id"])
    office.contact("info@anna.example")
    office.tell()
    assert len(receiver.heard) == 1


def test_a_webhook_that_was_switched_off_meanwhile_is_not_told(office: Office, receiver: Receiver) -> None:
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    webhooks.change(office.caller, webhook["id"], {"is_active": False})
    office.send()
    assert office.endings() == {"Filtered webhook-off": 1}
    assert receiver.heard == []


def test_a_webhook_that_was_removed_meanwhile_is_not_told(office: Office, receiver: Receiver) -> None:
    webhook = office.webhook()
    deliveries.send_test(office.caller, webhook["id"])
    webhooks.remove(office.caller, webhook["id"])
    office.send()
    assert office.endings() == {"Cancelled webhook-gone": 1}
    assert receiver.heard == []
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_after_a_rotation_both_secrets_sign_for_a_day(office: Office, receiver: Receiver) -> None:
    first = office.webhook()
    second = webhooks.rotate(office.caller, first["id"])
    deliveries.send_test(office.caller, first["id"])
    office.send()
    office.scene.execute("UPDATE webhooks SET previous_until = clock_timestamp() - interval '1 second'")
    deliveries.send_test(office.caller, first["id"])
    office.send()
    during, after = receiver.heard
    assert during.is_signed_with(first["secret"])
    assert during.is_signed_with(second["secret"])
    assert not after.is_signed_with(first["secret"])
    assert after.is_signed_with(second["secret"])


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/x", "http://169.254.169.254/latest", "http://printer.lan/x", "http://[::1]/x"]
)
def test_a_private_address_is_never_asked(
    office: Office, receiver: Receiver, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDBOX_ADDRESS")
    settings.settings.cache_clear()
    deliveries.send_test(office.caller, office.webhook(url=url)["id"])
    office.send()
    assert office.endings() == {"Error unsafe-address": 1}
    assert receiver.heard == []


def test_without_a_sandbox_the_name_of_the_receiver_leads_nowhere(
    office: Office, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lets these tests reach loopback is the sandbox's address alone, which only tests and sandboxes may have."""
    monkeypatch.delenv("SANDBOX_ADDRESS")
    settings.settings.cache_clear()
    deliveries.send_test(office.caller, office.webhook(url=URL)["id"])
    office.send()
    assert receiver.heard == []
    assert office.endings() == {"Queued dns": 1}


def test_messages_of_long_ago_are_forgotten_with_their_work(office: Office, receiver: Receiver) -> None:
    webhook = office.webhook()
    old = deliveries.send_test(office.caller, webhook["id"])
    office.send()
    office.scene.execute("UPDATE webhook_deliveries SET created_at = now() - interval '31 days'")
    new = deliveries.send_test(office.caller, webhook["id"])
    assert deliveries.forget_old() == 1
    assert [row["id"] for row in office.deliveries(webhook)] == [new["id"]] != [old["id"]]
    assert office.scene.many("work") == 1

"""contact.found: each webhook hears of each contact of its tenant once, and of nobody who is suppressed."""

from __future__ import annotations

from typing import Any

import pytest

from leads import erasure
from leads.erasure import Target
from notices import found_contacts, webhooks
from services.suppression import subject_of
from tests.notices.office import Office
from tests.notices.receiver import Receiver
from tests.pipeline.together import together


def told(receiver: Receiver) -> list[str]:
    """Give every value that was told, in order, also twice."""
    return [contact["value"] for message in receiver.heard for contact in message.data["contacts"]]


def test_a_contact_is_told_with_its_business_and_proof(office: Office, receiver: Receiver) -> None:
    office.webhook()
    contact = office.contact("info@anna.example", person_name="Anna Low", snippet="write to info@anna.example")
    assert office.tell()["contacts_found"] == 1
    (message,) = receiver.heard
    (row,) = message.data["contacts"]
    assert message.type == "contact.found"
    assert (row["id"], row["kind"], row["value"], row["person_name"]) == (
        contact,
        "email",
        "info@anna.example",
        "Anna Low",
    )
    assert (row["domain"], row["source_url"]) == ("anna.example", "https://anna.example/contact")
    assert (row["business"]["name"], row["business"]["city"]) == ("Anna's Bakery", "Austin")


def test_each_contact_is_told_once_however_often_it_is_looked(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.contact("one@anna.example")
    office.tell()
    office.tell()
    office.contact("two@anna.example")
    office.tell()
    office.tell()
    assert told(receiver) == ["one@anna.example", "two@anna.example"]


def test_a_contact_whose_transaction_ended_late_is_told_all_the_same(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.scene.execute("UPDATE webhooks SET told_from = now() - interval '1 hour'")
    office.contact("later@anna.example")
    office.tell()
    office.contact("begun-before@anna.example")
    office.scene.execute(
        "UPDATE contacts SET created_at = now() - interval '5 minutes' WHERE value = 'begun-before@anna.example'"
    )
    office.tell()
    assert told(receiver) == ["later@anna.example", "begun-before@anna.example"]


def test_many_are_told_by_the_hundred(office: Office, receiver: Receiver) -> None:
    office.webhook()
    for number in range(230):
        office.contact(f"n{number}@anna.example")
    assert office.tell()["contacts_found"] == 3
    assert [len(message.data["contacts"]) for message in receiver.heard] == [100, 100, 30]
    assert len(set(told(receiver))) == 230


def test_more_than_fit_into_one_look_are_told_by_the_next(
    office: Office, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_contacts, "MOST_AT_A_TIME", 3)
    office.webhook()
    for number in range(8):
        office.contact(f"n{number}@anna.example")
    for _ in range(4):
        office.tell()
    assert sorted(told(receiver)) == sorted(f"n{number}@anna.example" for number in range(8))


def test_two_who_look_at_the_same_moment_tell_once(office: Office, receiver: Receiver) -> None:
    office.webhook()
    for number in range(20):
        office.contact(f"n{number}@anna.example")
    together(lambda _: found_contacts.tell(), 4)
    office.tell()
    assert len(told(receiver)) == 20


def test_what_was_found_before_it_listened_is_not_told(office: Office, receiver: Receiver) -> None:
    office.contact("early@anna.example")
    webhook = office.webhook()
    office.contact("one@anna.example")
    office.tell()
    webhooks.change(office.caller, webhook["id"], {"is_active": False})
    office.contact("meanwhile@anna.example")
    office.tell()
    webhooks.change(office.caller, webhook["id"], {"is_active": True})
    office.contact("two@anna.example")
    office.tell()
    assert told(receiver) == ["one@anna.example", "two@anna.example"]


def test_whoever_asks_for_more_misses_nothing(office: Office, receiver: Receiver) -> None:
    webhook = office.webhook("contact.found")
    office.contact("untold@anna.example")
    webhooks.change(office.caller, webhook["id"], {"events": ["contact.found", "search.completed"]})
    office.contact("next@anna.example")
    office.tell()
    assert told(receiver) == ["untold@anna.example", "next@anna.example"]


def test_nobody_is_told_of_who_is_suppressed(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.contact("ann@anna.example", person_name="Ann Low", label="personal")
    office.contact("info@anna.example", person_name="Ann Low", snippet="ann@anna.example")
    office.world.suppress("ann@anna.example")
    office.tell()
    assert told(receiver) == ["info@anna.example"]
    assert b"ann@anna" not in receiver.heard[0].body
    assert b"Ann Low" not in receiver.heard[0].body


def test_who_is_suppressed_after_the_message_was_queued_is_not_in_it(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.contact("ann@anna.example")
    office.contact("info@anna.example")
    found_contacts.tell()
    office.world.suppress("ann@anna.example")
    office.send()
    assert told(receiver) == ["info@anna.example"]


def test_who_is_erased_between_two_tries_is_not_in_the_second(office: Office, receiver: Receiver) -> None:
    receiver.statuses = [500, 200]
    office.webhook()
    office.contact("ann@anna.example")
    office.contact("info@anna.example")
    office.tell()
    subject = subject_of("ann@anna.example")
    assert subject is not None
    erasure.erase(office.caller.tenant_id, Target(subject))
    office.send_now()
    first, second = receiver.heard
    assert first.id == second.id
    assert [contact["value"] for contact in second.data["contacts"]] == ["info@anna.example"]


@pytest.mark.parametrize("state", [{"curation_status": "Not a Fit"}, {"curation_status": "Archived"}])
def test_a_message_with_nothing_left_to_tell_is_not_sent(
    office: Office, receiver: Receiver, state: dict[str, Any]
) -> None:
    office.webhook()
    office.contact("ann@anna.example", **state)
    office.tell()
    assert receiver.heard == []
    assert office.endings() == {"Filtered nothing-to-tell": 1}


def test_two_tenants_hear_of_their_own_alone(office: Office, receiver: Receiver) -> None:
    stranger = office.stranger()
    own, theirs = office.webhook(), office.webhook(url="http://theirs.example/in", caller=stranger)
    office.contact("ours@anna.example")
    office.contact("theirs@anna.example", caller=stranger)
    office.tell()
    by_path = {message.path: message for message in receiver.heard}
    assert [contact["value"] for contact in by_path["/leads"].data["contacts"]] == ["ours@anna.example"]
    assert [contact["value"] for contact in by_path["/in"].data["contacts"]] == ["theirs@anna.example"]
    assert by_path["/in"].is_signed_with(theirs["secret"])
    assert not by_path["/in"].is_signed_with(own["secret"])
    assert {row["event"] for row in office.deliveries(theirs, stranger)} == {"contact.found"}
    stored = office.scene.rows("SELECT jsonb_array_length(payload -> 'contact_ids') AS many FROM webhook_deliveries")
    assert [row["many"] for row in stored] == [1, 1]


def test_two_webhooks_of_one_tenant_are_told_each(office: Office, receiver: Receiver) -> None:
    office.webhook()
    office.webhook(url="http://second.example/in")
    office.webhook("search.completed", url="http://third.example/in")
    office.contact("info@anna.example")
    office.tell()
    assert sorted(message.headers["host"] for message in receiver.heard) == ["hooks.example", "second.example"]
    assert len({message.id for message in receiver.heard}) == 2

"""The contact page: all its proof, and what people do with one contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.dashboard.browsers import Browser
from tests.dashboard.walked import HOSTILE, Way, first


@pytest.fixture
def way(db: str, curator: Browser) -> Iterator[Way]:
    made = Way(db)
    made.walk()
    yield made
    made.close()


def test_a_contact_is_shown_with_all_its_proof_and_its_business(way: Way, viewer: Browser) -> None:
    contact = way.find(snippet="mail info@acme.example", verdict="risky", verdict_reasons=["no-mx", HOSTILE])
    for nth in range(7):
        way.insert("sightings", contact_id=contact, url=f"https://acme.example/{nth}", method="mailto", snippet=HOSTILE)
    page = viewer.see(f"/contacts/{contact}")
    assert len(page.css(".proof")) == 8
    assert [mark.text() for mark in page.css("mark")] == ["info@acme.example"]
    assert first(page, f'a[href="/businesses/{way.business_id}"]').text() == "Acme Dental"
    assert "names no mail server" in viewer.text(f"/contacts/{contact}")
    assert page.css_first("main script") is None
    assert page.css_first("main form") is None


def test_a_correction_is_validated_anew_and_noted(way: Way, curator: Browser) -> None:
    contact = way.find(verdict="valid")
    path = f"/contacts/{contact}"
    fields: dict[str, Any] = {
        "field": ["value", "note", "label"], "was": ["info@acme.example", "", ""],
        "value": ["Hello@acme.example", "asked\r\nfor Ann", ""],
    }  # fmt: skip
    assert curator.send(f"{path}/edit", **fields).status_code == 303
    (row,) = way.rows("SELECT value, verdict, note FROM contacts WHERE id = %s", contact)
    assert (row["value"], row["verdict"], row["note"]) == ("hello@acme.example", None, "asked\nfor Ann")
    assert way.rows("SELECT 1 FROM work WHERE stage = 'contact_validation' AND entity_id = %s", contact)
    assert way.noted("contacts") == ["update"]
    wrong = curator.send(f"{path}/edit", field=["value"], was=["x"], value=["no address"])
    assert (wrong.status_code, "write it like ann@acme.example" in wrong.text) == (400, True)


def test_a_decision_and_a_deletion_do_what_they_say(way: Way, curator: Browser) -> None:
    contact = way.find()
    curator.send(f"/contacts/{contact}/decide", status="Not a Fit")
    assert "Decided: Not a Fit" in curator.text(f"/contacts/{contact}")
    gone = curator.send(f"/contacts/{contact}/delete")
    assert gone.headers["location"] == f"/businesses/{way.business_id}"
    assert curator.client.get(f"/contacts/{contact}").status_code == 404
    assert way.noted("contacts") == ["curate", "delete"]


def test_a_value_or_its_domain_is_suppressed_and_taken_off_again(way: Way, curator: Browser) -> None:
    contact, person = way.find(), way.find("Ann Low", kind="person")
    path = f"/contacts/{contact}"
    boxes = curator.see(f"{path}/suppress").css('input[type="checkbox"]')
    assert [box.attributes["value"] for box in boxes] == ["info@acme.example", "acme.example"]
    curator.send(f"{path}/suppress", chosen=["info@acme.example"])
    assert "Take off the suppression list" in curator.text(path)
    assert "Take off" in curator.text(f"{path}/suppress")
    curator.send(f"{path}/unsuppress", value="info@acme.example")
    assert way.rows("SELECT 1 FROM suppressions") == []
    boxes = curator.see(f"/contacts/{person}/suppress").css('input[type="checkbox"]')
    assert [box.attributes["value"] for box in boxes] == ["acme.example"]
    assert curator.send(f"{path}/suppress", chosen=["nothing at all"]).status_code == 400


def test_a_contact_is_its_tenants_alone_and_no_viewers_to_change(way: Way, viewer: Browser, stranger: Browser) -> None:
    contact = way.find()
    acts = ("edit", "decide", "delete", "suppress", "unsuppress")
    assert [viewer.send(f"/contacts/{contact}/{act}").status_code for act in acts] == [403] * 5
    assert [stranger.send(f"/contacts/{contact}/{act}").status_code for act in acts] == [404] * 5
    assert stranger.client.get(f"/contacts/{contact}").status_code == 404
    assert len(way.rows("SELECT 1 FROM contacts")) == 1


def test_a_contact_of_a_business_without_a_site_is_shown(way: Way, curator: Browser) -> None:
    own = {"local_business_id": way.business_id, "owner_key": f"business:{way.business_id}"}
    contact = way.insert("contacts", kind="social", value="https://facebook.com/acme", **own)
    assert "Acme Dental" in curator.text(f"/contacts/{contact}")
    assert "no email, phone number or domain here" in curator.text(f"/contacts/{contact}/suppress")

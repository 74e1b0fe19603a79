"""The lead page: one business with contacts and their proof, its site, position and history; and what is done there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from dashboard import lead_map
from leads.lead_position import Box, Position
from tests.dashboard.browsers import Browser
from tests.dashboard.walked import HOSTILE, Way, first


@pytest.fixture
def way(db: str, curator: Browser) -> Iterator[Way]:
    made = Way(db)
    made.walk()
    yield made
    made.close()


def test_a_lead_is_shown_with_its_facts_score_site_position_and_origin(way: Way, viewer: Browser) -> None:
    way.find(verdict="valid", label="role", verdict_reasons=["role"])
    seen = viewer.text(f"/businesses/{way.business_id}")
    for fact in (
        "Acme Dental", "Dentist · Austin", "1 Main St", "+15125550100", "4.5 of 5", "7 reviews", "09:00 to 17:00",
        "of 100", "40 / 40", "acme.example", "Acme: we care", "WordPress", "30.30000° N, 97.70000° W",
        "4.8 km east of the middle", "dentists near Austin", "From sandbox: made up",
    ):  # fmt: skip
        assert fact in seen, fact
    drawing = viewer.see(f"/businesses/{way.business_id}").css_first("svg.map")
    assert drawing is not None
    assert len(drawing.css(".map-other")) == 1
    assert "1 other place" in (drawing.attributes["aria-label"] or "")


def test_a_contact_is_shown_with_its_proof_and_marked_in_the_text_around_it(way: Way, viewer: Browser) -> None:
    way.find(
        snippet=f"{HOSTILE} write to INFO@acme.example or call", verdict="valid", label="role",
        verdict_reasons=["role"], person_name="Ann Low", person_title="Owner",
    )  # fmt: skip
    way.find("old@acme.example", gone_at="2026-01-31T00:00:00Z")
    page = viewer.see(f"/businesses/{way.business_id}")
    best, gone = page.css(".contact")
    assert (first(best, ".contact-value").text(), first(best, "mark").text()) == (
        "info@acme.example", "INFO@acme.example",
    )  # fmt: skip
    told = re.sub(r"\s+", " ", best.text())
    for fact in ("best email", "valid", "role: the email is a desk's", "Ann Low", "Owner", "in the text", HOSTILE):
        assert fact in told, fact
    assert first(best, ".proof-where a").attributes["href"] == "https://acme.example/contact"
    assert "gone since" in gone.text()
    assert page.css_first(".contact script") is None


def test_hostile_facts_are_text_and_no_links(way: Way, viewer: Browser) -> None:
    bad = way.business(
        way.place(name=HOSTILE), name=HOSTILE, website="javascript:alert(1)", formatted_address=HOSTILE,
        attribution=HOSTILE, categories=[HOSTILE], opening_hours={"monday": [[HOSTILE]]},
    )  # fmt: skip
    site = way.domain(bad, title=HOSTILE, description=HOSTILE, social_profiles=["javascript:alert(2)", HOSTILE])
    way.contact(site, kind="social", value="javascript:alert(3)", note=HOSTILE)
    page = viewer.see(f"/businesses/{bad}")
    assert first(page, "h1").text() == HOSTILE
    assert all("src" in script.attributes for script in page.css("script"))
    assert not [link for link in page.css("a") if (link.attributes["href"] or "").startswith("javascript")]


def test_a_business_without_contacts_says_why(way: Way, viewer: Browser) -> None:
    way.connection.execute(
        "UPDATE work SET status = 'Error', reason = 'timeout', finished_at = now() WHERE stage = 'domain_metadata'"
    )
    way.connection.execute("DELETE FROM work WHERE stage = 'page_curation'")
    answer = first(viewer.see(f"/businesses/{way.business_id}"), ".answer").text()
    assert "No contact was found because domain_metadata ended Error: timeout" in answer
    way.find("+15125550111", kind="phone")
    assert "No email to write to" in viewer.text(f"/businesses/{way.business_id}")


def test_a_decision_is_stored_noted_queued_and_in_the_history(way: Way, curator: Browser, admin: Browser) -> None:
    path = f"/businesses/{way.business_id}"
    assert curator.send(f"{path}/decide", status="Maybe").headers["location"] == path
    assert "Decided: Maybe." in curator.text(path)
    pressed = curator.see(path).css_first('[aria-pressed="true"]')
    assert pressed is not None
    assert pressed.attributes["data-key"] == "m"
    curator.send(f"{path}/decide", status="Selected")
    (row,) = way.rows("SELECT curation_status AS status FROM local_businesses WHERE id = %s", way.business_id)
    assert row["status"] == "Selected"
    assert way.noted("local_businesses") == ["curate", "curate"]
    mine, theirs = curator.text(f"{path}/history", htmx=True), admin.text(f"{path}/history", htmx=True)
    for fact in ("Decided: Selected", "It was Maybe before", "Deep scan Completed", "1 page"):
        assert fact in mine, fact
    assert ("by" in mine.split(), "@example.org" in theirs) == (False, True)
    assert curator.send(f"{path}/decide", status="Splendid").status_code == 400


def test_a_history_tells_every_attempt_that_failed(way: Way, viewer: Browser) -> None:
    way.fail(way.read, 1, "timeout", HOSTILE)
    part = viewer.see(f"/businesses/{way.business_id}/history", htmx=True)
    assert "Attempt 1 of Domain metadata failed" in part.text()
    assert HOSTILE in part.text()
    assert part.css_first("script") is None


def test_only_what_was_corrected_is_stored(way: Way, curator: Browser, admin: Browser) -> None:
    path = f"/businesses/{way.business_id}"
    form = curator.see(f"{path}/edit")
    names = [each.attributes["value"] or "" for each in form.css('input[name="field"]')]
    before = [each.attributes["value"] or "" for each in form.css('input[name="was"]')]
    after = [{"name": "Acme Smiles", "street": ""}.get(name, was) for name, was in zip(names, before, strict=True)]
    way.connection.execute("UPDATE local_businesses SET city = 'Waco'")  # somebody else, meanwhile
    assert curator.send(f"{path}/edit", field=names, was=before, value=after).status_code == 303
    (row,) = way.rows("SELECT name, city, field_sources FROM local_businesses WHERE id = %s", way.business_id)
    assert (row["name"], row["city"], list(row["field_sources"])) == ("Acme Smiles", "Waco", ["name"])
    assert way.noted("local_businesses") == ["update"]
    assert "name: Acme Dental → Acme Smiles" in admin.text(f"{path}/history", htmx=True)
    curator.send(f"{path}/edit", field=names, was=after, value=after)
    assert "Nothing was changed." in curator.text(path)


def test_a_fact_longer_than_people_may_write_keeps_nobody_from_correcting_another(way: Way, curator: Browser) -> None:
    path, long = f"/businesses/{way.business_id}/edit", "x" * 5000
    way.connection.execute("UPDATE local_businesses SET formatted_address = %s", (long,))
    names, was = ["name", "formatted_address"], ["Acme Dental", long]
    assert curator.send(path, field=names, was=was, value=["Acme", long]).status_code == 303
    (row,) = way.rows("SELECT name, formatted_address FROM local_businesses WHERE id = %s", way.business_id)
    assert row == {"name": "Acme", "formatted_address": long}
    refused = curator.send(path, field="name", was="Acme", value="x" * 30_000)
    assert (refused.status_code, "value: " in refused.text) == (422, True)


def test_a_correction_that_is_none_is_one_sentence(way: Way, curator: Browser) -> None:
    for field, value, says in (
        (["phone"], "none", "no phone number"),
        (["tenant_id"], "x", "cannot be changed"),
        (["name", "city"], "x", "did not arrive whole"),
    ):
        answer = curator.send(f"/businesses/{way.business_id}/edit", field=field, was=[""], value=[value])
        assert (answer.status_code, says in answer.text) == (400, True), says


def test_a_contact_is_added_to_a_site_of_the_business_alone(way: Way, curator: Browser) -> None:
    path = f"/businesses/{way.business_id}"
    typed: dict[str, Any] = {"kind": "email", "value": "Ann@Acme.example", "person_name": "Ann Low"}
    assert curator.send(f"{path}/contacts", domain_id=way.domain_id, **typed).status_code == 303
    assert "ann@acme.example" in curator.text(path)
    assert "added by a person" in curator.text(path)
    assert way.noted("contacts") == ["create"]
    for refused, status in (
        ({"domain_id": way.domain()}, 409), ({"domain_id": "x"}, 422), ({}, 409),
        ({"domain_id": way.domain_id, "value": "no address"}, 400),
    ):  # fmt: skip
        assert curator.send(f"{path}/contacts", **typed | refused).status_code == status, refused


def test_suppressing_asks_first_and_keeps_the_business_from_leaving(way: Way, curator: Browser) -> None:
    path = f"/businesses/{way.business_id}"
    way.find()
    way.find("ann@elsewhere.example")
    asked = curator.see(f"{path}/suppress")
    whole = [each.attributes["value"] for each in asked.css('input[type="hidden"][name="chosen"]')]
    assert whole == ["acme.example", "+15125550100", "ann@elsewhere.example", "info@acme.example"]
    assert curator.send(f"{path}/suppress").status_code == 400
    assert way.noted("suppressions") == []
    assert curator.send(f"{path}/suppress", chosen=whole, reason="asked").status_code == 303
    seen = curator.text(path)
    assert "It is in no export, because its website is on the suppression list." in seen
    assert "suppressed" in seen
    assert curator.client.get(f"{path}/vcard").status_code == 409
    curator.send(f"{path}/unsuppress", value="acme.example")
    assert "in no export, because" not in curator.text(path)
    assert way.noted("suppressions") == ["suppress", "unsuppress"]
    assert curator.send(f"{path}/unsuppress", value="acme.example").status_code == 404


def test_a_card_holds_the_best_and_nobody_who_is_suppressed(way: Way, curator: Browser) -> None:
    way.find("best@acme.example", verdict="valid")
    way.find("second@acme.example", verdict="risky")
    path = f"/businesses/{way.business_id}"
    card = curator.client.get(f"{path}/vcard")
    assert card.headers["content-type"].startswith("text/vcard")
    assert "attachment" in card.headers["content-disposition"]
    assert ("best@acme.example" in card.text, card.text.count("BEGIN:VCARD")) == (True, 1)
    curator.send(f"{path}/suppress", chosen=["best@acme.example"])
    assert "best@acme.example" not in curator.client.get(f"{path}/vcard").text
    assert way.noted("leads") == ["export", "exported"] * 2


def test_a_viewer_sees_no_button_and_can_press_none(way: Way, viewer: Browser) -> None:
    path = f"/businesses/{way.business_id}"
    page = viewer.see(path)
    assert page.css_first("main form") is None
    assert not page.css(f'a[href^="{path}/"]')
    assert viewer.send(f"{path}/decide", status="Maybe").status_code == 403
    assert viewer.client.get(f"{path}/vcard").status_code == 403
    assert viewer.client.get(f"{path}/edit").status_code == 403


def test_what_is_not_there_or_anothers_is_not_found(way: Way, stranger: Browser, curator: Browser) -> None:
    for tail in ("", "/history", "/edit", "/suppress", "/vcard"):
        assert stranger.client.get(f"/businesses/{way.business_id}{tail}").status_code == 404
        assert curator.client.get(f"/businesses/999999{tail}").status_code == 404
    assert stranger.send(f"/businesses/{way.business_id}/decide", status="Maybe").status_code == 404
    assert [curator.client.get(f"/businesses/{odd}").status_code for odd in ("0", "x", 2**63)] == [422] * 3


@pytest.mark.parametrize(
    ("position", "inside", "words"),
    [
        (Position(1.0, 179.5, 1, "x", Box(0, 179, 2, -179), ((1.0, -179.5), (50.0, 0.0))), 1, "west of the middle"),
        (Position(1.0, 180.0, 1, "x", Box(0, 179, 2, -179)), 0, "in the middle"),
        (Position(9.0, 9.0, 1, "x", Box(0, 0, 1, 1), ((0.5, 0.5),)), 1, "north-east of the middle"),
        (Position(9.0, 9.0), 0, ""),
        (Position(-90.0, -180.0, 1, "x", Box(-90, -180, 90, 180), ((90.0, 0.0),)), 1, "south"),
    ],
    ids=["across the line of dates", "on it", "outside the box", "without a box", "the whole world"],
)
def test_every_position_can_be_drawn(position: Position, inside: int, words: str) -> None:
    drawing = lead_map.draw(position)
    assert len(drawing.others) == inside
    for x, y in (drawing.spot, *drawing.others):
        assert 0 <= x <= drawing.width
        assert 0 <= y <= drawing.height
    assert words in drawing.words

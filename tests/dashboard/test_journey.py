"""Journeys: whatever a person knows leads to the way of it, with the answer on top."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dashboard.browsers import Browser
from tests.dashboard.walked import HOSTILE, Way, first


@pytest.fixture
def way(db: str, viewer: Browser) -> Iterator[Way]:
    made = Way(db)
    made.walk()
    yield made
    made.close()


def test_whatever_is_known_of_it_leads_to_its_journey(way: Way, viewer: Browser) -> None:
    contact = way.find()
    known = {
        "info@acme.example": f"contact/{contact}", "ACME.example": f"domain/{way.domain_id}",
        "https://acme.example/contact": f"page/{way.page_id}", "acme dental": f"business/{way.business_id}",
        str(way.read): f"work/{way.read}",
    }  # fmt: skip
    for value, path in known.items():
        answer = viewer.client.get("/journey", params={"value": value})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/journey/{path}"), value


def test_a_place_leads_on_to_the_business_it_became(way: Way, viewer: Browser) -> None:
    page = viewer.see(f"/journey/place/{way.place_id}")
    assert "The business it became" in first(page, "main").text()
    assert first(page, f'main a[href="/businesses/{way.business_id}"]').text() == "Acme Dental"


def test_several_matches_are_a_choice_and_none_says_what_can_be_asked(way: Way, viewer: Browser) -> None:
    other = way.contact(value="info@acme.example")
    here = way.find()
    found = viewer.see("/journey?value=info%40acme.example")
    links = {link.attributes["href"] for link in found.css(".matches a")}
    assert links == {f"/journey/contact/{here}", f"/journey/contact/{other}"}
    assert "info@acme.example of acme.example was found" in found.text()
    nothing = viewer.see("/journey?value=%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert "Nothing is stored under “<script>alert(1)</script>”" in first(nothing, "main").text()
    assert nothing.css_first("main script") is None
    assert "What can be asked" in viewer.text("/journey")
    assert viewer.client.get("/journey", params={"value": "x" * 2001}).status_code == 422


def test_why_a_domain_has_no_contacts_is_answered_on_top(way: Way, viewer: Browser) -> None:
    ended = {"status": "Error", "reason": "timeout", "error": HOSTILE, "attempts": 2, "finished_at": "2026-01-31"}
    changes = ", ".join(f"{name} = %s" for name in ended)
    way.connection.execute(f"UPDATE work SET {changes} WHERE id = {way.read}", list(ended.values()))
    way.connection.execute("DELETE FROM work WHERE stage = 'page_curation'")
    way.connection.execute("UPDATE pages SET decision_reason = 'low-score'")
    way.fail(way.read, 1, "dns", "no address")
    way.fail(way.read, 2, "timeout", HOSTILE)
    page = viewer.see(f"/journey/domain/{way.domain_id}")
    answer = first(page, ".answer")
    assert "No contact was found because domain_metadata ended Error: timeout (the site did not answer" in answer.text()
    assert "bad" in (answer.attributes["class"] or "")
    stages = [first(step, "h3").text().strip() for step in page.css(".step")]
    assert stages == ["Began with", "Search", "Deep scan", "Domain extraction", "Domain metadata"]
    last = page.css(".hop")[-1]
    for fact in ("Attempt 1", "no address", "Attempt 2", HOSTILE, "2 attempts", "2 failures"):
        assert fact in last.text(), fact
    assert "nothing in its address promises contacts" in page.text()
    assert page.css_first("main script") is None


def test_everything_has_a_journey_that_is_its_tenants_alone(way: Way, viewer: Browser, stranger: Browser) -> None:
    ids = {
        "place": way.place_id, "business": way.business_id, "domain": way.domain_id, "page": way.page_id,
        "sitemap_file": way.sitemap_file(way.domain_id), "contact": way.find(), "work": way.read,
    }  # fmt: skip
    for kind, row_id in ids.items():
        page = viewer.see(f"/journey/{kind}/{row_id}")
        assert first(page, ".answer p").text().strip(), kind
        assert page.css_first(".way") is not None, kind
        assert stranger.client.get(f"/journey/{kind}/{row_id}").status_code == 404, kind
        assert viewer.client.get(f"/journey/{kind}/999999").status_code == 404, kind


def test_a_search_and_a_table_lead_to_where_they_are_told(way: Way, viewer: Browser) -> None:
    moved = {
        f"search/{way.search_id}": f"/searches/{way.search_id}",
        f"local_businesses/{way.business_id}": f"/journey/business/{way.business_id}",
    }
    for path, target in moved.items():
        assert viewer.client.get(f"/journey/{path}").headers["location"] == target
    assert viewer.client.get("/journey/dragons/1").status_code == 404
    assert viewer.client.get("/journey/domain/0").status_code == 422


def test_work_shows_where_it_came_from_and_what_came_of_it(way: Way, viewer: Browser) -> None:
    seen = viewer.text(f"/journey/work/{way.read}")
    for fact in ("This piece of work", "dentists", "Acme Dental", "Page curation Completed 1", "The first of it"):
        assert fact in seen, fact
    held = way.work("sitemap_analysis", way.domain_id, "Queued", due_at="9999-01-01T00:00:00Z")
    assert "held: a person has paused it" in viewer.text(f"/journey/work/{held}")


def test_many_pieces_that_went_well_are_folded_and_what_failed_is_not(way: Way, viewer: Browser) -> None:
    for _ in range(9):
        way.work("sitemap_import", way.sitemap_file(way.domain_id))
    way.work("sitemap_import", way.sitemap_file(way.domain_id), "Error", reason="timeout")
    step = viewer.see(f"/journey/domain/{way.domain_id}").css(".step")[-1]
    assert "Sitemap import" in step.text()
    folded = first(step, "details")
    assert first(folded, "summary").text() == "5 more that completed"
    assert "timeout" not in folded.text()
    assert len(step.css(".hop")) == 10


def test_who_operates_retries_and_cancels_one_piece_and_others_may_not(
    way: Way, admin: Browser, viewer: Browser, stranger: Browser
) -> None:
    failed = way.work("sitemap_analysis", way.domain_id, "Error", reason="timeout")
    path, back = f"/journey/work/{failed}", f"/journey/domain/{way.domain_id}"
    assert viewer.see(path).css_first("main form") is None
    assert viewer.send(f"/work/{failed}/retry").status_code == 403
    assert stranger.send(f"/work/{failed}/retry").status_code == 404
    assert admin.see(path).css_first(f'form[action="/work/{failed}/retry"]') is not None
    assert admin.send(f"/work/{failed}/retry", back=back).headers["location"] == back
    assert admin.send(f"/work/{failed}/cancel").headers["location"] == path
    assert admin.send(f"/work/{failed}/cancel", back="//evil.example").status_code == 409
    (row,) = way.rows("SELECT status, reason FROM work WHERE id = %s", failed)
    assert (row["status"], row["reason"]) == ("Cancelled", "cancelled")
    assert way.noted("work") == ["retry", "cancel"]
    assert admin.send(f"/work/{failed}/retry", back="//evil.example").headers["location"] == "/"

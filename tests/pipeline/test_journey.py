"""Journeys: every hop from search to page is told, for whatever a person types, and one sentence says how it ended."""

from __future__ import annotations

import pytest

from leads import journey_rows
from leads.journey import Journey, journeys
from models.work import WORK_STATUSES
from reasons import MEANINGS
from settings import settings
from tests.pipeline.journeys import EMAIL, SITE, URL, Archive, Whole

pytestmark = pytest.mark.usefixtures("product_stages")


@pytest.fixture
def archive(db: str, product_stages: None) -> Archive:
    return Archive()


def told(value: str) -> list[Journey]:
    return journeys(settings().default_tenant_id, value)


def one(value: str) -> Journey:
    (journey,) = told(value)
    return journey


def test_a_contact_is_followed_from_its_search_to_its_page(archive: Archive) -> None:
    whole = Whole(archive)
    archive.insert("failures", work_id=whole.work["domain_metadata"], attempt=1, kind="passing", reason="timeout")
    journey = one(EMAIL)
    assert [hop.stage for hop in journey.hops] == list(whole.work)
    assert [hop.work_id for hop in journey.hops] == list(whole.work.values())
    assert [(origin.kind, origin.id, origin.text) for origin in journey.origins] == [
        ("search", whole.search, "dentists near Austin, TX (google, auto)")
    ]
    (business,) = journey.businesses
    assert (business.name, business.website) == ("Acme Dental", "www.acme.example")
    (page,) = journey.pages
    assert (page.url, page.decision_reason, page.meaning) == (URL, "chosen", MEANINGS["chosen"])
    assert page.sitemaps == (f"robots_txt https://{SITE}/sitemap.xml",)
    (contact,) = journey.contacts
    assert [(seen.url, seen.method, seen.snippet) for seen in contact.sightings] == [(URL, "text", f"Write to {EMAIL}")]
    visit = next(hop for hop in journey.hops if hop.stage == "domain_metadata")
    assert (visit.status, visit.attempts, visit.seconds, visit.name) == ("Completed", 1, 2.0, SITE)
    assert [(trouble.reason, trouble.meaning) for trouble in visit.troubles] == [("timeout", MEANINGS["timeout"])]
    assert journey.answer == f"{EMAIL} of {SITE} was found at {URL} by text; it is valid (role)."


def test_every_search_that_found_it_is_named_though_one_began_the_work(archive: Archive) -> None:
    whole = Whole(archive)
    again = archive.search("orthodontists")
    archive.insert("search_places", search_id=again, place_id=whole.place, rank=1)
    journey = one(SITE)
    assert [origin.id for origin in journey.origins] == [whole.search, again]
    assert [hop.work_id for hop in journey.hops if hop.stage == "search"] == [whole.work["search"]]


def test_work_that_a_person_selected_has_no_parent_and_is_told_all_the_same(archive: Archive) -> None:
    whole = Whole(archive)
    archive.execute("UPDATE work SET parent_id = NULL WHERE stage NOT IN ('search_area', 'sitemap_import')")
    stages = [hop.stage for hop in one(EMAIL).hops]
    assert stages == [stage for stage in whole.work if stage not in ("search", "search_area")]


def test_a_list_is_the_origin_of_what_no_search_found(archive: Archive) -> None:
    domain = archive.domain()
    batch = archive.insert("batches", kind="domain", name="mine.csv")
    item = {"row_number": 7, "result": "added", "stage": "domain_metadata", "entity_id": domain}
    archive.insert("batch_items", batch_id=batch, raw=SITE, **item)
    archive.work("domain_metadata", domain, "Error", reason="dns")
    journey = one(SITE)
    assert [(origin.kind, origin.id, origin.text) for origin in journey.origins] == [
        ("import", batch, "mine.csv, row 7")
    ]
    assert journey.answer == f"No contact was found because domain_metadata ended Error: dns ({MEANINGS['dns']})."


def test_more_addresses_are_counted_than_shown(archive: Archive) -> None:
    whole = Whole(archive)
    for at in range(9):
        archive.insert("sightings", contact_id=whole.contact, url=f"{URL}/{at}", method="text")
    journey = one(EMAIL)
    assert len(journey.contacts[0].sightings) < 10
    assert f"was found at {URL} by text and at 9 further addresses;" in journey.answer


@pytest.mark.parametrize(
    "value",
    ["+1 512 555 0100", "(512) 555-0100", "512.555.0100", "001 512 5550100", "+15125550100", "5125550100"],
)
def test_a_phone_is_found_in_any_spelling(archive: Archive, value: str) -> None:
    domain = archive.domain()
    archive.contact(domain, kind="phone", value="+15125550100")
    assert one(value).name == "+15125550100"


def test_a_german_number_needs_no_country(archive: Archive) -> None:
    archive.contact(archive.domain(), kind="phone", value="+493012345678")
    assert one("030 / 1234 5678").name == "+493012345678"


@pytest.mark.parametrize(
    ("value", "subject", "name"),
    [
        (EMAIL.upper(), "contact", EMAIL),
        (f"mailto:{EMAIL}", "contact", EMAIL),
        (" acme.example ", "domain", SITE),
        ("https://www.ACME.example/?utm_source=x", "domain", SITE),
        (URL, "page", URL),
        ("www.acme.example/contact", "page", URL),
        ("https://acme.example/unknown", "domain", SITE),
        ("acme dental", "business", "Acme Dental"),
        ("cme Dent", "business", "Acme Dental"),
        ("+1 512 555 0100", "business", "Acme Dental"),
    ],
)
def test_whatever_is_typed_is_read(archive: Archive, value: str, subject: str, name: str) -> None:
    Whole(archive)
    journey = one(value)
    assert (journey.subject, journey.name) == (subject, name)


@pytest.mark.parametrize("typed", ["https://www.facebook.com/acme", "m.facebook.com/Acme/?ref=x", "facebook.com/acme"])
def test_a_profile_is_found_by_any_link_to_it(archive: Archive, typed: str) -> None:
    archive.contact(archive.domain(), kind="social", value="https://www.facebook.com/acme")
    assert one(typed).contacts[0].kind == "social"


def test_a_persons_name_finds_the_person(archive: Archive) -> None:
    archive.contact(archive.domain(), kind="person", value="Ada Lovelace", person_title="Dentist")
    assert one("Ada Lovelace").subject == "contact"


def test_the_id_of_work_tells_its_way(archive: Archive) -> None:
    whole = Whole(archive)
    archive.execute("UPDATE work SET reason = 'no-contact' WHERE stage = 'page_curation'")
    journey = one(str(whole.work["page_curation"]))
    assert [hop.stage for hop in journey.hops] == list(whole.work)
    assert journey.answer.startswith(f"page_curation ended Completed for work {whole.work['page_curation']} ({URL}): ")


def test_one_value_of_several_owners_is_several_journeys(archive: Archive) -> None:
    for name in (SITE, "other.example"):
        archive.contact(archive.domain(name=name), value="shared@agency.example")
    assert [journey.contacts[0].owner for journey in told("shared@agency.example")] == [SITE, "other.example"]


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "nobody@acme.example",
        "nobody.example",
        "12345",
        "9" * 30,
        "%",
        "a\x00b",
        "\udcff",
        "[x]://",
        "'; --",
        "x" * 9999,
    ],
)
def test_what_is_not_known_is_nothing(archive: Archive, value: str) -> None:
    Whole(archive)
    assert told(value) == []


def test_another_tenants_rows_are_not_found(archive: Archive) -> None:
    Whole(archive)
    archive.execute("INSERT INTO tenants (id, name) VALUES (gen_random_uuid(), 'other') ON CONFLICT DO NOTHING")
    (other,) = journey_rows.rows("SELECT id FROM tenants WHERE name = 'other'", {})[:1]
    for value in (EMAIL, SITE, URL, "Acme Dental"):
        assert journeys(other["id"], value) == []
    assert told(EMAIL)


def test_a_moved_domain_names_the_one_that_carries_on(archive: Archive) -> None:
    business = archive.business(archive.place(archive.search()))
    new = archive.domain(business, name="new.example")
    old = archive.domain(business, redirects_to_id=new)
    moved = archive.work("domain_metadata", old, "Filtered", reason="redirected")
    archive.work("domain_metadata", new, parent_id=moved)
    archive.contact(new, value="info@new.example", url="https://new.example/")
    assert "has moved to new.example, which carries on" in one(SITE).answer
    journey = one("new.example")
    assert journey.sites[0].redirected_from == (SITE,)
    assert [hop.name for hop in journey.hops] == [SITE, "new.example"]
    assert journey.answer == "1 email was found on 1 page."
    assert one("Acme Dental").answer == "1 email was found on 1 page."


def test_a_business_without_a_site_says_why(archive: Archive) -> None:
    business = archive.business(archive.place(archive.search()))
    assert "waits for your decision" in one("Acme Dental").answer
    archive.work("domain_extraction", business, "Filtered", reason="no-website")
    expected = f"domain_extraction ended Filtered for Acme Dental: no-website ({MEANINGS['no-website']})."
    assert one("Acme Dental").answer == expected


@pytest.mark.parametrize("value", ["shut.example", "Shut Dental", "http://www.shut.example/contact"])
def test_a_place_that_was_filtered_at_once_says_why(archive: Archive, value: str) -> None:
    place = archive.place(archive.search(), name="Shut Dental")
    archive.execute("UPDATE places SET website = 'http://www.shut.example/?x=1' WHERE id = %s", place)
    archive.work("deep_scan", place, "Filtered", reason="closed")
    journey = one(value)
    assert journey.answer == f"deep_scan ended Filtered for Shut Dental: closed ({MEANINGS['closed']})."
    assert len(journey.origins) == 1


def test_a_page_that_was_not_visited_says_why(archive: Archive) -> None:
    archive.page(archive.domain(), decision="over-budget")
    assert one(URL).answer == f"{URL} was not visited: over-budget ({MEANINGS['over-budget']})."


def test_a_loop_in_the_lineage_ends(archive: Archive) -> None:
    whole = Whole(archive)
    archive.execute("UPDATE work SET parent_id = %s WHERE stage = 'search'", whole.work["page_curation"])
    assert len(one(EMAIL).hops) == len(whole.work)


@pytest.mark.parametrize("status", WORK_STATUSES)
def test_work_in_every_status_has_an_answer(archive: Archive, status: str) -> None:
    domain = archive.domain()
    archive.work("domain_metadata", domain, status)
    assert one(SITE).answer.endswith(".")

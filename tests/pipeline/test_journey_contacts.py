"""What a run has stored, and what became of the places where something was missed."""

from __future__ import annotations

import pytest

from leads.journey_contacts import StoredContact, fates, stored
from settings import settings
from tests.pipeline.journeys import EMAIL, SITE, URL, Archive, Whole


@pytest.fixture
def archive(db: str, product_stages: None) -> Archive:
    return Archive()


def ours() -> list[StoredContact]:
    return stored(settings().default_tenant_id)


def fate(archive: Archive, *pages: str) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    return fates(settings().default_tenant_id, {SITE: pages})


def test_contacts_are_given_with_their_owner_and_where_they_were_seen(archive: Archive) -> None:
    whole = Whole(archive)
    again = {"url": f"https://{SITE}/", "method": "mailto"}
    archive.insert("sightings", contact_id=whole.contact, **again)
    assert ours() == [StoredContact(SITE, "email", EMAIL, ("mailto", "text"), (f"https://{SITE}/", URL))]


@pytest.mark.parametrize("prefix", ["", "id:"])
def test_a_business_without_a_domain_owns_by_the_id_that_provider_or_list_gives(archive: Archive, prefix: str) -> None:
    business = archive.business(archive.place())
    archive.execute("UPDATE places SET provider_place_id = %s || provider_place_id", prefix)
    own = {"local_business_id": business, "owner_key": f"business:{business}"}
    archive.insert("contacts", kind="social", value="https://www.facebook.com/acme", **own)
    assert [contact.owner for contact in ours()] == ["id of Acme Dental"]
    archive.work("domain_extraction", business, "Filtered", reason="shared-host")
    known = fates(settings().default_tenant_id, {"id of Acme Dental": [""]})
    assert known == {("id of Acme Dental", ""): ("Filtered", "shared-host")}


def test_what_is_gone_is_left_out(archive: Archive) -> None:
    whole = Whole(archive)
    archive.execute("UPDATE sightings SET gone_at = now()")
    assert [contact.methods for contact in ours()] == [()]
    archive.execute("UPDATE contacts SET gone_at = now() WHERE id = %s", whole.contact)
    assert ours() == []


def test_a_page_has_the_fate_of_its_work_or_of_the_decision(archive: Archive) -> None:
    domain = archive.domain()
    archive.work("domain_metadata", domain)
    archive.work("page_curation", archive.page(domain, url=f"http://www.{SITE}/team"), "Filtered", reason="saturated")
    archive.page(domain, decision="over-budget")
    archive.page(domain, url=f"https://{SITE}/", decision="homepage-read")
    assert fate(archive, "/", "/team", "/contact", "/nowhere") == {
        (SITE, ""): ("Completed", None),
        (SITE, "/"): ("Completed", None),
        (SITE, "/team"): ("Filtered", "saturated"),
        (SITE, "/contact"): (None, "over-budget"),
    }


def test_a_domain_has_the_fate_of_the_stage_that_did_not_complete(archive: Archive) -> None:
    domain = archive.domain()
    assert fate(archive)[SITE, ""] == (None, None)
    archive.work("domain_metadata", domain)
    archive.work("sitemap_analysis", domain, "Error", reason="blocked")
    archive.work("page_ranking", domain, "Queued", reason="sitemaps-open")
    assert fate(archive) == {(SITE, ""): ("Error", "blocked"), (SITE, "/"): ("Completed", None)}

"""Leads on real rows: one for each business, its best contacts, a reason for each blank, nothing suppressed."""

from __future__ import annotations

from typing import Any

import pytest

from errors import BadInput
from leads import leads
from leads.lead_suppression import Withheld
from leads.lead_where import LEAD_FIELDS, read
from leads.leads import Wanted
from services.lead_row import Lead, Site
from tests.pipeline.lead_world import LeadWorld


@pytest.fixture
def world(db: str) -> LeadWorld:
    return LeadWorld()


def exported(world: LeadWorld, *where: str, **wishes: Any) -> list[Lead]:
    wanted = Wanted(world.tenant, read(where, LEAD_FIELDS), **wishes)
    return list(leads.leads(wanted, Withheld(world.tenant)))


def one(world: LeadWorld, *where: str, **wishes: Any) -> Lead:
    (lead,) = exported(world, *where, **wishes)
    return lead


def emails_of(lead: Lead) -> tuple[str | None, tuple[str, ...]]:
    return lead.email.value if lead.email else None, lead.further_emails


def test_a_lead_is_a_business_with_all_that_is_known(world: LeadWorld) -> None:
    site = world.domain(
        title="Anna's", language="en", technologies=["WordPress"], is_wordpress=True, booking_tools=["Calendly"],
        analytics=["Google Analytics"], fetched_at="2026-01-01",
    )  # fmt: skip
    business = world.business(
        at=site, street="1 Main St", region="TX", postal_code="78701", main_category="bakery", phone="+15125550100",
        website="https://www.anna.example/", rating="4.5", review_count=40,
    )  # fmt: skip
    world.contact(site, page_kind="contact", verdict="valid", person_name="Anna Low", person_title="Owner")
    world.contact(site, "anna@gmail.com", label="free-mail")
    world.contact(site, "+15125550101", "phone")
    world.contact(site, "https://x.com/anna", "social", label="x")
    world.contact(site, "Anna Low", "person", person_title="Owner")
    search = world.search("bakeries", business)
    lead = one(world)
    assert emails_of(lead) == ("info@anna.example", ("anna@gmail.com",))
    assert lead.email is not None
    assert (lead.email.verdict, lead.email.page_kind, lead.email.source_url) == (
        "valid", "contact", "https://anna.example/contact",
    )  # fmt: skip
    assert (lead.phone, lead.further_phones) == ("+15125550101", ("+15125550100",))
    assert (lead.socials, lead.people) == ({"x": "https://x.com/anna"}, ("Anna Low (Owner)",))
    assert (lead.site.title, lead.site.technologies, lead.site.booking_tools) == (
        "Anna's",
        ("WordPress",),
        ("Calendly",),
    )
    assert (lead.business.domain, lead.business.postal_code, lead.rating) == ("anna.example", "78701", 4.5)
    assert lead.searches == (f"{search}: bakeries, Austin, TX",)
    assert lead.business.attribution == "© OpenStreetMap contributors"
    assert lead.blank_reason is None
    assert lead.score == 34 + 6 + 15 + 5 + 10 + 5 + 5 + 10


def test_businesses_that_share_a_domain_each_have_their_row(world: LeadWorld) -> None:
    site = world.domain()
    north = world.business("North", at=site, phone="+15125550101")
    south = world.business("South", at=site, phone="+15125550102")
    world.contact(site)
    world.contact(site, "+15125550199", "phone")
    found = {lead.business.id: (emails_of(lead)[0], lead.phone) for lead in exported(world)}
    assert found == {north: ("info@anna.example", "+15125550101"), south: ("info@anna.example", "+15125550102")}


def test_a_domain_that_moved_gives_the_contacts_of_where_it_went(world: LeadWorld) -> None:
    target = world.domain("anna-bakery.example", title="New")
    old = world.domain("anna.example", title="Old", redirects_to_id=target)
    business = world.business(at=old)
    world.link(business, target)
    world.contact(target, "info@anna-bakery.example")
    lead = one(world)
    assert (lead.business.domain, lead.site.title) == ("anna-bakery.example", "New")
    assert emails_of(lead)[0] == "info@anna-bakery.example"


def test_a_profile_of_a_business_without_a_domain_is_its_own(world: LeadWorld) -> None:
    business = world.business()
    world.contact(None, "https://www.facebook.com/anna", "social", business=business, label="facebook")
    assert one(world).socials == {"facebook": "https://www.facebook.com/anna"}


def test_what_a_person_turned_down_and_what_is_gone_stays_at_home(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    world.business("No", curation_status="Not a Fit")
    world.business("Old", curation_status="Archived")
    world.business("Shut", business_status="closed-permanently")
    world.contact(site, "no@anna.example", curation_status="Not a Fit")
    world.contact(site, "gone@anna.example", gone_at="2026-01-01")
    world.contact(site, "bad@anna.example", verdict="invalid")
    lead = one(world)
    assert (emails_of(lead), lead.blank_reason) == ((None, ()), "only-invalid")
    assert emails_of(one(world, with_gone=True)) == ("gone@anna.example", ())
    world.execute("UPDATE domains SET curation_status = 'Archived', title = 'Ours', fetched_at = now()")
    lead = one(world, with_gone=True)
    assert (emails_of(lead), lead.site, lead.blank_reason) == ((None, ()), Site(), "turned-down")


def test_a_lead_whose_addresses_were_turned_down_does_not_say_that_there_were_none(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    world.work("page_curation", world.page(site, "https://anna.example/contact"), "Completed")
    assert one(world).blank_reason == "no-email"
    world.contact(site, curation_status="Archived")
    assert one(world).blank_reason == "turned-down"


def test_who_prefers_people_gets_the_person(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    world.contact(site)
    world.contact(site, "anna@anna.example", label="personal")
    assert emails_of(one(world))[0] == "info@anna.example"
    assert emails_of(one(world, prefer="personal"))[0] == "anna@anna.example"


def test_the_proof_is_on_the_page_that_promises_most_and_still_shows_it(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    contact = world.contact(site, url="https://anna.example/blog/1", page_kind="blog")
    for url, kind, gone in (("/imprint", "legal", None), ("/contact", "contact", "2026-01-01")):
        page = world.page(site, f"https://anna.example{url}", kind)
        given = {"contact_id": contact, "page_id": page, "url": f"https://anna.example{url}", "method": "text"}
        world.insert("sightings", **given, gone_at=gone)
    email = one(world).email
    assert email is not None
    assert (email.source_url, email.page_kind, email.sightings) == ("https://anna.example/imprint", "legal", 2)


def test_every_blank_email_has_a_reason(world: LeadWorld) -> None:
    nothing = world.business("Nothing")
    no_site = world.business("No site")
    world.work("domain_extraction", no_site, "Filtered", "no-website")
    sites = {name: world.domain(f"{name}.example") for name in ("denied", "waits", "failed", "empty", "lists")}
    ids = {name: world.business(name, at=site) for name, site in sites.items()}
    for site in sites.values():
        world.work("domain_metadata", site, "Completed")
    denied = "UPDATE work SET status = 'Filtered', reason = 'robots-denied' WHERE entity_id = %s AND stage = %s"
    world.execute(denied, sites["denied"], "domain_metadata")
    for name, status, reason in (
        ("waits", "Queued", None),
        ("failed", "Error", "timeout"),
        ("empty", "Completed", None),
    ):
        page = world.page(sites[name], f"https://{name}.example/contact")
        world.work("page_curation", page, status, reason)
    sitemap = world.insert(
        "sitemap_files", domain_id=sites["lists"], url="https://lists.example/s.xml", kind="standard",
        method="robots_txt", host="lists.example",
    )  # fmt: skip
    world.work("sitemap_import", sitemap, "Processing")
    assert {lead.business.id: lead.blank_reason for lead in exported(world)} == {
        nothing: "not-started",
        no_site: "no-website",
        ids["denied"]: "robots-denied",
        ids["waits"]: "in-progress",
        ids["failed"]: "timeout",
        ids["empty"]: "no-email",
        ids["lists"]: "in-progress",
    }


def test_nothing_suppressed_is_in_a_lead(world: LeadWorld) -> None:
    site = world.domain(title="Write to anna@anna.example")
    world.business(at=site, phone="+15125550100")
    world.contact(site, "anna@anna.example", person_name="Anna Low", label="personal")
    world.contact(site, "info@anna.example", confidence=0.1, person_name="Anna Low", person_title="Owner")
    world.contact(site, "https://x.com/annalow", "social", label="x", person_name="Anna Low")
    world.contact(site, "+15125550101", "phone")
    world.contact(site, "Anna Low", "person")
    world.contact(site, "Bert Low", "person")
    world.suppress("Anna@Anna.example", "+1 512 555 0100", "+15125550101")
    lead = one(world)
    assert emails_of(lead) == ("info@anna.example", ())
    assert (lead.phone, lead.further_phones, lead.people) == (None, (), ("Bert Low",))
    assert (lead.site.title, lead.socials) == (None, {})
    assert lead.email is not None
    assert (lead.email.person_name, lead.email.person_title) == (None, None)


def test_what_is_suppressed_and_found_again_stays_out(world: LeadWorld) -> None:
    site = world.domain()
    world.business(at=site)
    world.suppress("info@anna.example")
    world.contact(site)
    assert (one(world).email, one(world).blank_reason) == (None, "suppressed")
    world.execute("DELETE FROM contacts")
    world.contact(site)
    assert one(world).email is None


def test_a_business_at_a_suppressed_domain_leaves_altogether(world: LeadWorld) -> None:
    world.business("Linked", at=world.domain())
    world.business("Named only", website="https://www.bella.example/menu")
    kept = world.business("Kept", website="https://carla.example")
    world.suppress("anna.example", "bella.example")
    withheld = Withheld(world.tenant)
    assert [lead.business.id for lead in leads.leads(Wanted(world.tenant), withheld)] == [kept]
    assert withheld.many == 2


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("city=AUSTIN", ["Anna", "Bert"]),
        ("city!=austin", ["Carla"]),
        ("name~ER", ["Bert"]),
        ("name~%", []),
        ("rating>=4.5", ["Anna"]),
        ("reviews<=10", ["Bert"]),
        ("id>=1", ["Anna", "Bert", "Carla"]),
        ("domain=anna.example", ["Anna"]),
        ("domain!=anna.example", ["Bert", "Carla"]),
        ("technology=wordpress", ["Anna"]),
        ("technology=Google Analytics", ["Anna"]),
        ("language=en", ["Anna"]),
        ("provider=openstreetmap", ["Anna", "Bert", "Carla"]),
        ("curation=selected", ["Bert"]),
        ("curation!=Selected", ["Anna", "Carla"]),
        ("first_seen>=2020-01-01", ["Anna", "Bert", "Carla"]),
        ("first_seen<=2020-01-01", []),
        ("has=email", ["Anna"]),
        ("has!=email", ["Bert", "Carla"]),
        ("has=phone", ["Bert"]),
        ("verdict=valid", ["Anna"]),
        ("label=role", ["Anna"]),
        ("email~@anna", ["Anna"]),
        ("score>=30", ["Anna"]),
        ("reason=not-started", ["Bert", "Carla"]),
        ("city=' OR 'a'='a", []),
    ],
)
def test_conditions_choose_leads(world: LeadWorld, where: str, names: list[str]) -> None:
    site = world.domain(language="en", technologies=["WordPress"], analytics=["Google Analytics"])
    world.business("Anna", at=site, rating="4.6")
    world.business("Bert", review_count=3, rating="4.4", curation_status="Selected", phone="+15125550100")
    world.business("Carla", city=None)
    world.contact(site, verdict="valid")
    assert [lead.business.name for lead in exported(world, where)] == names


def test_conditions_are_joined_and_searches_are_a_condition(world: LeadWorld) -> None:
    anna, bert = world.business("Anna"), world.business("Bert")
    world.business("Carla")
    search = world.search("bakeries", anna, bert)
    assert [lead.business.name for lead in exported(world, f"search={search}")] == ["Anna", "Bert"]
    assert [lead.business.name for lead in exported(world, f"search={search}", "name=bert")] == ["Bert"]
    assert exported(world, f"search={search + 1}") == []


def test_a_field_that_does_not_exist_is_explained() -> None:
    with pytest.raises(BadInput, match=r"There is no field 'sity'. Did you mean city"):
        read(["sity=Austin"], LEAD_FIELDS)


def test_another_tenants_rows_stay_with_it(world: LeadWorld) -> None:
    world.business()
    world.execute("INSERT INTO tenants (name) VALUES ('other')")
    world.execute("UPDATE local_businesses SET tenant_id = (SELECT id FROM tenants WHERE name = 'other' LIMIT 1)")
    assert exported(world) == []
    world.execute("DELETE FROM local_businesses; DELETE FROM places; DELETE FROM tenants WHERE name = 'other'")

"""Journey: the way of a contact, a page, a domain, a business or a piece of work, from the search that began it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from leads import journey_answer, journey_rows, journey_site
from leads.journey_facts import Contact, Journey, Site, Trail
from leads.journey_find import Subject, find
from leads.journey_rows import only
from pipeline.controls import paused_stages
from pipeline.stage import all_stages

__all__ = ["Journey", "journey_of", "journeys"]


def journeys(tenant_id: UUID, value: str) -> list[Journey]:
    """Tell the journeys of all that a value names: an email, phone, link, domain, name or id of work."""
    return [journey_of(tenant_id, subject) for subject in find(tenant_id, value)]


def journey_of(tenant_id: UUID, subject: Subject) -> Journey:
    """Tell the journey of one stored thing."""
    return TELLERS[subject.kind](tenant_id, subject.id)


def _of_contact(tenant_id: UUID, contact_id: int) -> Journey:
    contact = only(journey_site.contacts_of(tenant_id, "id", [contact_id]), "contact", contact_id)
    trail = Trail(tenant_id)
    trail.add("contacts", contact.id)
    trail.add("domains", contact.domain_id)
    trail.add("local_businesses", contact.local_business_id)
    _add_pages(trail, (contact,))
    told = _told(Journey("contact", contact.value, contacts=(contact,)), trail)
    return replace(told, answer=journey_answer.of_contact(contact))


def _of_page(tenant_id: UUID, page_id: int) -> Journey:
    trail = Trail(tenant_id)
    trail.add("pages", page_id)
    page = only(journey_rows.pages(trail), "page", page_id)
    trail.add("domains", journey_rows.domain_of(tenant_id, "pages", page_id))
    shown = journey_site.contacts_seen_on(tenant_id, [page_id])
    told = _told(Journey("page", page.url, contacts=shown), trail)
    own = [hop for hop in told.hops if hop.stage in journey_rows.stages_on("pages")]
    return replace(told, answer=journey_answer.of_page(page, shown, own))


def _of_domain(tenant_id: UUID, domain_id: int) -> Journey:
    trail = Trail(tenant_id)
    trail.add("domains", domain_id)
    site = only(journey_site.sites(tenant_id, [domain_id]), "domain", domain_id)
    contacts = journey_site.contacts_of(tenant_id, "domain_id", [domain_id])
    journey_rows.add_sitemaps(trail)
    _add_pages(trail, contacts)
    made = Journey("domain", site.name, sites=(site,), contacts=contacts)
    return replace(_told(made, trail), answer=_answer_of(site))


def _of_sitemap_file(tenant_id: UUID, sitemap_file_id: int) -> Journey:
    trail = Trail(tenant_id)
    trail.add("sitemap_files", sitemap_file_id)
    trail.add("domains", journey_rows.domain_of(tenant_id, "sitemap_files", sitemap_file_id))
    name = journey_rows.name_of(tenant_id, "sitemap_files", sitemap_file_id)
    return _told_of_work(Journey("sitemap_file", name), trail)


def _add_pages(trail: Trail, contacts: tuple[Contact, ...]) -> None:
    """Put the first pages on the way that show a contact."""
    ids = dict.fromkeys(seen.page_id for contact in contacts for seen in contact.sightings)
    trail.add("pages", *list(ids)[: journey_rows.MOST_PAGES])


def _of_business(tenant_id: UUID, business_id: int) -> Journey:
    trail = Trail(tenant_id)
    trail.add("local_businesses", business_id)
    business = only(journey_rows.businesses_by_id(tenant_id, [business_id]), "local business", business_id)
    domain_ids = journey_rows.domains_of(tenant_id, business_id)
    trail.add("domains", *domain_ids)
    sites = journey_site.sites(tenant_id, domain_ids)
    own = journey_site.contacts_of(tenant_id, "local_business_id", [business_id])
    contacts = own + journey_site.contacts_of(tenant_id, "domain_id", domain_ids)
    _add_pages(trail, contacts)
    name = business.name or f"business {business_id}"
    told = _told(Journey("business", name, businesses=(business,), sites=sites, contacts=contacts), trail)
    return replace(told, answer=_answer_of_business(told, own))


def _answer_of_business(told: Journey, own: tuple[Contact, ...]) -> str:
    answers = [_answer_of(site) for site in told.sites]
    if answers:
        return answers[-1]  # where the others lead to
    if own:
        return journey_answer.of_contact(own[0])
    tables = ("places", "local_businesses")
    hops = [
        hop for hop in told.hops if hop.stage in {name for table in tables for name in journey_rows.stages_on(table)}
    ]
    return journey_answer.of_hops(hops, told.name)


def _of_place(tenant_id: UUID, place_id: int) -> Journey:
    trail = Trail(tenant_id)
    trail.add("places", place_id)
    told = _told_of_work(Journey("place", journey_rows.name_of(tenant_id, "places", place_id)), trail)
    return replace(told, businesses=journey_rows.businesses_of(tenant_id, place_id))


def _told_of_work(made: Journey, trail: Trail) -> Journey:
    """Tell a journey that is answered by how the work on its first entity stands."""
    table = next(iter(trail.ids))
    told = _told(made, trail)
    own = [hop for hop in told.hops if hop.stage in journey_rows.stages_on(table) and hop.entity_id in trail.of(table)]
    return replace(told, answer=journey_answer.of_hops(own, told.name))


def _of_work(tenant_id: UUID, work_id: int) -> Journey:
    hops = journey_rows.hops_to(tenant_id, work_id)
    own = [hop for hop in hops if hop.work_id == work_id]
    only(own, "work", work_id)
    name = f"work {work_id}" + (f" ({own[0].name})" if own[0].name else "")
    return Journey("work", name, hops=hops, answer=journey_answer.of_hops(own, name))


def _told(made: Journey, trail: Trail) -> Journey:
    """Add the businesses, the pages with their sitemaps, the origins and every hop."""
    businesses = made.businesses or journey_rows.businesses(trail)
    trail.add("local_businesses", *(business.id for business in businesses))
    trail.add("places", *(business.place_id for business in businesses))
    pages = journey_rows.pages(trail)
    origins, hops = journey_rows.origins(trail), journey_rows.hops(trail)
    return replace(made, businesses=businesses, pages=pages, origins=origins, hops=hops)


def _answer_of(site: Site) -> str:
    return journey_answer.of_site(site, {stage.name: stage.table for stage in all_stages()}, paused_stages())


TELLERS: dict[str, Callable[[UUID, int], Journey]] = {
    "contact": _of_contact,
    "page": _of_page,
    "domain": _of_domain,
    "business": _of_business,
    "place": _of_place,
    "sitemap_file": _of_sitemap_file,
    "work": _of_work,
}

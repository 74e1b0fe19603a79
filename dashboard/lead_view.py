"""Lead view: what the page of a business shows, put together from what the rooms know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from dashboard import lead_map
from entities import listing
from entities.catalog import CONTACTS, DOMAINS, LOCAL_BUSINESSES, PAGES, PLACES, SITEMAP_FILES
from leads import journey, journey_rows, lead_position, leads, proof
from leads.journey_facts import Trail
from leads.journey_find import Subject
from leads.lead_where import NEVER_EXPORTED

Row = dict[str, Any]

MOST_CONTACTS, MOST_SITES, MOST_COUNTED = 200, 10, 10_000
KINDS = ("email", "phone", "social", "person")
VERDICTS = ("valid", None, "unknown", "risky", "invalid")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CLOSED = "closed-permanently"


def business_of(tenant_id: UUID, business_id: int) -> Row:
    """Give a business of the tenant's, or say that there is none."""
    return listing.one(LOCAL_BUSINESSES, tenant_id, business_id)


def page_of(tenant_id: UUID, business_id: int) -> Row:
    """Gather what the page of a business shows at once."""
    business = business_of(tenant_id, business_id)
    lead = leads.one(tenant_id, business_id)
    best = {lead.email.value if lead.email else None, lead.phone} if lead else set()
    contacts = contacts_of(tenant_id, business_id, best)
    position = lead_position.position(tenant_id, business)
    return {
        "business": business,
        "place": listing.one(PLACES, tenant_id, business["place_id"]),
        "lead": lead,
        "kept_back": None if lead else kept_back(business),
        "why_no_email": leads.blank_meaning(lead.blank_reason) if lead else "",
        "best": best,
        "contacts": contacts,
        "proofs": proof.of_contacts(contacts),
        "sites": sites_of(tenant_id, business_id),
        "origins": origins_of(tenant_id, business),
        "drawing": lead_map.draw(position) if position else None,
        "hours": hours_of(business["opening_hours"]),
        "answer": None if contacts else journey.journey_of(tenant_id, Subject("business", business_id)).answer,
    }


def contacts_of(tenant_id: UUID, business_id: int, best: set[str | None]) -> list[Row]:
    """Give the contacts of a business and of its sites, the most useful of each kind first."""
    ids = proof.contacts_of(tenant_id, business_id, MOST_CONTACTS)
    return sorted(listing.some(CONTACTS, tenant_id, ids) if ids else [], key=lambda row: _rank(row, best))


def _rank(row: Mapping[str, Any], best: set[str | None]) -> tuple[object, ...]:
    return (
        KINDS.index(row["kind"]),
        row["gone_at"] is not None,
        row["is_suppressed"],
        row["value"] not in best,
        VERDICTS.index(row["verdict"]),
        -float(row["confidence"]),
        row["value"],
    )


def sites_of(tenant_id: UUID, business_id: int) -> list[Row]:
    """Give the domains of a business with what their homepages say, where they lead to first."""
    ids = journey_rows.domains_of(tenant_id, business_id)[-MOST_SITES:]
    found = listing.some(DOMAINS, tenant_id, ids) if ids else []
    return sorted(found, key=lambda site: site["redirects_to_id"] is not None)


def origins_of(tenant_id: UUID, business: Row) -> Sequence[object]:
    """Give the searches that found a business, or the lists that brought it."""
    trail = Trail(tenant_id)
    trail.add("places", business["place_id"])
    trail.add("local_businesses", business["id"])
    return journey_rows.origins(trail)


def counts_of(tenant_id: UUID, business_id: int) -> dict[str, tuple[int, bool]]:
    """Count the sitemaps and pages of a business's sites; True where there are more than are counted."""
    where = [f"business={business_id}"]
    found = {
        entity.name: listing.count_up_to(entity, tenant_id, where, MOST_COUNTED) for entity in (SITEMAP_FILES, PAGES)
    }
    return {name: (many, many >= MOST_COUNTED) for name, many in found.items()}


def hours_of(opening: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Write opening hours, Monday first; a day without hours is closed, and no day at all means nobody knows."""
    if not isinstance(opening, dict) or not opening:
        return []
    return [(day, [" to ".join(map(str, span)) for span in opening.get(day) or ()]) for day in WEEKDAYS]


def kept_back(business: Mapping[str, Any]) -> str:
    """Say why a business is in no export."""
    if business["curation_status"] in NEVER_EXPORTED:
        return f"It is in no export, because somebody decided that it is {business['curation_status']}."
    if business["business_status"] == CLOSED:
        return "It is in no export, because it is closed for good."
    return "It is in no export, because its website is on the suppression list."

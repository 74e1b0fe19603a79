"""Lead: one business with its site, contacts, proof and history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from api.contract import Id
from api.export_file import export_file
from dashboard import lead_history, lead_suppress, lead_view
from dashboard.lead_corrections import Corrections
from dashboard.lead_suppress import Ticked
from dashboard.page import go, show, show_part
from dashboard.typed import Word
from dashboard.visitor import Curator, Exporter, Reader
from entities import contact, curate
from entities.catalog import LOCAL_BUSINESSES
from entities.change import change, changeable
from entities.chosen import Chosen
from errors import Conflict
from leads import journey_rows, leads
from leads.contacts import KINDS
from leads.exports import Order
from leads.journey import journey_of
from leads.journey_find import Subject
from leads.proof import verdict_meaning

router = APIRouter()

# What the machine did for a business, before there were pages.
TABLES = ("places", "local_businesses", "domains")


def path_of(business_id: int) -> str:
    """Give the address of a business's page."""
    return f"/businesses/{business_id}"


@router.get("/businesses/{business_id}")
def lead_page(request: Request, visitor: Reader, business_id: Id) -> HTMLResponse:
    """Show one business with everything that makes it a lead."""
    return show(
        request,
        visitor,
        "lead/lead.html",
        **lead_view.page_of(visitor.tenant_id, business_id),
        kinds=KINDS,
        verdict_meaning=verdict_meaning,
        most_contacts=lead_view.MOST_CONTACTS,
    )


@router.get("/businesses/{business_id}/history")
def lead_history_part(visitor: Reader, business_id: Id) -> HTMLResponse:
    """Show what happened to a business, and how many sitemaps and pages its sites have."""
    lead_view.business_of(visitor.tenant_id, business_id)
    stages = {stage for table in TABLES for stage in journey_rows.stages_on(table)}
    hops = journey_of(visitor.tenant_id, Subject("business", business_id)).hops
    return show_part(
        visitor,
        "lead/history.html",
        events=lead_history.events(
            visitor, LOCAL_BUSINESSES, business_id, [hop for hop in hops if hop.stage in stages]
        ),
        counts=lead_view.counts_of(visitor.tenant_id, business_id),
    )


@router.post("/businesses/{business_id}/decide")
def decide(request: Request, visitor: Curator, business_id: Id, status: Word = "") -> Response:
    """Decide about a business; Selected queues its next step."""
    lead_view.business_of(visitor.tenant_id, business_id)
    done = curate.decide(visitor, LOCAL_BUSINESSES.name, curate.Decision(status, Chosen(ids=[business_id])))
    queued = " Its next step is queued." if done.queued_count else ""
    return go(request, path_of(business_id), said=f"Decided: {status}.{queued}")


@router.get("/businesses/{business_id}/edit")
def edit_page(request: Request, visitor: Curator, business_id: Id) -> HTMLResponse:
    """Show the form that corrects facts of a business."""
    business = lead_view.business_of(visitor.tenant_id, business_id)
    return show(request, visitor, "lead/edit.html", business=business, fields=changeable(LOCAL_BUSINESSES))


@router.post("/businesses/{business_id}/edit")
def edit(request: Request, visitor: Curator, business_id: Id, facts: Corrections) -> Response:
    """Correct what was changed in the form, and nothing else."""
    lead_view.business_of(visitor.tenant_id, business_id)
    if not facts:
        return go(request, path_of(business_id), said="Nothing was changed.")
    change(visitor, LOCAL_BUSINESSES, business_id, facts)
    names = ", ".join(name.replace("_", " ") for name in facts)
    return go(request, path_of(business_id), said=f"Corrected: {names}.")


@router.get("/businesses/{business_id}/suppress")
def suppress_page(request: Request, visitor: Curator, business_id: Id) -> HTMLResponse:
    """Ask what of a business is never to leave the house, and say what that means."""
    business = lead_view.business_of(visitor.tenant_id, business_id)
    contacts = lead_view.contacts_of(visitor.tenant_id, business_id, set())
    values = lead_suppress.of_business(business, lead_view.sites_of(visitor.tenant_id, business_id), contacts)
    return show(
        request,
        visitor,
        "lead/suppress.html",
        name=business["name"] or f"business {business_id}",
        back=path_of(business_id),
        standing=lead_suppress.standing(visitor.tenant_id, values),
        is_business=True,
    )


@router.post("/businesses/{business_id}/suppress")
def suppress(request: Request, visitor: Curator, business_id: Id, chosen: Ticked = [], reason: Word = "") -> Response:  # noqa: B006 - the framework copies it
    """Put what was ticked on the suppression list."""
    lead_view.business_of(visitor.tenant_id, business_id)
    return go(request, path_of(business_id), said=lead_suppress.put(visitor, chosen, reason))


@router.post("/businesses/{business_id}/unsuppress")
def unsuppress(request: Request, visitor: Curator, business_id: Id, value: Word = "") -> Response:
    """Take a value off the suppression list."""
    lead_view.business_of(visitor.tenant_id, business_id)
    return go(request, path_of(business_id), said=lead_suppress.take_off(visitor, value))


@router.post("/businesses/{business_id}/contacts")
def add_contact(
    request: Request,
    visitor: Curator,
    business_id: Id,
    domain_id: Annotated[Id | None, Form()] = None,
    kind: Word = "",
    value: Word = "",
    label: Word = "",
    person_name: Word = "",
    person_title: Word = "",
    note: Word = "",
) -> Response:
    """Add a contact that a person knows of to a site of the business."""
    business = lead_view.business_of(visitor.tenant_id, business_id)
    sites = {site["id"] for site in lead_view.sites_of(visitor.tenant_id, business_id)}
    if domain_id not in sites:
        raise Conflict("A contact belongs to a website, and this is none of the business's: choose one of its own.")
    facts = {"label": label, "person_name": person_name, "person_title": person_title, "note": note}
    made = contact.create(
        visitor,
        kind,
        value,
        domain_id=domain_id,
        domain=None,
        country_code=business["country_code"] or "US",
        **{name: fact for name, fact in facts.items() if fact.strip()},
    )
    return go(request, path_of(business_id), said=f"Added: {made['value']}.")


@router.get("/businesses/{business_id}/vcard")
def vcard(visitor: Exporter, business_id: Id) -> StreamingResponse:
    """Give a business as a card for an address book, without whoever is suppressed."""
    business = lead_view.business_of(visitor.tenant_id, business_id)
    if leads.one(visitor.tenant_id, business_id) is None:
        raise Conflict(lead_view.kept_back(business))
    return export_file(visitor, Order(visitor.tenant_id, "leads", "vcard", where=[f"id={business_id}"]))

"""Contact: one with all its proof, to be corrected, decided on, suppressed or deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api.contract import Id
from dashboard import lead_history, lead_suppress
from dashboard.lead_corrections import Corrections
from dashboard.lead_suppress import Ticked
from dashboard.page import go, show
from dashboard.typed import Word
from dashboard.visitor import Curator, Reader
from entities import contact, curate, listing
from entities.catalog import CONTACTS
from entities.change import change, changeable
from entities.chosen import Chosen
from leads import journey_rows, proof
from leads.journey_facts import Business, Trail

router = APIRouter()


def path_of(contact_id: int) -> str:
    """Give the address of a contact's page."""
    return f"/contacts/{contact_id}"


@router.get("/contacts/{contact_id}")
def contact_page(request: Request, visitor: Reader, contact_id: Id) -> HTMLResponse:
    """Show one contact with every address where it was seen."""
    row = listing.one(CONTACTS, visitor.tenant_id, contact_id)
    trail = Trail(visitor.tenant_id)
    trail.add("contacts", contact_id)
    own = [hop for hop in journey_rows.hops(trail) if hop.stage in journey_rows.stages_on("contacts")]
    return show(
        request,
        visitor,
        "contacts/contact.html",
        contact=row,
        proofs=proof.of_contact(row),
        most_proofs=proof.MOST_OF_ONE,
        businesses=_businesses(visitor, row),
        fields=changeable(CONTACTS),
        events=lead_history.events(visitor, CONTACTS, contact_id, own),
        verdict_meaning=proof.verdict_meaning,
    )


@router.post("/contacts/{contact_id}/edit")
def edit(request: Request, visitor: Curator, contact_id: Id, facts: Corrections) -> Response:
    """Correct what was changed in the form; a new value is validated anew."""
    listing.one(CONTACTS, visitor.tenant_id, contact_id)
    if not facts:
        return go(request, path_of(contact_id), said="Nothing was changed.")
    change(visitor, CONTACTS, contact_id, facts)
    anew = " It is validated anew." if "value" in facts else ""
    names = ", ".join(name.replace("_", " ") for name in facts)
    return go(request, path_of(contact_id), said=f"Corrected: {names}.{anew}")


@router.post("/contacts/{contact_id}/decide")
def decide(request: Request, visitor: Curator, contact_id: Id, status: Word = "") -> Response:
    """Decide about a contact; Selected queues its validation."""
    listing.one(CONTACTS, visitor.tenant_id, contact_id)
    curate.decide(visitor, CONTACTS.name, curate.Decision(status, Chosen(ids=[contact_id])))
    return go(request, path_of(contact_id), said=f"Decided: {status}.")


@router.post("/contacts/{contact_id}/delete")
def delete(request: Request, visitor: Curator, contact_id: Id) -> Response:
    """Delete a contact with its proof."""
    row = listing.one(CONTACTS, visitor.tenant_id, contact_id)
    businesses = _businesses(visitor, row)
    contact.delete(visitor, contact_id)
    path = f"/businesses/{businesses[0].id}" if businesses else "/curate/contacts"
    return go(request, path, said=f"Deleted: {row['value'][:200]}. It comes back when it is found again.")


@router.get("/contacts/{contact_id}/suppress")
def suppress_page(request: Request, visitor: Curator, contact_id: Id) -> HTMLResponse:
    """Ask what of a contact is never to leave the house, and say what that means."""
    row = listing.one(CONTACTS, visitor.tenant_id, contact_id)
    return show(
        request,
        visitor,
        "lead/suppress.html",
        name=row["value"],
        back=path_of(contact_id),
        standing=lead_suppress.standing(visitor.tenant_id, lead_suppress.of_contact(row)),
        is_business=False,
    )


@router.post("/contacts/{contact_id}/suppress")
def suppress(request: Request, visitor: Curator, contact_id: Id, chosen: Ticked = [], reason: Word = "") -> Response:  # noqa: B006 - the framework copies it
    """Put what was ticked on the suppression list."""
    listing.one(CONTACTS, visitor.tenant_id, contact_id)
    return go(request, path_of(contact_id), said=lead_suppress.put(visitor, chosen, reason))


@router.post("/contacts/{contact_id}/unsuppress")
def unsuppress(request: Request, visitor: Curator, contact_id: Id, value: Word = "") -> Response:
    """Take a value off the suppression list."""
    listing.one(CONTACTS, visitor.tenant_id, contact_id)
    return go(request, path_of(contact_id), said=lead_suppress.take_off(visitor, value))


def _businesses(visitor: Caller, row: dict[str, Any]) -> tuple[Business, ...]:
    """Give the businesses that a contact belongs to: its own, or those at its domain."""
    trail = Trail(visitor.tenant_id)
    trail.add("local_businesses", row["local_business_id"])
    trail.add("domains", row["domain_id"])
    return journey_rows.businesses(trail)

"""Search: one search as it runs: its funnel, map and cost; paused, resumed, cancelled, and given other limits."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api import search_acts
from api.contract import Id
from api.search_acts import Steering
from api.stream import Stream
from dashboard import live, search_form, search_funnel, search_look, search_map
from dashboard.page import go, is_part, show, show_part
from dashboard.visitor import Reader, Submitter
from dashboard.words import counted
from pipeline import searches

router = APIRouter(prefix="/searches/{search_id}")

LIVE = "searches/live.html"
SearchId = Annotated[Id, Path()]
Typed = Annotated[str, Form(max_length=100)]


@router.get("")
def search_page(request: Request, visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Show a search; it is kept up to date by itself."""
    return show(request, visitor, "searches/search.html", **search_look.page(visitor, search_id))


@router.get("/now")
def search_now(request: Request, visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Show how a search fares at this moment, for who runs no scripts."""
    return _part(request, visitor, search_id, "How it fares", LIVE, search_look.now(visitor, search_id))


@router.get("/events")
def search_events(visitor: Reader, search_id: SearchId) -> Stream:
    """Follow how a search fares."""
    searches.check_exists(search_id, visitor.tenant_id)
    return live.follow(visitor, f"search {search_id}", LIVE, lambda: search_look.now(visitor, search_id))


@router.get("/funnel")
def search_funnel_part(request: Request, visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Show what became of everything that a search has found, and why."""
    kinds = search_funnel.kinds(visitor.tenant_id, search_id)
    values = {"kinds": kinds, "parts": search_funnel.PARTS}
    return _part(request, visitor, search_id, "Funnel", "searches/funnel.html", values)


@router.get("/endings")
def search_endings(request: Request, visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Show in which ways its work ended without going on."""
    found = searches.one(search_id, tenant_id=visitor.tenant_id)
    values = {"endings": searches.reasons_given(search_id), "elsewhere": searches.begun_elsewhere(found)}
    return _part(request, visitor, search_id, "How work ended", "searches/endings.html", values)


@router.get("/map")
def search_map_part(request: Request, visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Show how much of the area was searched, and where the places lie."""
    row = searches.head(search_id, tenant_id=visitor.tenant_id)
    drawn = search_map.of_search(visitor.tenant_id, row)
    values = {"search": row, "map": drawn, "states": search_map.STATES, "most_listed": search_map.MOST_LISTED}
    return _part(request, visitor, search_id, "Map", "searches/map.html", values)


@router.post("/pause")
def pause_search(request: Request, visitor: Submitter, search_id: SearchId) -> Response:
    """Hold a search with everything below it."""
    return _steer(request, visitor, search_id, "pause", "held; what runs at this moment finishes first")


@router.post("/resume")
def resume_search(request: Request, visitor: Submitter, search_id: SearchId) -> Response:
    """Let a paused search go on."""
    return _steer(request, visitor, search_id, "resume", "let go")


@router.post("/cancel")
def cancel_search(request: Request, visitor: Submitter, search_id: SearchId) -> Response:
    """End a search with everything below it; what was found stays."""
    return _steer(request, visitor, search_id, "cancel", "cancelled; what was found stays")


@router.post("/limits")
def change_limits(
    request: Request, visitor: Submitter, search_id: SearchId, max_places: Typed = "", budget_usd: Typed = ""
) -> Response:
    """Change how much a search may cost or bring."""
    many = search_acts.change(visitor, search_id, search_form.read_change(max_places, budget_usd))
    goes_on = f" {counted(many, 'piece', 'pieces')} of work that had to wait or stop for them go on." if many else ""
    return go(request, f"/searches/{search_id}", said=f"The limits are changed.{goes_on}")


def _steer(request: Request, visitor: Caller, search_id: int, action: Steering, done: str) -> Response:
    many = search_acts.steer(visitor, search_id, action)
    said = f"{counted(many, 'piece', 'pieces')} of work {'is' if many == 1 else 'are'} {done}."
    return go(request, f"/searches/{search_id}", said=said if many else "There was nothing left to do that with.")


def _part(
    request: Request, visitor: Caller, search_id: int, title: str, template: str, values: dict[str, Any]
) -> HTMLResponse:
    """Show a part in its place, or alone for who runs no scripts."""
    if is_part(request):
        return show_part(visitor, template, search_id=search_id, **values)
    return show(request, visitor, "searches/alone.html", part=template, title=title, search_id=search_id, **values)

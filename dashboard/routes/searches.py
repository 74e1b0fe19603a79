"""Searches: the list of them, and the form that starts one with what it may cost."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from accounts import users
from accounts.caller import Caller
from api import search_acts
from api.contract import Cursor, Id
from dashboard import search_form, search_look
from dashboard.page import go, is_part, show, show_part
from dashboard.search_form import Typed, typed
from dashboard.visitor import Reader, Submitter
from entities import listing
from entities.catalog import SEARCHES
from entities.listing import Wanted
from errors import BadInput
from pipeline import search_again, search_view, searches
from pipeline.search_order import Order

router = APIRouter()

ROWS = 25
SearchId = Annotated[Id, Path()]
Form = Annotated[Typed, Depends(typed)]


@router.get("/searches")
def searches_page(request: Request, visitor: Reader, cursor: Cursor = None) -> HTMLResponse:
    """List searches, the newest first; how each fares is looked up row by row once the list is there."""
    wanted = Wanted(sort="-id", limit=ROWS, cursor=cursor, has_total=False)
    found = listing.list_rows(SEARCHES, visitor.tenant_id, wanted)
    starters = {UUID(row["created_by_id"]) for row in found.rows if row["created_by_id"]}
    names = {str(user): name for user, name in users.names_of(visitor.tenant_id, starters).items()}
    values: dict[str, Any] = {
        "rows": found.rows,
        "names": names,
        "next_cursor": found.next_cursor,
        "is_first": cursor is None,
    }
    return show(request, visitor, "searches/list.html", **values)


@router.get("/searches/{search_id}/row")
def search_row(visitor: Reader, search_id: SearchId) -> HTMLResponse:
    """Give a search's row of the list anew, with how it fares."""
    view = search_view.look(search_id, newest=0, tenant_id=visitor.tenant_id)
    row = view.found.row
    return show_part(visitor, "searches/row.html", row=row, view=view, by=search_look.starter(visitor, row))


@router.get("/searches/new")
def new_search_page(
    request: Request,
    visitor: Submitter,
    again: Annotated[Id | None, Query(description="fill in as this search")] = None,
) -> HTMLResponse:
    """Show the form that starts a search."""
    row = None if again is None else searches.head(again, tenant_id=visitor.tenant_id)
    return _form(request, visitor, search_form.blank() if row is None else search_form.like(row))


@router.post("/searches")
def start_search(request: Request, visitor: Submitter, given: Form) -> Response:
    """Start a search and show it, or show the form again with what is wrong."""
    try:
        order = search_form.read(given)
    except BadInput as refused:
        return _form(request, visitor, given, refused=str(refused), status=HTTPStatus.BAD_REQUEST)
    search_id = search_acts.start(visitor, order)
    return go(request, f"/searches/{search_id}", said="The search is on its way: this page fills in by itself.")


@router.post("/searches/estimate")
def estimate_search(request: Request, visitor: Submitter, given: Form) -> HTMLResponse:
    """Say beside the form what the search may cost, or what is wrong so far; nothing is stored."""
    if is_part(request):
        return show_part(visitor, "searches/estimate.html", **_estimate(visitor, given))
    return _form(request, visitor, given)


def _form(
    request: Request, visitor: Caller, given: Typed, *, refused: str | None = None, status: int = HTTPStatus.OK
) -> HTMLResponse:
    choices = {"providers": search_form.providers(), "modes": search_form.MODES}
    values = {"typed": given, "refused": refused, **choices, **_estimate(visitor, given)}
    return show(request, visitor, "searches/new.html", status=status, **values)


def _estimate(visitor: Caller, given: Typed) -> dict[str, Any]:
    said = {"estimate": None, "order": None, "wrong": None, "before": None}
    if not given.is_begun:
        return said
    try:
        order = search_form.read(given)
    except BadInput as refused:
        return said | {"wrong": str(refused)}
    return said | {"estimate": search_acts.estimate(order), "order": order, "before": _before(visitor, order)}


def _before(visitor: Caller, order: Order) -> dict[str, Any] | None:
    """Give the newest search for the same, so that nobody pays twice unknowingly."""
    newest = search_again.newest_like(order, tenant_id=visitor.tenant_id)
    return None if newest is None else searches.head(newest, tenant_id=visitor.tenant_id)

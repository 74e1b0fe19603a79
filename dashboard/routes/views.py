"""Saved views: how a person likes to see a table, kept under a name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from api.contract import Id, Text
from api.limits import LONGEST_TARGET
from dashboard.curate_asked import Asked, FormTexts, names, of_view
from dashboard.curate_asked import said as filled
from dashboard.curate_tabs import tab_named
from dashboard.page import go
from dashboard.visitor import Reader
from entities import saved_views
from errors import BadInput

router = APIRouter()

# With room for the number of the view, of rows, and of a place in the table.
LONGEST_ADDRESS = LONGEST_TARGET - 1000
TOO_LONG = "Nothing was saved: these conditions are too long for an address, so the view could not be opened again."

Typed = Annotated[Text, Form()]


@router.post("/views")
def save_view(
    request: Request,
    visitor: Reader,
    entity: Typed = "",
    name: Typed = "",
    where: FormTexts = [],  # noqa: B006 - never changed
    sort: Typed = "",
    columns: FormTexts = [],  # noqa: B006
) -> Response:
    """Keep what a table shows under a name; a view of that name is replaced."""
    tab = tab_named(entity)
    asked = Asked(tab, filled(where), sort.strip(), names(columns))
    if len(asked.address()) > LONGEST_ADDRESS:
        raise BadInput(TOO_LONG)
    view = saved_views.save(visitor, tab.entity, name, asked.look)
    return go(request, of_view(tab, view).address(), said=f"The view {view.name} is saved.")


@router.post("/views/{view_id}/rename")
def rename_view(request: Request, visitor: Reader, view_id: Id, name: Typed = "") -> Response:
    """Give one's own view another name."""
    view = saved_views.rename(visitor, view_id, name)
    return go(request, of_view(tab_named(view.entity), view).address(), said=f"The view is called {view.name} now.")


@router.post("/views/{view_id}/delete")
def delete_view(request: Request, visitor: Reader, view_id: Id) -> Response:
    """Delete one's own view; the rows it showed stay."""
    view = saved_views.delete(visitor, view_id)
    return go(request, tab_named(view.entity).path, said=f"The view {view.name} is deleted.")

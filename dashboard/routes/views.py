"""Saved views: how a person likes to see a table, kept under a name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from api.contract import Id, Text
from dashboard.curate_asked import FormTexts, names, of_view
from dashboard.curate_asked import said as filled
from dashboard.curate_tabs import tab_named
from dashboard.page import go
from dashboard.visitor import Reader
from entities import saved_views
from entities.saved_views import Look

router = APIRouter()

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
    view = saved_views.save(visitor, tab.entity, name, Look(filled(where), sort.strip(), names(columns)))
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

"""Settings: what is in force and where it came from, with secrets hidden."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from dashboard.page import show
from dashboard.visitor import Operator
from operations import settings_shown

router = APIRouter()


@router.get("/settings")
def settings_page(
    request: Request, visitor: Operator, text: Annotated[str, Query(max_length=200)] = "", changed: bool = False
) -> HTMLResponse:
    """Show every setting, or those alone that hold a text or differ from their default."""
    wanted = text.strip()
    groups = [
        (title, [one for one in found if one.fits(wanted) and (not changed or one.source != "default")])
        for title, found in settings_shown.groups()
    ]
    return show(
        request,
        visitor,
        "settings.html",
        groups=[(title, found) for title, found in groups if found],
        trouble=settings_shown.trouble(),
        text=text,
        changed=changed,
    )

"""Account: who one is here, and one's own password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from accounts import login, passwords, users
from accounts.caller import SCOPES
from api.arrival import Address
from dashboard.page import go, show
from dashboard.visitor import Known
from errors import BadInput

router = APIRouter()

REPEAT = "The two new passwords differ, so nothing was changed: type the same one twice."

Typed = Annotated[str, Form(max_length=1000)]


@router.get("/account")
def account_page(request: Request, visitor: Known) -> HTMLResponse:
    """Show who one is and what one may do, with the form for another password."""
    return show(
        request,
        visitor,
        "account.html",
        user=users.get(visitor.tenant_id, visitor.user_id),
        scopes=[(scope, meaning) for scope, meaning in SCOPES.items() if scope in visitor.scopes],
        shortest=passwords.SHORTEST,
        longest=passwords.LONGEST,
    )


@router.post("/account/password")
def change_password(
    request: Request, visitor: Known, address: Address, old: Typed = "", new: Typed = "", again: Typed = ""
) -> Response:
    """Set another password; one's other log-ins end."""
    if new != again:
        raise BadInput(REPEAT)
    login.change_password(visitor, old, new, address)
    return go(request, "/account", said="Your password is changed, and your other log-ins have ended.")

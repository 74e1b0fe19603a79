"""The page of a one-time link: somebody sets a password there. A look at it changes nothing.

The link's token stands behind a `#`, which browsers keep to themselves; a script of ours moves it into the form. Who
runs no scripts pastes it there.
"""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, Response

from accounts import links, passwords
from api.arrival import NO_STORE, Address
from api.problems import STATUSES
from errors import BadInput, NotLoggedIn, ServerDown, TooManyTries

router = APIRouter(include_in_schema=False)

HEADERS = {
    **NO_STORE,
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>ScraperSky</title>'
FORM = f"""{HEAD}<script src="/login.js" defer></script>
<h1>Set your password</h1>
<p role="alert">{{said}}</p>
<form method="post" action="/login" autocomplete="off">
<p><label>One-time token <input name="token" required maxlength="200"></label></p>
<p><label>New password, {passwords.SHORTEST} or more characters
<input name="password" type="password" required minlength="{passwords.SHORTEST}" maxlength="{passwords.LONGEST}"
autocomplete="new-password"></label></p>
<p><label>The same again <input name="again" type="password" required autocomplete="new-password"></label></p>
<p><button>Set password</button></p>
</form></html>"""
DONE = f"""{HEAD}<h1>Your password is set</h1>
<p>The link has done its work. Log in with your address and this password.</p></html>"""
SCRIPT = """"use strict";
const token = location.hash.slice(1);
if (token) {
  document.querySelector("input[name=token]").value = token;
  history.replaceState(null, "", location.pathname);
}
"""
REPEAT = "The two passwords differ: type the same one twice."

Typed = Annotated[str, Form(max_length=1000)]


@router.get("/login")
def login_page() -> HTMLResponse:
    """Show the form; the link is not used up by a look."""
    return _page(FORM.format(said=""))


@router.get("/login.js")
def login_script() -> Response:
    """Give the script that moves the token from the address into the form."""
    return Response(SCRIPT, media_type="text/javascript", headers=HEADERS)


@router.post("/login")
def set_password(address: Address, token: Typed = "", password: Typed = "", again: Typed = "") -> HTMLResponse:
    """Set the password that was typed twice; the link works no more."""
    try:
        if password != again:
            raise BadInput(REPEAT)
        links.use(token, password, address)
    except (BadInput, NotLoggedIn, TooManyTries, ServerDown) as refused:
        return _page(FORM.format(said=escape(str(refused))), STATUSES[type(refused)])
    return _page(DONE)


def _page(html: str, status: HTTPStatus = HTTPStatus.OK) -> HTMLResponse:
    return HTMLResponse(html, status, headers=HEADERS)

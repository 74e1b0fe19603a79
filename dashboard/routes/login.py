"""Log-in: with an address and a password, or by a one-time link; and out again. A look at these pages changes nothing.

The link's token stands behind a `#`, which browsers keep to themselves; a script of ours moves it into the form. Who
runs no scripts pastes it there.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from accounts import links, login, passwords, sessions, tokens
from accounts.sessions import Tokens
from api.arrival import Address
from api.problems import STATUSES
from dashboard import proof
from dashboard.page import HEADERS, SAID_COOKIE, draw, go, is_secure, local_path
from dashboard.visitor import COOKIE, Known
from errors import BadInput, NotAllowed, NotLoggedIn, ServerDown, TooManyTries
from settings import settings

router = APIRouter()

GUEST_COOKIE = "scrapersky_guest"
REPEAT = "The two passwords differ: type the same one twice."
REFUSALS = (BadInput, NotAllowed, NotLoggedIn, TooManyTries, ServerDown)

Typed = Annotated[str, Form(max_length=1000)]


@router.get("/login")
def login_page(request: Request, next: Annotated[str, Query(max_length=2000)] = "/") -> HTMLResponse:  # noqa: A002
    """Show the form that asks for an address and a password."""
    said = proof.unseal(request.cookies.get(SAID_COOKIE))
    return _form(request, "login.html", said=said, next=local_path(next), email="")


@router.post("/login")
def log_in(
    request: Request,
    address: Address,
    email: Typed = "",
    password: Typed = "",
    next: Typed = "/",  # noqa: A002 - the name that people know
    csrf: Typed = "",
) -> Response:
    """Begin a log-in for who knows the password, and show the page that was asked for."""
    try:
        _check(request, csrf)
        made = login.log_in(email, password, address)
    except REFUSALS as refused:
        return _again(request, "login.html", refused, next=local_path(next), email=email[:300])
    return _entered(request, made, local_path(next))


@router.get("/login/link")
def link_page(request: Request) -> HTMLResponse:
    """Show the form that sets a password; the link is not used up by a look."""
    return _form(request, "link.html", said=None, token="")


@router.post("/login/link")
def use_link(
    request: Request, address: Address, token: Typed = "", password: Typed = "", again: Typed = "", csrf: Typed = ""
) -> Response:
    """Set the password that was typed twice, and begin a log-in; the link works no more."""
    try:
        _check(request, csrf)
        if password != again:
            raise BadInput(REPEAT)
        made = links.use(token, password, address)
    except REFUSALS as refused:
        return _again(request, "link.html", refused, token="" if isinstance(refused, NotLoggedIn) else token[:200])
    return _entered(request, made, "/", said="Your password is set, and you are logged in.")


@router.post("/logout")
def log_out(request: Request, visitor: Known) -> Response:
    """End this log-in."""
    sessions.end(visitor)
    answer = go(request, "/login", said="You are logged out.")
    answer.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=is_secure(request))
    return answer


def _check(request: Request, csrf: str) -> None:
    proof.check(csrf, proof.of_guest(request.cookies.get(GUEST_COOKIE, "")))


def _form(
    request: Request, template: str, status: int = HTTPStatus.OK, *, said: str | None, **values: Any
) -> HTMLResponse:
    """Show a form, with the proof that goes with a cookie of this browser."""
    nonce = request.cookies.get(GUEST_COOKIE) or proof.new_nonce()
    try:
        token = proof.of_guest(nonce)
    except ServerDown as refused:
        token, said, status = "", str(refused), HTTPStatus.SERVICE_UNAVAILABLE
    html = draw(template, said=said, guest=token, shortest=passwords.SHORTEST, longest=passwords.LONGEST, **values)
    answer = HTMLResponse(html, status, HEADERS)
    answer.set_cookie(GUEST_COOKIE, nonce, httponly=True, samesite="strict", secure=is_secure(request))
    return answer


def _again(request: Request, template: str, refused: Exception, **values: Any) -> HTMLResponse:
    status = next(status for kind, status in STATUSES.items() if isinstance(refused, kind))
    return _form(request, template, status, said=str(refused), **values)


def _entered(request: Request, made: Tokens, path: str, said: str | None = None) -> Response:
    answer: RedirectResponse | Response = go(request, path, said)
    length = int(settings().session_length.total_seconds())
    answer.set_cookie(
        COOKIE,
        tokens.sign_cookie(made.claims),
        max_age=length,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    answer.delete_cookie(GUEST_COOKIE, httponly=True, samesite="strict")
    return answer

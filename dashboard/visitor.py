"""Visitors: whose browser asks for a page, by its cookie; and what a page lets them do.

A page says it in its first parameter, as routes of the API do. Whatever changes something must also bring the proof
that one of our pages sent it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Form, Request
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from accounts.caller import Caller, Scope
from accounts.identify import identify_browser
from dashboard import proof

COOKIE = "scrapersky_session"
SAFE_METHODS = ("GET", "HEAD")


def visitor(request: Request, csrf: Annotated[str, Form(max_length=200)] = "") -> Caller:
    """Find out whose browser this is; one that is not logged in is sent to log in."""
    found = identify_browser(request.cookies.get(COOKIE))
    request.state.caller = found
    if request.method not in SAFE_METHODS:
        proof.check(request.headers.get(proof.HEADER) or csrf, proof.of_session(found.session_id))
    return found


def need(scope: Scope) -> Callable[[Caller], Caller]:
    """Make the dependency that lets only those in who may do this."""

    def allowed(found: Annotated[Caller, Depends(visitor)]) -> Caller:
        found.check(scope)
        return found

    allowed.scope = scope  # type: ignore[attr-defined]
    return allowed


def operator(found: Annotated[Caller, Depends(visitor)]) -> Caller:
    """Let only those in who answer for the whole installation."""
    found.check_operator()
    return found


def of_headers(headers: Headers) -> Caller:
    """Find out whose browser this is before anything of the request is read."""
    return identify_browser(cookie_parser(headers.get("cookie", "")).get(COOKIE))


Known = Annotated[Caller, Depends(visitor)]
Reader = Annotated[Caller, Depends(need("read"))]
Exporter = Annotated[Caller, Depends(need("export"))]
Curator = Annotated[Caller, Depends(need("curate"))]
Submitter = Annotated[Caller, Depends(need("submit"))]
TenantOperator = Annotated[Caller, Depends(need("operate"))]
Administrator = Annotated[Caller, Depends(need("administer"))]
Operator = Annotated[Caller, Depends(operator)]

"""Visitors: whose browser asks for a page, by its cookie; and what a page lets them do.

A page says it in its first parameter, as routes of the API do. Whatever changes something must also bring the proof
that one of our pages sent it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Form, Request
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from accounts.caller import Caller
from accounts.identify import identify_browser
from api.caller import need, need_operator
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


def of_headers(headers: Headers) -> Caller:
    """Find out whose browser this is before anything of the request is read."""
    return identify_browser(cookie_parser(headers.get("cookie", "")).get(COOKIE))


Known = Annotated[Caller, Depends(visitor)]
Reader = Annotated[Caller, Depends(need("read", visitor))]
Exporter = Annotated[Caller, Depends(need("export", visitor))]
Curator = Annotated[Caller, Depends(need("curate", visitor))]
Submitter = Annotated[Caller, Depends(need("submit", visitor))]
TenantOperator = Annotated[Caller, Depends(need("operate", visitor))]
Administrator = Annotated[Caller, Depends(need("administer", visitor))]
Operator = Annotated[Caller, Depends(need_operator(visitor))]

"""Pages: a template filled in and escaped, with the headers that let a browser run nothing but our own files."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from accounts.caller import Caller
from dashboard import proof, words
from dashboard.menu import menu_for

STATIC = Path(__file__).with_name("static")
SAID_COOKIE = "scrapersky_said"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@cache
def templates() -> Environment:
    """Make the templates: everything is escaped, and a name that is missing is an error."""
    made = Environment(
        loader=PackageLoader("dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(words.FILTERS)
    made.globals.update(words.GLOBALS)
    made.globals["asset"] = asset
    return made


def load() -> None:
    """Read every template, so that the first to ask do not wait, and a program that is renewed stays of a piece."""
    for name in templates().list_templates():
        templates().get_template(name)


@cache
def asset(name: str) -> str:
    """Give the address of a file of ours; it changes with the file, so that browsers may keep it for good."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{digest}/{name}"


def draw(template: str, caller: Caller | None = None, **values: Any) -> str:
    """Fill in a template, or a part of a page; it knows who looks."""
    known = {"caller": caller, "csrf": "" if caller is None else proof.of_session(caller.session_id)}
    return templates().get_template(template).render(**known, **values)


def draw_shared(template: str, caller: Caller, **values: Any) -> str:
    """Fill in a part that several people get: it holds no proof of one log-in."""
    return templates().get_template(template).render(caller=caller, csrf="", **values)


def show(request: Request, caller: Caller, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Answer with a whole page, with the menu and what the action before it said."""
    said = proof.unseal(request.cookies.get(SAID_COOKIE))
    here = request.url.path
    html = draw(template, caller, here=here, menu=menu_for(caller, here), said=said, **values)
    answer = HTMLResponse(html, status, HEADERS)
    if said is not None:
        answer.delete_cookie(SAID_COOKIE, httponly=True, samesite="strict")
    return answer


def show_part(caller: Caller, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Answer with a part of a page, which htmx puts in its place."""
    return HTMLResponse(draw(template, caller, **values), status, HEADERS)


def is_part(request: Request) -> bool:
    """Tell whether htmx asks, for a part of the page that it shows."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-History-Restore-Request") != "true"


def go(request: Request, path: str, said: str | None = None) -> Response:
    """Send the browser on after a change, with a sentence that the next page shows."""
    if is_part(request):
        answer = Response(status_code=204, headers={**HEADERS, "HX-Redirect": path})
    else:
        answer = RedirectResponse(path, 303, HEADERS)
    if said is not None:
        answer.set_cookie(
            SAID_COOKIE, proof.seal(said), max_age=60, httponly=True, samesite="strict", secure=is_secure(request)
        )
    return answer


def is_secure(request: Request) -> bool:
    """Tell whether the browser came by HTTPS, so that its cookies never travel without."""
    return request.url.scheme == "https"


def local_path(path: str | None) -> str:
    """Give a path of ours that somebody asked for, or the home page: never another site."""
    if not path or not path.startswith("/") or path.startswith(("//", "/\\")) or any(ord(c) < 32 for c in path):
        return "/"
    return quote(path, safe="/?&=%,.-_~:+")

"""The web process: pages for people and the API for programs, in one application."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from api.app import app as api_app
from api.limits import Limits
from dashboard import assets, problems, visitor
from dashboard.routes import (
    account,
    audit,
    batches,
    contacts,
    curate,
    exports,
    failures,
    flow,
    journey,
    lead,
    login,
    people,
    schedules,
    search,
    searches,
    settings,
    stage,
    suppressions,
    system,
    views,
    webhooks,
)

OF_PROGRAMS = ("/api/", "/healthz", "/readyz")

# In the order of the menu.
ROUTERS: tuple[APIRouter, ...] = (
    login.router,
    flow.router,
    stage.router,
    searches.router,
    search.router,
    exports.router,
    curate.router,
    views.router,
    lead.router,
    contacts.router,
    journey.router,
    failures.router,
    batches.router,
    schedules.router,
    people.router,
    webhooks.router,
    suppressions.router,
    account.router,
    audit.router,
    settings.router,
    system.router,
)


class Web:
    """Hands requests of programs to the API and all others to the pages."""

    def __init__(self, api: ASGIApp, pages: ASGIApp) -> None:
        self.api, self.pages = api, pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and not scope["path"].startswith(OF_PROGRAMS)
        await (self.pages if is_page else self.api)(scope, receive, send)


def make_pages() -> FastAPI:
    """Put the pages together."""
    made = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    problems.install(made)
    made.include_router(assets.router)
    for router in ROUTERS:
        made.include_router(router)
    made.add_middleware(Limits, identify=visitor.of_headers, tell=problems.tell)
    return made


pages = make_pages()
app = Web(api_app, pages)

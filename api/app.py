"""The web application: every route under /api/v3, and whether the process lives."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from api import openapi, problems
from api.limits import Limits, identify_program, tell_program
from api.routes import (
    alarms,
    audit,
    auth,
    batches,
    contacts,
    curation,
    dead_letters,
    dev_tools,
    domains,
    events,
    exports,
    funnel,
    health,
    journeys,
    keys,
    local_businesses,
    metrics,
    pages,
    places,
    schedules,
    searches,
    sitemap_files,
    stages,
    suppressions,
    users,
    webhooks,
    work,
    workers,
)

PREFIX = "/api/v3"
REFUSALS = problems.answers(400, 401, 403, 404, 413, 414, 422, 503)

# In the order in which people meet them.
ROUTERS: tuple[APIRouter, ...] = (
    auth.router,
    users.router,
    keys.router,
    audit.router,
    searches.router,
    places.router,
    local_businesses.router,
    domains.router,
    sitemap_files.router,
    pages.router,
    contacts.router,
    curation.router,
    funnel.router,
    journeys.router,
    batches.router,
    exports.router,
    suppressions.router,
    schedules.router,
    events.router,
    webhooks.router,
    stages.router,
    work.router,
    dead_letters.router,
    workers.router,
    alarms.router,
    metrics.router,
    dev_tools.router,
)


def make_app() -> FastAPI:
    """Put the application together."""
    made = FastAPI(
        title="ScraperSky",
        version=openapi.VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    problems.install(made)
    made.include_router(health.router)
    for router in ROUTERS:
        made.include_router(router, prefix=PREFIX, responses=REFUSALS)
    openapi.install(made, PREFIX)
    made.add_middleware(Limits, identify=identify_program, tell=tell_program)
    return made


app = make_app()

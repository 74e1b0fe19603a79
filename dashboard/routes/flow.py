"""Flow: the pipeline as a living picture."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from accounts.caller import Caller
from api.stream import Stream
from dashboard.flow_picture import CHANNEL_HEIGHT, arrange
from dashboard.live import follow
from dashboard.page import show
from dashboard.visitor import Reader
from operations import alarms, figures, flow
from pipeline.stage import all_stages
from settings import settings

router = APIRouter()

# The rules are asked every minute.
UNWATCHED = timedelta(minutes=3)

Tenants = Annotated[Literal["own", "all"], Query()]


@router.get("/")
def flow_page(request: Request, visitor: Reader, tenants: Tenants = "own") -> HTMLResponse:
    """Show every stage with what is in it and how fast it goes, and, to operators, workers and alarms."""
    return show(request, visitor, "flow/page.html", tenants=tenants, **look(visitor, tenants))


@router.get("/flow/events")
def flow_events(visitor: Reader, tenants: Tenants = "own") -> Stream:
    """Send the picture anew whenever it has changed."""
    whose(visitor, tenants)
    return follow(visitor, tenants, "flow/live.html", lambda: look(visitor, tenants))


def whose(caller: Caller, tenants: str) -> UUID | None:
    """Give the tenant whose work is shown; None, which is all, to operators only."""
    if tenants == "own":
        return caller.tenant_id
    caller.check_operator()
    return None


def look(caller: Caller, tenants: str) -> dict[str, Any]:
    """Look at everything that the live part shows."""
    seen = flow.look(whose(caller, tenants))
    of_machine = _machine() if caller.is_operator else {}
    return {
        "flow": seen,
        "picture": arrange(seen),
        "all_tenants": tenants == "all",
        "channel_height": CHANNEL_HEIGHT,
        "workers": None,
        **of_machine,
    }


def _machine() -> dict[str, Any]:
    """Look at what all tenants share: workers and alarms."""
    watched_at, workers = alarms.watched_at(), figures.workers()
    stages = {stage.name for stage in all_stages()}
    return {
        "workers": workers,
        "stages": stages,
        # One that only sweeps repairs, and does no work.
        "is_served": any(worker["alive"] and not stages.isdisjoint(worker["queues"]) for worker in workers),
        "threads": settings().worker_threads,
        "alarms": alarms.ringing(),
        "watched_at": watched_at,
        "is_watched": watched_at is not None and datetime.now(UTC) - watched_at < UNWATCHED,
    }

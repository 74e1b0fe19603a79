"""System: versions, servers, rules, what runs on a clock, workers and alarms."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response

from api.stream import Stream
from dashboard import system_view
from dashboard.live import follow
from dashboard.page import go, show, show_part
from dashboard.visitor import Operator
from operations import readiness, servers, versions
from scheduling import by_hand
from scheduling.sweeper import in_words

router = APIRouter()

SweeperName = Annotated[str, Path(max_length=200)]


@router.get("/system")
def system_page(request: Request, visitor: Operator) -> HTMLResponse:
    """Show how the machine stands; what takes longer comes by itself."""
    ended = system_view.ended_alarms()
    return show(request, visitor, "system/page.html", ended=ended, **system_view.look())


@router.get("/system/events")
def system_events(visitor: Operator) -> Stream:
    """Keep the page up to date."""
    return follow(visitor, "", "system/live.html", system_view.look)


@router.get("/system/checks")
def system_checks(visitor: Operator) -> HTMLResponse:
    """Show whether all is there that work needs."""
    return show_part(visitor, "system/checks.html", checks=readiness.check())


@router.get("/system/facts")
def system_facts(visitor: Operator) -> HTMLResponse:
    """Show versions and servers."""
    return show_part(
        visitor,
        "system/facts.html",
        versions=versions.versions(),
        postgres=servers.postgres(),
        broker=servers.broker_server(),
        size=system_view.size,
    )


@router.post("/system/sweepers/{name}")
def run_sweeper(request: Request, visitor: Operator, name: SweeperName) -> Response:
    """Repair now what a sweeper would repair at its next run."""
    sweeper, repaired = by_hand.run(visitor, name)
    return go(request, "/system", said=f"{sweeper.by_hand} has run: {in_words(repaired)}.")

"""`/searches`: start one, see what became of it, change its limits, pause, resume and cancel it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from accounts.caller import Caller
from api import search_acts
from api.caller import Reader, Submitter
from api.contract import Id
from api.entity_routes import add_list
from api.progress import endings_of, open_of, stages_of, waiting_of
from api.search_acts import Steering
from api.search_bodies import (
    Areas,
    Coverage,
    Estimate,
    Rectangle,
    SearchChange,
    SearchDetail,
    SearchOrder,
    SearchState,
    Steered,
    Today,
    state_of,
)
from entities.catalog import SEARCHES
from pipeline import search_coverage, searches
from settings import settings

router = APIRouter(tags=["searches"])
add_list(router, SEARCHES)

SearchId = Annotated[Id, Path(description="the search", examples=[1])]


@router.post("/searches", status_code=201, summary="Start a search")
def start_search(caller: Submitter, body: SearchOrder) -> SearchState:
    """Store a search and queue its work; it runs on its own from here."""
    return _state(caller, search_acts.start(caller, body.order()))


@router.post("/searches/estimate", summary="Estimate what a search would cost")
def estimate_search(_: Submitter, body: SearchOrder) -> Estimate:
    """Say what a search may cost; nothing is stored and nobody is asked."""
    return search_acts.estimate(body.order())


@router.get("/searches/{search_id}", summary="Look at a search")
def get_search(caller: Reader, search_id: SearchId) -> SearchDetail:
    """Give a search with its coverage and cost, how much of it is where, and why what did not go on did not."""
    found = searches.one(search_id, tenant_id=caller.tenant_id)
    return SearchDetail(
        **state_of(found),
        stages=stages_of(found.progress),
        waiting=waiting_of(found.progress),
        reasons=endings_of(searches.reasons_given(search_id)),
        open=open_of(searches.still_open(search_id)),
        areas=Areas(**searches.areas(search_id)),
        begun_elsewhere=searches.begun_elsewhere(found),
        today=_today(found.row["provider"]) if caller.is_operator else None,
    )


@router.patch("/searches/{search_id}", summary="Change a search's limits")
def change_search(caller: Submitter, search_id: SearchId, body: SearchChange) -> SearchState:
    """Change how much a search may cost or bring; what waited for money or had ended with enough places goes on."""
    search_acts.change(caller, search_id, body)
    return _state(caller, search_id)


@router.post("/searches/{search_id}/pause", summary="Pause a search")
def pause_search(caller: Submitter, search_id: SearchId) -> Steered:
    """Hold a search with everything below it; what is running finishes first."""
    return _steered(caller, search_id, "pause")


@router.post("/searches/{search_id}/resume", summary="Resume a search")
def resume_search(caller: Submitter, search_id: SearchId) -> Steered:
    """Let a paused search go on."""
    return _steered(caller, search_id, "resume")


@router.post("/searches/{search_id}/cancel", summary="Cancel a search")
def cancel_search(caller: Submitter, search_id: SearchId) -> Steered:
    """End a search with everything below it; what was found stays."""
    return _steered(caller, search_id, "cancel")


@router.get("/searches/{search_id}/coverage", summary="See how much of the area was searched")
def get_search_coverage(caller: Reader, search_id: SearchId) -> Coverage:
    """Give the rectangles of a search and how each stands, for a map."""
    state = _state(caller, search_id)
    found = search_coverage.rectangles(search_id, tenant_id=caller.tenant_id)
    return Coverage(coverage=state.coverage, box=state.box, rectangles=[Rectangle(**row) for row in found])


def _steered(caller: Caller, search_id: int, action: Steering) -> Steered:
    changed = search_acts.steer(caller, search_id, action)
    return Steered(changed_count=changed, status=searches.one(search_id, tenant_id=caller.tenant_id).status)


def _state(caller: Caller, search_id: int) -> SearchState:
    return SearchState(**state_of(searches.one(search_id, tenant_id=caller.tenant_id)))


def _today(provider: str) -> Today:
    calls, usd = searches.spent_today(provider)
    return Today(calls=calls, usd=float(usd), limit_usd=float(settings().provider_daily_budget_usd))

"""Journey: the way of anything from the search that began it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from api.contract import Id, Text
from api.entity_routes import SUBJECTS
from dashboard import journey_view
from dashboard.page import HEADERS, go, local_path, show
from dashboard.typed import Word
from dashboard.visitor import Reader, TenantOperator
from errors import NotFound
from leads import journey_find, journey_list
from leads.journey import journey_of
from leads.journey_find import Subject
from operations import lineage, work
from operations.work import Action

router = APIRouter()

SEARCH = ("search", "searches")
MOST_TOLD = 50


@router.get("/journey")
def journey_search(
    request: Request, visitor: Reader, value: Annotated[Text, Query(description="what is asked for")] = ""
) -> Response:
    """Find what a value names; what is meant beyond doubt is shown at once."""
    subjects = journey_find.find(visitor.tenant_id, value) if value.strip() else []
    if len(subjects) == 1:
        return RedirectResponse(f"/journey/{subjects[0].kind}/{subjects[0].id}", 303, HEADERS)
    found = journey_list.told(visitor.tenant_id, subjects[:MOST_TOLD])
    return show(request, visitor, "journey/find.html", value=value.strip(), found=found)


@router.get("/journey/{kind}/{row_id}")
def journey_page(request: Request, visitor: Reader, kind: str, row_id: Id) -> Response:
    """Tell the journey of one thing, with the sentence that says how it stands on top."""
    if kind in SEARCH:
        return RedirectResponse(f"/searches/{row_id}", 303, HEADERS)
    if kind in SUBJECTS:
        return RedirectResponse(f"/journey/{SUBJECTS[kind]}/{row_id}", 303, HEADERS)
    if kind not in journey_view.KINDS:
        raise NotFound(f"There are no journeys of that kind: there are those of {', '.join(journey_view.KINDS)}.")
    journey = journey_of(visitor.tenant_id, Subject(kind, row_id))
    return show(
        request,
        visitor,
        "journey/journey.html",
        journey=journey,
        kind=kind,
        row_id=row_id,
        tone=journey_view.tone_of(journey),
        steps=journey_view.steps_of(journey.hops),
        view=journey_view,
        **_of_work(visitor.tenant_id, row_id) if kind == "work" else {"work": None, "children": ()},
    )


@router.post("/work/{work_id}/retry")
def retry(request: Request, visitor: TenantOperator, work_id: Id, back: Word = "") -> Response:
    """Start one piece of work anew that has ended."""
    return _act(request, visitor, work.RETRY, work_id, back)


@router.post("/work/{work_id}/cancel")
def cancel(request: Request, visitor: TenantOperator, work_id: Id, back: Word = "") -> Response:
    """End one piece of work that waits or runs."""
    return _act(request, visitor, work.CANCEL, work_id, back)


def _act(request: Request, visitor: TenantOperator, action: Action, work_id: int, back: str) -> Response:
    done = work.act_on_one(action, visitor.tenant_id, work_id, caller=visitor)
    said = f"Work {work_id} ({done['stage']}) is {action.done}: it is {done['status']} now."
    return go(request, local_path(back or f"/journey/work/{work_id}"), said=said)


def _of_work(tenant_id: Any, work_id: int) -> dict[str, Any]:
    """Add what only a piece of work has: what came of it, and who runs it."""
    return {"work": work.one(tenant_id, work_id), "children": lineage.children(work_id, tenant_id)}

"""Failures: what has ended in Error, grouped, to be retried or cancelled; and what waits for its next try."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from dashboard.failure_advice import GONE, advice_for
from dashboard.failure_choice import Listing, Order, Question, read_order, said
from dashboard.page import go, is_part, show, show_part
from dashboard.visitor import Reader, TenantOperator
from operations import dead_letters, work
from operations.figures import Row
from pipeline.stage import all_stages

router = APIRouter(prefix="/failures")

ROWS_A_PAGE = 50


@router.get("")
def failures_page(request: Request, visitor: Reader) -> HTMLResponse:
    """Show what has failed, by stage and reason, with what each means and what to do."""
    groups = [_group(row) for row in dead_letters.groups(visitor.tenant_id)]
    return show(request, visitor, "failures/groups.html", groups=groups, total=sum(row["count"] for row in groups))


@router.get("/waiting")
def waiting_part(request: Request, visitor: Reader) -> HTMLResponse:
    """Show what ran in vain and waits for its next try; counted apart, as there may be very much of it."""
    found = dead_letters.waiting(visitor.tenant_id)
    if is_part(request):
        return show_part(visitor, "failures/waiting.html", groups=found)
    return show(request, visitor, "failures/waiting_page.html", groups=found)


@router.get("/rows")
def failure_rows_page(request: Request, visitor: Reader, asked: Annotated[Listing, Query()]) -> HTMLResponse:
    """Show a page of failed or waiting work, each piece with its history, to be chosen from."""
    listed = dead_letters.page(
        visitor.tenant_id, limit=ROWS_A_PAGE, status=asked.status, cursor=asked.cursor, **asked.conditions
    )
    return show(
        request,
        visitor,
        "failures/rows.html",
        asked=asked,
        advice=advice_for(asked.reason) if asked.reason else None,
        listed=listed,
        stages=[stage.name for stage in all_stages()],
    )


@router.get("/ask")
def ask_first(request: Request, visitor: TenantOperator, asked: Annotated[Question, Query()]) -> HTMLResponse:
    """Count what would be retried or cancelled, and ask whether that is meant."""
    counted = work.act(asked.action(asked.verb), asked.match(visitor.tenant_id), caller=visitor, dry_run=True)
    given: dict[str, Any] = {"asked": asked, "many": counted.matched_count}
    if is_part(request):
        return show_part(visitor, "failures/dialog.html", **given)
    return show(request, visitor, "failures/ask.html", **given)


@router.post("/act")
def act(request: Request, visitor: TenantOperator, order: Annotated[Order, Depends(read_order)]) -> Response:
    """Retry or cancel the rows that were ticked, or all that match."""
    action = order.choice.action(order.verb)
    changed = work.act(action, order.choice.match(visitor.tenant_id, order.ids), caller=visitor)
    return go(request, order.choice.path, said(action, changed.changed_count))


def _group(row: Row) -> Row:
    """Say what to do about a group; one of a stage that is no longer there is found by its reason alone."""
    is_known = row["stage"] in {stage.name for stage in all_stages()}
    return row | {
        "advice": advice_for(row["reason"]) if is_known else GONE,
        "is_known": is_known,
        "match": {"stage": row["stage"] if is_known else None, "reason": row["reason"]},
    }

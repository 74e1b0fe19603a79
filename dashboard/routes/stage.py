"""A stage: its work, its reasons and durations, and an operator's hand on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api.contract import Text
from api.stream import Stream
from dashboard.live import follow
from dashboard.page import go, is_part, show, show_part
from dashboard.routes.flow import whose
from dashboard.stage_list import CANCELLABLE, RETRYABLE, StageQuery, count, in_words, listed
from dashboard.visitor import Operator, Reader, TenantOperator
from dashboard.words import counted, title_of
from errors import BadInput
from operations import durations, flow, stages, work
from pipeline.controls import LARGEST_WINDOW

router = APIRouter()

ACTIONS = {action.name: action for action in (work.RETRY, work.CANCEL)}
NOTHING = "Nothing was {done}: no work matches any more."

Name = Annotated[Text, Path()]
Asked = Annotated[StageQuery, Query()]
Verb = Annotated[str, Path(pattern="^(retry|cancel)$")]


@router.get("/stages/{name}")
def stage_page(request: Request, visitor: Reader, name: Name, asked: Asked) -> HTMLResponse:
    """Show a stage with its counts, reasons and durations, and a page of its work."""
    stage = stages.named(name)
    return show(
        request,
        visitor,
        "stage/page.html",
        asked=asked,
        stage=stage,
        now=datetime.now(UTC),
        largest_window=LARGEST_WINDOW,
        retryable=RETRYABLE,
        cancellable=CANCELLABLE,
        **_look(visitor, name, asked.tenants),
        back_path=asked.path(name, cursor=asked.cursor),
        **listed(name, asked, visitor.tenant_id),
    )


@router.get("/stages/{name}/events")
def stage_events(visitor: Reader, name: Name, asked: Asked) -> Stream:
    """Send the counts anew whenever they have changed."""
    stages.named(name)
    whose(visitor, asked.tenants)
    return follow(visitor, f"{name} {asked.tenants}", "stage/live.html", lambda: _look(visitor, name, asked.tenants))


@router.post("/stages/{name}/pause")
def pause_stage(
    request: Request, visitor: Operator, name: Name, note: Annotated[Text, Form(max_length=500)] = ""
) -> Response:
    """Claim nothing more of the stage, for all tenants."""
    stages.pause(visitor, name, note.strip() or None)
    return go(request, f"/stages/{name}", said=f"{title_of(name)} is paused: what runs now ends as usual.")


@router.post("/stages/{name}/resume")
def resume_stage(request: Request, visitor: Operator, name: Name) -> Response:
    """Let the stage go on."""
    stages.resume(visitor, name)
    return go(request, f"/stages/{name}", said=f"{title_of(name)} goes on.")


@router.post("/stages/{name}/window")
def set_window(
    request: Request, visitor: Operator, name: Name, size: Annotated[str, Form(max_length=20)] = ""
) -> Response:
    """Say how much of the stage may be rung at a time; nothing returns to what it declares."""
    stage = stages.named(name)
    chosen = _window(size)
    stages.set_window(visitor, name, chosen)
    return go(request, f"/stages/{name}", said=f"The window of {title_of(name)} is {chosen or stage.window:,} now.")


@router.get("/stages/{name}/{verb}")
def count_first(request: Request, visitor: TenantOperator, name: Name, verb: Verb, asked: Asked) -> HTMLResponse:
    """Say how much work an action would touch, and ask whether that is meant."""
    stages.named(name)
    action = ACTIONS[verb]
    values: dict[str, Any] = {
        "action": action,
        "many": count(action, name, asked, visitor.tenant_id),
        "which": in_words(action, name, asked),
        "act_path": asked.path(name, f"/{verb}"),
        "back_path": asked.path(name),
    }
    if is_part(request):
        return show_part(visitor, "stage/dialog.html", in_dialog=True, **values)
    return show(request, visitor, "stage/question.html", in_dialog=False, **values)


@router.post("/stages/{name}/{verb}")
def act_on_matching(request: Request, visitor: TenantOperator, name: Name, verb: Verb, asked: Asked) -> Response:
    """Do it to all that matches."""
    stages.named(name)
    action = ACTIONS[verb]
    many = work.act(action, asked.match(name, visitor.tenant_id), caller=visitor).changed_count
    flow.changed()
    said = f"{counted(many, 'piece')} of work {'was' if many == 1 else 'were'} {action.done}."
    return go(request, asked.path(name), said=said if many else NOTHING.format(done=action.done))


def _look(caller: Caller, name: str, tenants: str) -> dict[str, Any]:
    tenant_id = whose(caller, tenants)
    seen = flow.look(tenant_id)
    return {
        "node": next(node for node in seen.nodes if node.stage.name == name),
        "name": name,
        "tenants": tenants,
        "ended_age_seconds": seen.ended_age_seconds,
        "reasons": flow.reasons(name, tenant_id),
        "durations": durations.of_stage(name, tenant_id),
    }


def _window(size: str) -> int | None:
    if not size.strip():
        return None
    if size.strip().isdecimal() and 1 <= int(size) <= LARGEST_WINDOW:
        return int(size)
    raise BadInput(f"A window is a whole number from 1 to {LARGEST_WINDOW:,}, or nothing for what the stage declares.")

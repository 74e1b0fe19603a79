"""Schedules: standing orders to search again and to refresh what was found."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api.contract import Cursor, Id
from dashboard import schedule_form
from dashboard.page import go, show, show_part
from dashboard.problems import status_of
from dashboard.schedule_form import Given, Typed
from dashboard.schedule_words import UNITS, when
from dashboard.typed import Asked, AskedMoment
from dashboard.visitor import Reader, Submitter
from errors import BadInput, Conflict, NotFound, UserError
from models.schedule import CATCH_UPS
from pipeline.stage import all_stages
from scheduling import changes, schedules, ticks
from scheduling.fire import Fire
from scheduling.wish import LONGEST_NAME

router = APIRouter()

# The next ticks of each take 2 ms to find.
SCHEDULES_A_PAGE = 20
FIRES_A_PAGE = 50
SAID = {
    "still-running": "Nothing was queued: what it would do is still under way.",
    "no-entity": "Nothing was queued: what it works on is no longer there.",
}


@router.get("/schedules")
def schedules_page(request: Request, visitor: Reader, cursor: Cursor = None) -> HTMLResponse:
    """List the schedules with when each is due next and what came of it last."""
    found = schedules.page(visitor.tenant_id, {}, limit=SCHEDULES_A_PAGE, cursor=cursor)
    names = schedule_form.searches_named(visitor.tenant_id, found.rows)
    rows = [_shown(row, names) for row in found.rows]
    return show(request, visitor, "schedules/list.html", found=found, rows=rows, cursor=cursor)


@router.get("/schedules/new")
def add_page(request: Request, visitor: Submitter, search: Annotated[Id | None, Query()] = None) -> HTMLResponse:
    """Show the form that adds a schedule."""
    return _form(request, visitor, Typed(search=search))


@router.post("/schedules")
def add(request: Request, visitor: Submitter, given: Given) -> Response:
    """Add a schedule."""
    try:
        made = changes.add(given.wish(), caller=visitor)
    except (BadInput, Conflict, NotFound) as refused:
        return _form(request, visitor, given, refused=refused)
    return go(request, f"/schedules/{made['id']}", said=f"The schedule “{made['name']}” is added.")


@router.get("/schedules/preview")
def preview(
    visitor: Reader,
    by: Asked = "cron",
    cron: Asked = "",
    every: Asked = "",
    unit: Asked = "days",
    timezone: Asked = "UTC",
    starts_at: AskedMoment = "",
) -> HTMLResponse:
    """Show the next five ticks of a timetable while it is being typed, or what is wrong with it."""
    many = int(every) if every.isascii() and every.isdigit() and len(every) < 10 else 0
    asked = Typed(by=by, cron=cron, every=many, unit=unit, timezone=timezone, starts_at=starts_at)
    return show_part(visitor, "schedules/preview.html", **schedule_form.preview(asked))


@router.get("/schedules/{schedule_id}")
def schedule_page(request: Request, visitor: Reader, schedule_id: Id, cursor: Cursor = None) -> HTMLResponse:
    """Show one schedule with its next ticks and what became of those before."""
    row = schedules.one(visitor.tenant_id, schedule_id)
    fires = schedules.fires(visitor.tenant_id, schedule_id, limit=FIRES_A_PAGE, cursor=cursor)
    names = schedule_form.searches_named(visitor.tenant_id, [row])
    shown = _shown(row, names)
    return show(request, visitor, "schedules/one.html", row=shown, fires=fires, cursor=cursor)


@router.get("/schedules/{schedule_id}/edit")
def edit_page(request: Request, visitor: Submitter, schedule_id: Id) -> HTMLResponse:
    """Show the form that changes a schedule."""
    row = schedules.one(visitor.tenant_id, schedule_id)
    return _form(request, visitor, schedule_form.of_row(row), row=row)


@router.post("/schedules/{schedule_id}/edit")
def edit(request: Request, visitor: Submitter, schedule_id: Id, given: Given) -> Response:
    """Change a schedule."""
    row = schedules.one(visitor.tenant_id, schedule_id)
    try:
        wanted = given.changes(row)
        if wanted:
            changes.change(schedule_id, wanted, caller=visitor)
    except (BadInput, Conflict) as refused:
        return _form(request, visitor, given, row=row, refused=refused)
    return go(request, f"/schedules/{schedule_id}", said="The schedule is changed." if wanted else "Nothing differed.")


@router.post("/schedules/{schedule_id}/pause")
def pause(request: Request, visitor: Submitter, schedule_id: Id) -> Response:
    """Have it fire no more until it is resumed."""
    row = changes.pause(schedule_id, caller=visitor)
    return go(request, f"/schedules/{schedule_id}", said=f"“{row['name']}” is paused: nothing is due until you resume.")


@router.post("/schedules/{schedule_id}/resume")
def resume(request: Request, visitor: Submitter, schedule_id: Id) -> Response:
    """Have it fire again from now on."""
    row = changes.resume(schedule_id, caller=visitor)
    return go(request, f"/schedules/{schedule_id}", said=f"“{row['name']}” is on again, from now on.")


@router.post("/schedules/{schedule_id}/run")
def run_now(request: Request, visitor: Submitter, schedule_id: Id) -> Response:
    """Do at once what the schedule does."""
    fired = changes.run_now(schedule_id, caller=visitor)
    return go(request, f"/schedules/{schedule_id}", said=_told(fired))


@router.post("/schedules/{schedule_id}/delete")
def delete(request: Request, visitor: Submitter, schedule_id: Id) -> Response:
    """Remove a schedule with its history."""
    row = changes.remove(schedule_id, caller=visitor)
    return go(request, "/schedules", said=f"The schedule “{row['name']}” is removed; what it has queued stays.")


def _told(fired: Fire) -> str:
    """Say what became of a tick that was asked for."""
    if fired.error is not None:
        return f"Nothing was queued. {fired.error}"
    return SAID.get(fired.result or "", f"It has queued {fired.queued_count:,} of work.")


def _shown(row: dict[str, Any], names: dict[int, str]) -> dict[str, Any]:
    """Add in words when it is due and what it works on; the last tick comes as JSON, with its moment as text."""
    last = row["last_fire"]
    return row | {
        "when": when(row),
        "subject": names.get(row["entity_id"]) if row["stage"] == "search" else None,
        "last_fire": last and last | {"fire_at": datetime.fromisoformat(last["fire_at"])},
    }


def _form(
    request: Request, visitor: Caller, given: Typed, *, row: Any = None, refused: UserError | None = None
) -> HTMLResponse:
    """Show the form, also with what was typed and why it was refused."""
    return show(
        request,
        visitor,
        "schedules/form.html",
        status=200 if refused is None else status_of(refused),
        form=given,
        row=row,
        refused=refused,
        searches=[] if row else schedule_form.searches_to_choose(visitor.tenant_id),
        search_name=schedule_form.search_name,
        stages=[stage for stage in all_stages() if stage.name != "webhook_delivery"],
        zones=sorted(ticks.known_zones()),
        units=list(UNITS),
        catch_ups=CATCH_UPS,
        longest_name=LONGEST_NAME,
        preview=schedule_form.preview(given),
    )

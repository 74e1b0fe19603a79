"""Curate: tables of everything that was found, filtered, sorted, and decided on row by row."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api.contract import Cursor, Id, Text
from dashboard import curate_filters as filters
from dashboard import curate_table as table
from dashboard import curate_words as words
from dashboard.curate_asked import LIMITS, Asked, Back, FormTexts, FromAddress, after_decision, names, of_view
from dashboard.curate_tabs import TABS, Tab, tab_named
from dashboard.page import go, is_part, local_path, show, show_part
from dashboard.routes import curate_matching
from dashboard.visitor import Curator, Reader
from entities import curate, curate_history, curate_undo, listing, saved_views
from entities.chosen import Chosen
from entities.curate import Decision
from errors import BadInput, NotFound

router = APIRouter()
router.include_router(curate_matching.router)

COUNTED = 10_000
HISTORY_ROWS = 50
MOST_IDS = 500

Ids = Annotated[list[Id], Form(max_length=MOST_IDS)]
Typed = Annotated[Text, Form()]


@router.get("/curate")
def curate_page(request: Request, _visitor: Reader) -> Response:
    """Show the first table."""
    return go(request, next(iter(TABS.values())).path)


@router.get("/curate/operations")
def operations_page(request: Request, visitor: Reader, cursor: Cursor = None) -> HTMLResponse:
    """Show what was decided, newest first, each to be taken back."""
    found = curate_history.newest(visitor.tenant_id, HISTORY_ROWS, cursor)
    return show(
        request,
        visitor,
        "curate/operations.html",
        operations=found.rows,
        next_cursor=found.next_cursor,
        cursor=cursor,
        tabs=TABS,
    )


@router.post("/curate/undo/{operation_id}")
def undo(
    request: Request,
    visitor: Curator,
    operation_id: Id,
    ids: Ids = [],  # noqa: B006 - never changed
    columns: FormTexts = [],  # noqa: B006
    back: Back = "",
) -> Response:
    """Take a decision back, and show the rows named as they then are."""
    tab = tab_named(curate_history.one(visitor.tenant_id, operation_id).entity)
    done = words.of_undo(tab, curate_undo.undo(visitor, operation_id))
    if not is_part(request):
        return go(request, local_path(back) if back else "/curate/operations", said=done)
    return _rows(visitor, tab, columns, ids, words.Said(done))


@router.get("/curate/{entity}")
def table_page(request: Request, visitor: Reader, asked: FromAddress, operation: Id | None = None) -> HTMLResponse:
    """Show one page of a table."""
    shown = table.show_page(asked, visitor.tenant_id)
    views = saved_views.list_views(visitor, asked.tab.entity)
    return show(
        request,
        visitor,
        "curate/table.html",
        asked=asked,
        tab=asked.tab,
        tabs=TABS,
        limits=LIMITS,
        shown=shown,
        chips=filters.chips(asked),
        of_status=filters.of_status(asked),
        of_errors=filters.of_errors(asked),
        choices=filters.choices(asked.tab),
        operators=filters.OPERATORS,
        decisions=words.DECISIONS,
        views=[(view, of_view(asked.tab, view, asked.limit)) for view in views],
        view=next((view for view in views if view.id == asked.view), None),
        said_here=_said(visitor, asked, operation),
    )


def _said(visitor: Caller, asked: Asked, operation_id: int | None) -> words.Said | None:
    """Say what the decision did that led here."""
    if operation_id is None:
        return None
    operation = curate_history.one(visitor.tenant_id, operation_id)
    return words.of_operation(asked.tab, operation) if operation.entity == asked.tab.entity.name else None


@router.get("/curate/{entity}/count")
def count_part(visitor: Reader, asked: FromAddress) -> HTMLResponse:
    """Count what matches, up to a number beyond which nobody needs to know."""
    many = listing.count_up_to(asked.tab.entity, visitor.tenant_id, asked.where, COUNTED + 1)
    says = words.rows(asked.tab, many) if many <= COUNTED else f"more than {words.rows(asked.tab, COUNTED)}"
    return show_part(visitor, "curate/count.html", says=says)


@router.get("/curate/{entity}/filter")
def add_filter(
    request: Request,
    _visitor: Reader,
    asked: FromAddress,
    column: Text = "",
    operator: Text = "=",
    value: Text = "",
    condition: Text = "",
) -> Response:
    """Show the table with one condition more, which was typed or put together."""
    written = condition.strip() or filters.written(column, operator, value)
    filters.check(asked.tab, written)
    return go(request, asked.other(where=tuple(dict.fromkeys((*asked.where, written)))))


@router.post("/curate/{entity}/decide")
def decide(
    request: Request,
    visitor: Curator,
    entity: str,
    status: Typed = "",
    ids: Ids = [],  # noqa: B006 - never changed
    columns: FormTexts = [],  # noqa: B006
    back: Back = "",
) -> Response:
    """Decide on the rows that are checked; `Selected` queues their work."""
    tab = tab_named(entity)
    _check_ids(visitor, tab, ids)
    done = curate.decide(visitor, tab.entity.name, Decision(status, Chosen(ids=list(dict.fromkeys(ids)))))
    if not is_part(request):
        return go(request, after_decision(tab, back, done.operation_id))
    did = words.of_decision(tab, status, done.updated_count, done.queued_count)
    return _rows(visitor, tab, columns, ids, words.Said(did, done.operation_id))


def _check_ids(visitor: Caller, tab: Tab, ids: list[int]) -> None:
    """Refuse rows that are not there: somebody may have deleted them."""
    if not ids:
        raise BadInput(f"No {tab.entity.noun} is checked, so nothing was decided: check those that are meant.")
    known = {row["id"] for row in listing.some(tab.entity, visitor.tenant_id, ids)}
    missing = sorted(set(ids) - known)
    if missing:
        raise NotFound(f"There is no {tab.entity.noun} {missing[0]}, so nothing was decided: load the page again.")


def _rows(visitor: Caller, tab: Tab, columns: list[str], ids: list[int], said: words.Said) -> HTMLResponse:
    """Answer a script of the table: what was said, and rows as they are now."""
    lines = table.show_some(tab, visitor.tenant_id, names(columns), ids) if ids else []
    return show_part(visitor, "curate/decided.html", tab=tab, lines=lines, said_here=said)

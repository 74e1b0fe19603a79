"""Webhooks: addresses that are told what happens, and how that went."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field

from accounts.caller import Caller
from api.contract import Cursor, Id
from dashboard.page import go, show
from dashboard.problems import status_of
from dashboard.typed import Word
from dashboard.visitor import Administrator
from errors import BadInput, Conflict, UserError
from notices import deliveries, webhooks
from settings import settings

router = APIRouter(prefix="/people/webhooks")

ROWS = 50
LONGEST_DESCRIPTION = 200
MEANINGS = {
    "search.completed": "a search has ended",
    "contact.found": "a contact was found",
    "stage.failing": "too much of a stage fails",
}

Events = Annotated[list[Annotated[str, Field(max_length=100)]], Form(max_length=10)]
Description = Annotated[str, Form(max_length=LONGEST_DESCRIPTION, pattern=r"^[^\x00]*$")]


@router.get("")
def webhooks_page(request: Request, visitor: Administrator) -> HTMLResponse:
    """List the webhooks."""
    return _list(request, visitor)


@router.post("")
def add(
    request: Request,
    visitor: Administrator,
    url: Word = "",
    events: Events = [],  # noqa: B006 - the framework copies it
    description: Description = "",
) -> Response:
    """Add a webhook, and show its secret this once."""
    try:
        made = webhooks.add(visitor, url, events, description or None)
    except (BadInput, Conflict) as refused:
        return _list(request, visitor, refused, url=url, events=events, description=description)
    return _secret(request, visitor, made, "A webhook is added")


@router.get("/{webhook_id}")
def webhook_page(request: Request, visitor: Administrator, webhook_id: Id, cursor: Cursor = None) -> HTMLResponse:
    """Show one webhook and what it was told."""
    return _one(request, visitor, webhook_id, cursor)


@router.post("/{webhook_id}")
def change(
    request: Request,
    visitor: Administrator,
    webhook_id: Id,
    url: Word = "",
    events: Events = [],  # noqa: B006 - the framework copies it
    description: Description = "",
    is_active: bool = Form(default=False),
) -> Response:
    """Change a webhook."""
    wanted = {"url": url, "events": events, "description": description or None, "is_active": is_active}
    try:
        before = webhooks.one(visitor, webhook_id)
        wanted = {name: value for name, value in wanted.items() if value != before[name]}
        if wanted:
            webhooks.change(visitor, webhook_id, wanted)
    except (BadInput, Conflict) as refused:
        return _one(request, visitor, webhook_id, None, refused, wanted)
    said = "The webhook is changed." if wanted else "Nothing differed."
    return go(request, f"/people/webhooks/{webhook_id}", said=said)


@router.post("/{webhook_id}/test")
def send_test(request: Request, visitor: Administrator, webhook_id: Id) -> Response:
    """Tell a webhook something that means nothing."""
    deliveries.send_test(visitor, webhook_id)
    said = "A test is queued: load this page again in a moment to see how it went."
    return go(request, f"/people/webhooks/{webhook_id}", said=said)


@router.post("/{webhook_id}/rotate")
def rotate(request: Request, visitor: Administrator, webhook_id: Id) -> Response:
    """Give a webhook a new secret, and show it this once."""
    return _secret(request, visitor, webhooks.rotate(visitor, webhook_id), "The secret is changed")


@router.post("/{webhook_id}/delete")
def delete(request: Request, visitor: Administrator, webhook_id: Id) -> Response:
    """Remove a webhook; what it has yet to be told is cancelled."""
    webhooks.remove(visitor, webhook_id)
    return go(request, "/people/webhooks", said="The webhook is removed.")


@router.post("/deliveries/{delivery_id}/redeliver")
def redeliver(request: Request, visitor: Administrator, delivery_id: Id) -> Response:
    """Send a message again."""
    row = deliveries.redeliver(visitor, delivery_id)
    return go(request, f"/people/webhooks/{row['webhook_id']}", said="The message is queued again.")


def _events(visitor: Caller) -> list[tuple[str, str]]:
    """Give what a tenant's webhook may ask for; only the installation's own is told of its stages."""
    is_own = visitor.tenant_id == settings().default_tenant_id
    return [(event, MEANINGS[event]) for event in webhooks.WANTED if is_own or event != webhooks.OF_INSTALLATION]


def _list(request: Request, visitor: Caller, refused: UserError | None = None, **typed: Any) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/webhooks.html",
        status=200 if refused is None else status_of(refused),
        rows=webhooks.listed(visitor),
        events=_events(visitor),
        form={"url": "", "events": [], "description": ""} | typed,
        refused=refused,
        longest=LONGEST_DESCRIPTION,
    )


def _one(
    request: Request,
    visitor: Caller,
    webhook_id: int,
    cursor: str | None,
    refused: UserError | None = None,
    typed: dict[str, Any] | None = None,
) -> HTMLResponse:
    row = webhooks.one(visitor, webhook_id)
    return show(
        request,
        visitor,
        "people/webhook.html",
        status=200 if refused is None else status_of(refused),
        row=row,
        form=row | (typed or {}),
        found=deliveries.listed(visitor, webhook_id, limit=ROWS, cursor=cursor),
        cursor=cursor,
        events=_events(visitor),
        refused=refused,
        longest=LONGEST_DESCRIPTION,
    )


def _secret(request: Request, visitor: Caller, made: dict[str, Any], title: str) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/once.html",
        title=title,
        intro=made["url"],
        what="The secret",
        secret=made["secret"],
        hint="Messages are signed with it, as Standard Webhooks says. After a change both secrets sign for a day.",
        back=f"/people/webhooks/{made['id']}",
    )

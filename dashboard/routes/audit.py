"""Audit: who changed what, the newest first."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from accounts import audit_log, users
from api.contract import LARGEST_ID, Cursor
from dashboard.audit_words import lines_of, page_of
from dashboard.page import show
from dashboard.typed import Asked, AskedMoment, moment_of
from dashboard.visitor import Administrator
from errors import BadInput

router = APIRouter()

ROWS = 50
MOST_USERS = 500
Short = Annotated[str, Query(max_length=40)]


@router.get("/audit")
def audit_page(
    request: Request,
    visitor: Administrator,
    user: Short = "",
    action: Asked = "",
    entity: Asked = "",
    entity_id: Short = "",
    since: AskedMoment = "",
    until: AskedMoment = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """List the tenant's changes, those alone that fit what is asked."""
    wanted = audit_log.Wanted(
        user_id=_user(user),
        action=action.strip() or None,
        entity=entity.strip() or None,
        entity_id=_number(entity_id),
        since=moment_of(since, "Since"),
        until=moment_of(until, "Until"),
    )
    found = audit_log.list_entries(visitor.tenant_id, wanted, after=cursor, limit=ROWS, total=False)
    actions, entities = audit_log.words(visitor.tenant_id)
    typed = {"user": user, "action": action, "entity": entity, "entity_id": entity_id, "since": since, "until": until}
    return show(
        request,
        visitor,
        "audit.html",
        rows=[(row, lines_of(row["detail"]), page_of(row["entity"], row["entity_id"])) for row in found.rows],
        found=found,
        cursor=cursor,
        form=typed,
        asked={name: value.strip() or None for name, value in typed.items()},
        users=users.list_users(visitor.tenant_id, limit=MOST_USERS, total=False).rows,
        actions=actions,
        entities=entities,
    )


def _user(text: str) -> UUID | None:
    try:
        return UUID(text.strip()) if text.strip() else None
    except ValueError:
        raise BadInput("There is no such user: choose one of the list.") from None


def _number(text: str) -> int | None:
    written = text.strip()
    if not written:
        return None
    if not (written.isascii() and written.isdigit() and 0 < int(written) <= LARGEST_ID):
        raise BadInput("The number of an entity is a whole number: write one, or leave it empty.")
    return int(written)

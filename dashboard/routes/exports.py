"""Exports: leads and contacts as files that the browser keeps, without anybody who is suppressed."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from accounts.caller import Caller
from api.export_file import Columns, ContactsWhere, Format, LeadsWhere, Prefer, Rows, Search, WithGone, export_file
from dashboard.curate_asked import said
from dashboard.page import HEADERS
from dashboard.visitor import Exporter
from leads.exports import Order

router = APIRouter(prefix="/exports")


@router.get("/leads")
def export_leads(
    visitor: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: LeadsWhere = [],  # noqa: B006 - never changed
    search: Search = None,
    prefer: Prefer = "role",
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each business: its best email, phone, socials, site and score."""
    order = Order(visitor.tenant_id, "leads", format, columns, said(where), search, prefer, with_gone, limit)
    return _file(visitor, order)


@router.get("/contacts")
def export_contacts(
    visitor: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: ContactsWhere = [],  # noqa: B006 - never changed
    search: Search = None,
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each contact: its business, and the page, day and way it was seen."""
    order = Order(visitor.tenant_id, "contacts", format, columns, said(where), search, with_gone=with_gone, limit=limit)
    return _file(visitor, order)


def _file(visitor: Caller, order: Order) -> StreamingResponse:
    answer = export_file(visitor, order)
    answer.headers.update(HEADERS)
    return answer

"""`/exports`: leads and contacts as files, without anybody who is on the suppression list."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from api.caller import Exporter
from api.download import files
from api.export_file import Columns, ContactsWhere, Format, LeadsWhere, Prefer, Rows, Search, WithGone, export_file
from leads.exports import Order

router = APIRouter(prefix="/exports", tags=["exports"], default_response_class=StreamingResponse)

FILES = files("csv", "xlsx", "jsonl", "vcard")


@router.get("/leads", summary="Download leads", responses=FILES)
def export_leads(
    caller: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: LeadsWhere = [],  # noqa: B006 - never changed
    search: Search = None,
    prefer: Prefer = "role",
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each business: its best email, phone, socials, site and score."""
    order = Order(caller.tenant_id, "leads", format, columns, where, search, prefer, with_gone, limit)
    return export_file(caller, order)


@router.get("/contacts", summary="Download contacts", responses=FILES)
def export_contacts(
    caller: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: ContactsWhere = [],  # noqa: B006 - never changed
    search: Search = None,
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each contact: its business, and the page, day and way it was seen."""
    order = Order(caller.tenant_id, "contacts", format, columns, where, search, with_gone=with_gone, limit=limit)
    return export_file(caller, order)

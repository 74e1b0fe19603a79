"""`/exports`: leads and contacts as files, without anybody who is on the suppression list."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from accounts.caller import Caller
from api import contract, noted
from api.caller import Exporter
from api.download import download, files
from leads.exports import Exported, Order, prepare
from leads.lead_where import CONTACT_FIELDS, LEAD_FIELDS

router = APIRouter(prefix="/exports", tags=["exports"], default_response_class=StreamingResponse)

Format = Annotated[Literal["csv", "xlsx", "jsonl", "vcard"], Query(description="the kind of file")]
Columns = Annotated[
    Literal["plain", "hubspot", "salesforce", "brevo", "pipedrive"],
    Query(description="all columns, or those that a CRM takes"),
]
Search = Annotated[contract.Id | None, Query(description="only what this search has found")]
WithGone = Annotated[bool, Query(description="also contacts that no page shows any longer")]
Rows = Annotated[int | None, Query(ge=1, le=contract.LARGEST_ID, description="at most so many rows")]
Prefer = Annotated[Literal["role", "personal"], Query(description="which address is the best among equals")]

LEADS_WHERE = f"conditions such as `city=Austin`, `score>=60`, `has=email`; fields: {', '.join(sorted(LEAD_FIELDS))}"
CONTACTS_WHERE = f"conditions such as `kind=email`, `city=Austin`; fields: {', '.join(sorted(CONTACT_FIELDS))}"
FILES = files("csv", "xlsx", "jsonl", "vcard")


@router.get("/leads", summary="Download leads", responses=FILES)
def export_leads(
    caller: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: Annotated[list[str], Query(max_length=50, description=LEADS_WHERE)] = [],  # noqa: B006 - never changed
    search: Search = None,
    prefer: Prefer = "role",
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each business: its best email, phone, socials, site and score."""
    order = Order(caller.tenant_id, "leads", format, columns, where, search, prefer, with_gone, limit)
    return _file(caller, order)


@router.get("/contacts", summary="Download contacts", responses=FILES)
def export_contacts(
    caller: Exporter,
    format: Format = "csv",  # noqa: A002 - the name that people know
    columns: Columns = "plain",
    where: Annotated[list[str], Query(max_length=50, description=CONTACTS_WHERE)] = [],  # noqa: B006 - never changed
    search: Search = None,
    with_gone: WithGone = False,
    limit: Rows = None,
) -> StreamingResponse:
    """Give one row for each contact: its business, and the page, day and way it was seen."""
    order = Order(caller.tenant_id, "contacts", format, columns, where, search, with_gone=with_gone, limit=limit)
    return _file(caller, order)


def _file(caller: Caller, order: Order) -> StreamingResponse:
    """Note that somebody takes it before anything leaves the house, and how much it was once it has."""
    export = prepare(order)
    asked = {"format": order.format, "columns": order.target, "where": list(order.where), "search": order.search_id}
    noted.write(caller, "export", order.subject, **asked)

    def done(exported: Exported) -> None:
        noted.write(caller, "exported", order.subject, rows=exported.rows, suppressed=exported.suppressed)

    return download(export.pieces(done), name=order.subject, format_=order.format)

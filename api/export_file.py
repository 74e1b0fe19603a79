"""Export files: leads or contacts as a download, noted before anything leaves the house; for programs and pages."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from fastapi.responses import StreamingResponse

from accounts.caller import Caller
from api import contract, noted
from api.download import download
from leads.exports import Exported, Order, prepare
from leads.lead_where import CONTACT_FIELDS, LEAD_FIELDS

LEADS_WHERE = f"conditions such as `city=Austin`, `score>=60`, `has=email`; fields: {', '.join(sorted(LEAD_FIELDS))}"
CONTACTS_WHERE = f"conditions such as `kind=email`, `city=Austin`; fields: {', '.join(sorted(CONTACT_FIELDS))}"

Format = Annotated[Literal["csv", "xlsx", "jsonl", "vcard"], Query(description="the kind of file")]
Columns = Annotated[
    Literal["plain", "hubspot", "salesforce", "brevo", "pipedrive"],
    Query(description="all columns, or those that a CRM takes"),
]
LeadsWhere = Annotated[list[str], Query(max_length=50, description=LEADS_WHERE)]
ContactsWhere = Annotated[list[str], Query(max_length=50, description=CONTACTS_WHERE)]
Search = Annotated[contract.Id | None, Query(description="only what this search has found")]
WithGone = Annotated[bool, Query(description="also contacts that no page shows any longer")]
Rows = Annotated[int | None, Query(ge=1, le=contract.LARGEST_ID, description="at most so many rows")]
Prefer = Annotated[Literal["role", "personal"], Query(description="which address is the best among equals")]


def export_file(caller: Caller, order: Order) -> StreamingResponse:
    """Note that somebody takes it before anything leaves the house, and how much it was once it has."""
    export = prepare(order)
    asked = {"format": order.format, "columns": order.target, "where": list(order.where), "search": order.search_id}
    noted.write(caller, "export", order.subject, **asked)

    def done(exported: Exported) -> None:
        noted.write(caller, "exported", order.subject, rows=exported.rows, suppressed=exported.suppressed)

    return download(export.pieces(done), name=order.subject, format_=order.format)

"""Batches: bring a list, see first how it is read, and see what became of every row."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from accounts.caller import Caller
from api import noted
from api.batch_bodies import Result
from api.contract import Cursor, Id, Text
from api.download import download
from api.stream import Stream
from api.uploads import few_at_a_time
from dashboard.batch_form import LONGEST_NAME, LONGEST_PASTED, Given, read_form
from dashboard.live import follow
from dashboard.page import go, is_part, show, show_part
from dashboard.visitor import Exporter, Reader, Submitter
from dashboard.words import counted
from pipeline import batch_rows, batches
from pipeline.import_preview import MOST_ROWS, look
from pipeline.import_rows import KINDS, noun_of
from pipeline.imports import Imported, import_list

router = APIRouter(prefix="/batches")

BATCHES_A_PAGE = 20
ROWS_A_PAGE = 100
LIMITS = {"longest_pasted": LONGEST_PASTED, "longest_name": LONGEST_NAME, "most_rows": MOST_ROWS}
# Where people see a row that a batch has brought.
PATHS = {
    "businesses": "/businesses/",
    "domains": "/journey/domain/",
    "sitemaps": "/journey/sitemap_file/",
    "pages": "/journey/page/",
}


@router.get("")
def batches_page(request: Request, visitor: Reader, cursor: Cursor = None) -> HTMLResponse:
    """Show which lists were brought; what became of each is counted apart, as that may take a while."""
    listed = batches.names(visitor.tenant_id, limit=BATCHES_A_PAGE, cursor=cursor)
    return show(request, visitor, "batches/list.html", listed=listed, cursor=cursor, noun_of=noun_of)


@router.get("/counts")
def counts_part(visitor: Reader, cursor: Cursor = None) -> HTMLResponse:
    """Show the same lists with what became of their rows and how far their work is."""
    listed = batches.page(visitor.tenant_id, limit=BATCHES_A_PAGE, cursor=cursor, with_total=False)
    return show_part(visitor, "batches/counts.html", found=listed.rows, noun_of=noun_of)


@router.get("/new")
def new_page(request: Request, visitor: Submitter) -> HTMLResponse:
    """Show the form that brings a list."""
    return show(request, visitor, "batches/new.html", given=Given(), kinds=KINDS, preview=None, **LIMITS)


@router.post("/uploads", dependencies=[few_at_a_time])
def bring(request: Request, visitor: Submitter, given: Annotated[Given, Depends(read_form)]) -> Response:
    """Show how a list would be read, or store its rows and start their work."""
    reading: dict[str, Any] = {
        "name": given.name,
        "chosen": given.chosen,
        "sheet": given.sheet,
        "has_header": given.has_header,
    }
    reading["owner"] = noted.owner(visitor, "bring", "batches", kind=given.noun, name=given.name, auto=given.starts_now)
    if given.act == "bring":
        imported = import_list(given.kind, given.open(), auto=given.starts_now, **reading)
        return go(request, f"/batches/{imported.batch_id}", _said(imported))
    seen: dict[str, Any] = {"given": given, "preview": look(given.kind, given.open(), **reading), **LIMITS}
    if is_part(request):
        return show_part(visitor, "batches/preview.html", **seen)
    return show(request, visitor, "batches/new.html", kinds=KINDS, **seen)


@router.get("/{batch_id}")
def batch_page(
    request: Request,
    visitor: Reader,
    batch_id: Id,
    result: Result | None = None,
    reason: Annotated[Text | None, Query()] = None,
    cursor: Cursor = None,
) -> HTMLResponse:
    """Show one list: what became of its rows, how far their work is, and the rows themselves."""
    batch = batches.brought(visitor.tenant_id, batch_id)
    wanted = batch_rows.Wanted(batch_id, result, reason)
    rows = batch_rows.page(wanted, limit=ROWS_A_PAGE, cursor=cursor, with_total=False, tenant_id=visitor.tenant_id)
    return show(
        request,
        visitor,
        "batches/one.html",
        batch=batch,
        noun=noun_of(batch["kind"]),
        wanted=wanted,
        listed=rows,
        cursor=cursor,
        path_of=PATHS[noun_of(batch["kind"])],
    )


@router.get("/{batch_id}/events")
def batch_events(visitor: Reader, batch_id: Id) -> Stream:
    """Send the progress of a list as often as it changes."""
    batches.check_exists(batch_id, visitor.tenant_id)
    return follow(visitor, f"batch {batch_id}", "batches/progress.html", lambda: _progress(visitor, batch_id))


@router.get("/{batch_id}/progress")
def progress_page(request: Request, visitor: Reader, batch_id: Id) -> HTMLResponse:
    """Show the progress of a list once, for browsers that run no scripts."""
    return show(request, visitor, "batches/progress_page.html", **_progress(visitor, batch_id))


@router.get("/{batch_id}/result.csv")
def download_result(visitor: Exporter, batch_id: Id, result: Result | None = None) -> StreamingResponse:
    """Give every row as it was written, with what became of it and how its work stands."""
    pieces = batch_rows.result_file(batch_rows.Wanted(batch_id, result), tenant_id=visitor.tenant_id)
    noted.write(visitor, "export", "batches", batch=batch_id)
    return download(pieces, name=f"batch-{batch_id}")


def _progress(caller: Caller, batch_id: int) -> dict[str, Any]:
    found = batches.one(batch_id, tenant_id=caller.tenant_id)
    return {
        "found": found,
        "curate_path": f"/curate/{batches.TABLES[found.row['kind']]}",
        "endings": batches.reasons_given(batch_id),
        "open_work": batches.still_open(batch_id),
    }


def _said(imported: Imported) -> str:
    duplicate, rejected = imported.of("duplicate"), imported.of("rejected")
    return f"{counted(imported.of('added'), 'row')} added, {duplicate:,} duplicate, {rejected:,} rejected."

"""`/batches`: bring businesses, domains, sitemaps or pages, and see what became of every row."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Path, Query, Response, UploadFile
from fastapi.responses import StreamingResponse

from api import noted
from api.batch_bodies import (
    BatchDetail,
    BatchRow,
    BatchRows,
    BatchState,
    Brought,
    Noun,
    Result,
    brought_of,
    counts_of,
    state_of,
)
from api.caller import Exporter, Reader, Submitter
from api.contract import Id, Page, Text
from api.download import download, files
from api.listing import Listing, page_of
from api.progress import endings_of, open_of, stages_of, waiting_of
from api.uploads import few_at_a_time
from pipeline import batch_rows, batches
from pipeline.batches import Found
from pipeline.import_kinds import Kind
from pipeline.import_rows import import_rows, kind_named, noun_of
from pipeline.imports import Imported, import_list
from pipeline.list_file import read_choices

router = APIRouter(prefix="/batches", tags=["batches"])

BatchId = Annotated[Id, Path(description="the batch", examples=[1])]
DRY: dict[int | str, dict[str, Any]] = {
    200: {"model": Brought, "description": "a dry run: what would become of each row; nothing was stored"}
}
UNNAMED = "rows without a file"
LONGEST_NAME = 200


@router.post("", status_code=201, summary="Bring rows", responses=DRY)
def bring_rows(caller: Submitter, body: BatchRows, response: Response) -> Brought:
    """Store rows that are sent with the request, and start their work; every row is added, duplicate or rejected."""
    kind = kind_named(body.kind)
    owner = noted.owner(caller, "bring", "batches", kind=kind.noun, name=body.name, auto=body.auto)
    imported = import_rows(
        kind, body.rows, name=body.name or UNNAMED, auto=body.auto, dry_run=body.dry_run, owner=owner
    )
    return _answered(response, kind, imported)


@router.post("/{kind}/uploads", status_code=201, summary="Bring a file", responses=DRY, dependencies=[few_at_a_time])
def bring_file(
    caller: Submitter,
    response: Response,
    kind: Annotated[Noun, Path(description="what the rows are")],
    file: Annotated[UploadFile, File(description="CSV in any common encoding, or XLSX; with or without a header")],
    column: Annotated[
        list[Text], Form(description="which column holds a field: `domain=Website URL` or `domain=2`", max_length=50)
    ] = [],  # noqa: B006 - never changed
    sheet: Annotated[Text | None, Form(description="which sheet of an XLSX file; else its first")] = None,
    auto: Annotated[bool, Form(description="start at once; else each waits for your decision")] = True,
    name: Annotated[Text | None, Form(description="what to call the batch; else the file's name")] = None,
    dry_run: Annotated[bool, Form(description="only say how it was read and what would become of each row")] = False,
) -> Brought:
    """Store the rows of a file, and start their work; with `dry_run` see first which columns are read."""
    wanted = kind_named(kind)
    called = (name or file.filename or UNNAMED).replace("\x00", "")[:LONGEST_NAME]
    imported = import_list(
        wanted,
        file.file,
        name=called,
        chosen=read_choices(column),
        auto=auto,
        dry_run=dry_run,
        owner=noted.owner(caller, "bring", "batches", kind=kind, name=called, auto=auto),
        sheet=sheet,
    )
    return _answered(response, wanted, imported)


@router.get("", summary="List batches")
def list_batches(caller: Reader, listing: Annotated[Listing, Query()]) -> Page[BatchState]:
    """Give your batches, the newest first, with their status and what became of their rows."""
    found = batches.page(caller.tenant_id, limit=listing.limit, cursor=listing.cursor, with_total=listing.with_total)
    return Page(items=[_state(one) for one in found.rows], total=found.total, next_cursor=found.next_cursor)


@router.get("/{batch_id}", summary="Look at a batch")
def get_batch(caller: Reader, batch_id: BatchId) -> BatchDetail:
    """Give one batch: what became of its rows, how far their work is, and why what did not go on did not."""
    found = batches.one(batch_id, tenant_id=caller.tenant_id)
    return BatchDetail(
        **_state(found).model_dump(),
        counts=counts_of(found),
        reasons=endings_of(batches.reasons_given(batch_id)),
        open=open_of(batches.still_open(batch_id)),
    )


class RowListing(Listing):
    """Which rows of a batch."""

    result: Result | None = None
    reason: Text | None = None


@router.get("/{batch_id}/rows", summary="List a batch's rows")
def list_batch_rows(caller: Reader, batch_id: BatchId, listing: Annotated[RowListing, Query()]) -> Page[BatchRow]:
    """Give the rows of a batch in the order of the list, each with what became of it and how its work stands."""
    wanted = batch_rows.Wanted(batch_id, listing.result, listing.reason)
    found = batch_rows.page(
        wanted,
        limit=listing.limit,
        cursor=listing.cursor,
        with_total=listing.with_total,
        tenant_id=caller.tenant_id,
    )
    return page_of(BatchRow, found)


@router.get(
    "/{batch_id}/result.csv",
    summary="Download what became of a batch",
    responses=files("csv"),
    response_class=StreamingResponse,
)
def download_batch(
    caller: Exporter,
    batch_id: BatchId,
    result: Annotated[Result | None, Query(description="only rows that ended so")] = None,
) -> StreamingResponse:
    """Give every row as it was written, with what became of it and how its work stands."""
    pieces = batch_rows.result_file(batch_rows.Wanted(batch_id, result), tenant_id=caller.tenant_id)
    noted.write(caller, "export", "batches", batch=batch_id)
    return download(pieces, name=f"batch-{batch_id}")


def _answered(response: Response, kind: Kind, imported: Imported) -> Brought:
    if imported.batch_id is None:
        response.status_code = 200
    return brought_of(kind, imported)


def _state(found: Found) -> BatchState:
    own = state_of(found, noun_of(found.row["kind"]))
    return BatchState(**own, stages=stages_of(found.progress), waiting=waiting_of(found.progress))

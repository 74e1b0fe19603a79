"""Suppressions: who is never exported or written to; only hashes are kept, so the list cannot be read back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api import noted
from api.contract import Cursor, Id
from api.uploads import few_at_a_time
from dashboard.page import go, show
from dashboard.problems import status_of
from dashboard.typed import Asked, Word
from dashboard.visitor import Curator, Reader
from errors import BadInput, UserError
from leads import suppression_check, suppression_import, suppression_list
from leads.subjects import known_kind, known_region, subject_named, subjects_of
from models.suppression import SUPPRESSION_KINDS

router = APIRouter(prefix="/suppressions")

ROWS = 50
MOST_VALUES = 10_000
# A person is put there by an erasure alone.
GIVEN_KINDS = tuple(kind for kind in SUPPRESSION_KINDS if kind != "person")
Many = Annotated[str, Form(max_length=900_000, pattern=r"^[^\x00]*$")]


@router.get("")
def suppressions_page(
    request: Request,
    visitor: Reader,
    value: Asked = "",
    kind: Annotated[str, Query(max_length=20)] = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """List the entries, and say whether somebody is among them."""
    standing, refused = None, None
    try:
        if value.strip():
            subject = subject_named(value.strip(), None, kinds=SUPPRESSION_KINDS)
            standing = suppression_check.check(visitor.tenant_id, [subject])[0]
    except BadInput as fault:
        refused = fault
    wanted = known_kind(kind, SUPPRESSION_KINDS) if kind else None
    return _page(request, visitor, wanted, cursor, refused, value=value, standing=standing)


@router.post("")
def add(
    request: Request, visitor: Curator, values: Many = "", kind: Word = "", reason: Word = "", region: Word = "US"
) -> Response:
    """Put emails, phones or domains on the list, one a line; all of them, or none when one cannot be read."""
    given = [line.strip() for line in values.splitlines() if line.strip()]
    try:
        if not 0 < len(given) <= MOST_VALUES:
            raise BadInput(f"Give 1 to {MOST_VALUES:,} emails, phone numbers or domains, one a line.")
        subjects = subjects_of(given, kind=kind or None, region=region)
    except BadInput as refused:
        typed = {"values": values, "kind": kind, "reason": reason, "region": region}
        return _page(request, visitor, None, None, refused, form=typed)
    added = suppression_list.add(visitor.tenant_id, subjects, reason=reason or None, **noted.by(visitor))
    said = f"{len(added):,} put on the list, {len(subjects) - len(added):,} were on it before."
    return go(request, "/suppressions", said=said)


@router.post("/uploads", dependencies=[few_at_a_time])
def upload(
    request: Request,
    visitor: Curator,
    file: Annotated[UploadFile, File()],
    column: Word = "",
    kind: Word = "",
    reason: Word = "",
    region: Word = "US",
) -> Response:
    """Put a whole file on the list."""
    wanted = known_kind(kind) if kind else None
    reading = suppression_import.Reading(
        column or None, wanted, known_region(region), reason or None, noted.by(visitor)
    )
    name = (file.filename or "the file").replace("\x00", "")[:200]
    done = suppression_import.import_list(visitor.tenant_id, file.file, name, reading)
    return go(request, "/suppressions", said=_told(done))


@router.post("/{suppression_id}/delete")
def remove(request: Request, visitor: Curator, suppression_id: Id) -> Response:
    """Take one entry off the list."""
    suppression_list.remove_id(visitor.tenant_id, suppression_id, **noted.by(visitor))
    return go(request, "/suppressions", said="The entry is off the list.")


def _told(done: Any) -> str:
    added, known, rejected = (done.of(result) for result in ("added", "duplicate", "rejected"))
    said = f"{added:,} put on the list, {known:,} were on it before, {rejected:,} could not be read."
    rows = ", ".join(f"row {row.line} ({why})" for row, why in list(done.rejected)[:5])
    return f"{said} The first of those: {rows}." if rows else said


def _page(
    request: Request,
    visitor: Caller,
    kind: str | None,
    cursor: str | None,
    refused: UserError | None,
    *,
    form: dict[str, str] | None = None,
    value: str = "",
    standing: dict[str, Any] | None = None,
) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/suppressions.html",
        status=200 if refused is None else status_of(refused),
        found=suppression_list.page(visitor.tenant_id, kind, limit=ROWS, cursor=cursor, with_total=False),
        kind=kind,
        kinds=SUPPRESSION_KINDS,
        given_kinds=GIVEN_KINDS,
        cursor=cursor,
        refused=refused,
        value=value,
        standing=standing,
        form=form or {"values": "", "kind": "", "reason": "", "region": "US"},
        longest_reason=suppression_list.LONGEST_REASON,
    )

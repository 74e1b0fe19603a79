"""`/suppressions` and `/erasures`: who is never exported, and who is removed altogether."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Path, Query, UploadFile
from pydantic import BaseModel, Field

from accounts.caller import Caller
from api import noted, problems
from api.caller import Administrator, Curator, Reader
from api.contract import Body, Id, Page, Text
from api.listing import Listing, page_of
from api.uploads import few_at_a_time
from errors import NotFound
from leads import erasure, suppression_check, suppression_import, suppression_list
from leads.erasure_target import target_of
from leads.subjects import known_region, subject_named, subjects_of
from models.suppression import SUPPRESSION_KINDS

router = APIRouter(tags=["suppressions"])

Kind = Literal["email", "phone", "domain"]
AnyKind = Literal["email", "phone", "domain", "person"]
Region = Annotated[Text, Field(description="the country in which numbers without one are read", examples=["US"])]
Erased = Annotated[bool, Query(description="also what was erased on somebody's request; admins alone")]
MOST_VALUES = 10_000


class SuppressionEntry(BaseModel):
    """One entry of the list; whom it stands for is not stored."""

    id: int = Field(examples=[1])
    kind: AnyKind
    value_hash: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    reason: str | None = Field(examples=["asked by letter"])
    is_erased: bool = Field(description="removed for good, and not even stored when it is found again")
    created_at: datetime


class SuppressionListing(Listing):
    """Which entries of the list."""

    kind: AnyKind | None = None


class ToSuppress(Body):
    """Whom never to export or write to; a domain covers every address at it."""

    values: list[Text] = Field(min_length=1, max_length=MOST_VALUES, examples=[["ann@acme.example", "+15125550100"]])
    kind: Kind | None = Field(default=None, description="what they are; else by what each looks like")
    reason: Text | None = Field(default=None, description="why, in your words; do not name whom")
    region: Region = "US"


class Suppressed(BaseModel):
    """How many are on the list now that were not before, and how many were."""

    added_count: int = Field(examples=[2])
    known_count: int = Field(examples=[0])


class Unused(BaseModel):
    """A row that could not be read."""

    row_number: int = Field(examples=[4])
    reason: str = Field(examples=["no-address"])


class SuppressedList(BaseModel):
    """What became of the rows of a list."""

    added_count: int = Field(examples=[120])
    duplicate_count: int = Field(examples=[3])
    rejected_count: int = Field(examples=[1])
    rejected_rows: list[Unused] = Field(description="the first that were rejected")


class Standing(BaseModel):
    """How somebody stands on the list."""

    value: str = Field(description="as it is compared", examples=["ann@acme.example"])
    kind: AnyKind
    state: Literal["suppressed", "suppressed by its domain", "erased", "not listed"]
    reason: str | None = Field(examples=[None])


class ToErase(Body):
    """Whom to remove for good."""

    value: Text = Field(description="a person is written `Ann Low at acme.example`", examples=["ann@acme.example"])
    kind: AnyKind | None = Field(default=None, description="what it is; else by what it looks like")
    region: Region = "US"
    dry_run: bool = Field(default=False, description="only say what would be removed")


class Along(BaseModel):
    """Something of the same person that goes too."""

    kind: str = Field(examples=["phone"])
    value: str = Field(examples=["+15125550100"])


class ErasureDone(BaseModel):
    """What was removed or cleared, or would be."""

    is_dry_run: bool
    rows: dict[str, int] = Field(description="by table", examples=[{"contacts": 2, "sightings": 5}])
    along: list[Along] = Field(description="what else of the same person goes")
    listed_count: int = Field(description="hashes that keep it from being stored again", examples=[1])


@router.get("/suppressions", summary="List who is suppressed")
def list_suppressions(caller: Reader, listing: Annotated[SuppressionListing, Query()]) -> Page[SuppressionEntry]:
    """Give the entries of the list, the newest first: hashes, kinds, reasons and times."""
    found = suppression_list.page(
        caller.tenant_id,
        listing.kind,
        limit=listing.limit,
        cursor=listing.cursor,
        with_total=listing.with_total,
    )
    return page_of(SuppressionEntry, found)


@router.post("/suppressions", status_code=201, summary="Suppress somebody")
def add_suppressions(caller: Curator, body: ToSuppress) -> Suppressed:
    """Put emails, phones or domains on the list; all of them, or none when one cannot be read."""
    subjects = subjects_of(body.values, kind=body.kind, region=body.region)
    added = suppression_list.add(caller.tenant_id, subjects, reason=body.reason, **noted.by(caller))
    return Suppressed(added_count=len(added), known_count=len(subjects) - len(added))


@router.post("/suppressions/uploads", status_code=201, summary="Suppress a whole list", dependencies=[few_at_a_time])
def upload_suppressions(
    caller: Curator,
    file: Annotated[UploadFile, File(description="CSV or XLSX, with or without a header")],
    column: Annotated[Text | None, Form(description="the column to read, by its header or its number")] = None,
    kind: Annotated[Kind | None, Form(description="what they are; else by what each looks like")] = None,
    reason: Annotated[Text | None, Form(description="why, in your words; do not name whom")] = None,
    region: Annotated[Text, Form(description="the country in which numbers without one are read")] = "US",
) -> SuppressedList:
    """Put a whole file on the list, and say what became of its rows."""
    reading = suppression_import.Reading(column, kind, known_region(region), reason, noted.by(caller))
    name = (file.filename or "the file").replace("\x00", "")[:200]
    done = suppression_import.import_list(caller.tenant_id, file.file, name, reading)
    return SuppressedList(
        **{f"{result}_count": done.of(result) for result in ("added", "duplicate", "rejected")},
        rejected_rows=[Unused(row_number=row.line, reason=why) for row, why in done.rejected],
    )


@router.get("/suppressions/check", summary="Look whether somebody is suppressed")
def check_suppression(
    caller: Reader,
    value: Annotated[Text, Query(description="an email, phone, domain, or `Ann Low at acme.example`")],
    kind: Annotated[AnyKind | None, Query(description="what it is; else by what it looks like")] = None,
    region: Annotated[Text, Query(description="the country in which a number without one is read")] = "US",
) -> Standing:
    """Say whether a value is on the list, or covered by a domain that is."""
    subject = subject_named(value, kind, region, SUPPRESSION_KINDS)
    return Standing(**suppression_check.check(caller.tenant_id, [subject])[0])


@router.delete("/suppressions", status_code=204, summary="Take a value off", responses=problems.answers(409))
def remove_suppressed_value(
    caller: Curator,
    value: Annotated[Text, Query(description="an email, phone, domain, or `Ann Low at acme.example`")],
    kind: Annotated[AnyKind | None, Query(description="what it is; else by what it looks like")] = None,
    region: Annotated[Text, Query(description="the country in which a number without one is read")] = "US",
    erased: Erased = False,
) -> None:
    """Take an email, phone, domain or person off the list."""
    _check_erased(caller, erased)
    subject = subject_named(value, kind, region, SUPPRESSION_KINDS)
    if not suppression_list.remove(caller.tenant_id, [subject], erased=erased, **noted.by(caller)):
        raise NotFound("Nothing was removed: this is not on the list.")


@router.delete(
    "/suppressions/{suppression_id}", status_code=204, summary="Take an entry off", responses=problems.answers(409)
)
def remove_suppression(
    caller: Curator, suppression_id: Annotated[Id, Path(description="the entry")], erased: Erased = False
) -> None:
    """Take one entry off the list by its number."""
    _check_erased(caller, erased)
    suppression_list.remove_id(caller.tenant_id, suppression_id, erased=erased, **noted.by(caller))


@router.post("/erasures", summary="Erase somebody")
def erase(caller: Administrator, body: ToErase) -> ErasureDone:
    """Remove every copy of a value and of the person behind it, and keep only the hash; a dry run only counts."""
    target = target_of(body.value, body.kind, known_region(body.region))
    if body.dry_run:
        found = erasure.preview(caller.tenant_id, target)
    else:
        found = erasure.erase(caller.tenant_id, target, **noted.by(caller))
    return ErasureDone(
        is_dry_run=body.dry_run,
        rows=dict(found.counts),
        along=[Along(kind=kind, value=value) for kind, value in found.along],
        listed_count=len(found.hashes),
    )


def _check_erased(caller: Caller, erased: bool) -> None:
    if erased:
        caller.check("administer")

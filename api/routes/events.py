"""Events: follow a search, or all work, while it goes on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from api.caller import Reader
from api.contract import LARGEST_ID, Id
from api.stream import LONGEST_SECONDS, MEDIA_TYPE, EventStream
from errors import BadInput
from notices.watching import Wanted
from pipeline import searches

router = APIRouter(tags=["events"])

EXAMPLE = """retry: 2000

event: progress
data: {"search_id": 7, "status": "InProgress", "stages": {"search": {"Queued": 0, "Processing": 0, "Completed": 1}}}

event: contact
id: 4711
data: {"id": 4711, "kind": "email", "value": "info@smith-dental.example", "domain": "smith-dental.example"}

event: completed
data: {"search_id": 7, "status": "Completed"}

"""
STREAM = {
    "description": "server-sent events until the search is complete, or the time is up",
    "content": {MEDIA_TYPE: {"example": EXAMPLE}},
}


@router.get("/events", summary="Follow what happens", response_class=StreamingResponse, responses={200: STREAM})
def follow_events(
    caller: Reader,
    search: Annotated[Id | None, Query(description="the search to follow; without it, all work of the tenant")] = None,
    seconds: Annotated[int, Query(ge=1, le=LONGEST_SECONDS, description="for how long")] = LONGEST_SECONDS,
    last_event_id: Annotated[
        str | None, Header(max_length=40, description="the last `contact` that was heard: those after it are told")
    ] = None,
) -> StreamingResponse:
    """Stream `progress` (when something has changed, at most once a second), each new `contact` of a search with its
    id, and at its end `completed`. Open the stream again when it ends before; `Last-Event-ID` says where to go on."""
    if search is not None:
        searches.check_exists(search, caller.tenant_id)
    return EventStream(Wanted(caller.tenant_id, search), last_contact=_contact_of(last_event_id), seconds=seconds)


def _contact_of(last_event_id: str | None) -> int | None:
    if not last_event_id:
        return None
    if not (last_event_id.isascii() and last_event_id.isdigit() and int(last_event_id) <= LARGEST_ID):
        raise BadInput("Last-Event-ID is not the id of an event of ours: leave it out to begin with the newest.")
    return int(last_event_id)

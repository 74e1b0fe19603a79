"""Streams: server-sent events. While nothing happens a stream holds neither a thread nor a database connection."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Event
from typing import Any, TypeVar
from uuid import UUID

import structlog
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from api.problems import refuse
from errors import NotFound
from notices import watching
from notices.watching import Look, Newest, Row, Wanted
from pipeline.database import DRIVER_FAULTS, is_lost

log = structlog.get_logger("stream")
T = TypeVar("T")

# A tenant leaves room for the others, and somebody with many windows for their colleagues.
MOST_STREAMS, MOST_OF_A_TENANT, MOST_OF_A_USER = 100, 25, 10
TOO_MANY = "Too many streams are open here already: try again later, or ask for the state."
MEDIA_TYPE = "text/event-stream"
# Whoever may no longer look on is found out when the stream is opened again.
LONGEST_SECONDS = 900
LOOK_SECONDS = 1.0
# Looking costs the database more the larger a search is; it should cost the work little.
SHARE_OF_TIME = 0.1
BEAT_SECONDS = 15.0

_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="stream")
_open: set[Stream] = set()
_looks: dict[Wanted, asyncio.Task[Look | None]] = {}
_is_over = Event()


def end_all() -> None:
    """End every stream soon: the server stops, and waits for what is open."""
    _is_over.set()


@dataclass
class Following:
    """What one listener has heard so far, and until when it is told more."""

    wanted: Wanted
    last_contact: int | None
    until: float
    told: Row | None = None
    spoke_at: float = field(default_factory=time.monotonic)


class Stream(StreamingResponse):
    """Tells one listener what happens; Starlette ends it as soon as that one has gone."""

    def __init__(self, tenant_id: UUID, events: AsyncIterator[str], *, user_id: UUID | None = None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events, headers=headers, media_type=MEDIA_TYPE)
        self.tenant_id, self.user_id = tenant_id, user_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_one_too_many():
            await refuse(503, TOO_MANY, headers={"Retry-After": "60"})(scope, receive, send)
            return
        _open.add(self)
        try:
            await super().__call__(scope, receive, send)
        finally:
            _open.discard(self)

    def _is_one_too_many(self) -> bool:
        of_tenant = [stream for stream in _open if stream.tenant_id == self.tenant_id]
        of_user = sum(stream.user_id == self.user_id for stream in of_tenant) if self.user_id else 0
        return len(_open) >= MOST_STREAMS or len(of_tenant) >= MOST_OF_A_TENANT or of_user >= MOST_OF_A_USER


class EventStream(Stream):
    """Tells what changes of a search, or of all of a tenant's."""

    def __init__(self, wanted: Wanted, *, last_contact: int | None, seconds: int) -> None:
        super().__init__(wanted.tenant_id, _events(Following(wanted, last_contact, time.monotonic() + seconds)))


async def _events(following: Following) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    look = await _look(following.wanted)
    while True:
        if look is None:
            yield ": nothing is known at the moment\n\n"
        else:
            async for event in _news(following, look):
                yield event
            if look.is_over:
                yield _event("completed", {name: look.facts.get(name) for name in ("search_id", "status")})
                return
        if time.monotonic() >= following.until or _is_over.is_set():
            return
        if time.monotonic() - following.spoke_at >= BEAT_SECONDS:
            following.spoke_at = time.monotonic()
            yield ": nothing new\n\n"
        look = await _next_look(following.wanted, look)


async def _news(following: Following, look: Look) -> AsyncIterator[str]:
    """Give what this listener does not know yet of a look."""
    if look.facts != following.told:
        following.told, following.spoke_at = look.facts, time.monotonic()
        yield _event("progress", look.facts)
    while newest := await _contacts(following, look):
        for row in newest.rows:
            following.spoke_at = time.monotonic()
            yield _event("contact", row, event_id=row["id"])
        is_all, following.last_contact = newest.last_id == following.last_contact, newest.last_id
        if is_all:
            return


async def _contacts(following: Following, look: Look) -> Newest | None:
    read = partial(watching.contacts, following.wanted, following.last_contact, is_over=look.is_over)
    return await in_thread(read)


async def _next_look(wanted: Wanted, before: Look | None) -> Look | None:
    """Wait for the next look; all who follow the same share it."""
    task = _looks.get(wanted)
    # One that has just ended is still there until the loop goes on, which it would not if it were taken again.
    if task is None or task.done():
        pause = max(LOOK_SECONDS, (before.seconds if before else 0.0) / SHARE_OF_TIME)
        task = _looks[wanted] = asyncio.create_task(_look(wanted, pause))
        task.add_done_callback(lambda ended: _forget(wanted, ended))
    while not (task.done() or _is_over.is_set()):
        await asyncio.wait([task], timeout=LOOK_SECONDS)
    return task.result() if task.done() else None


def _forget(wanted: Wanted, ended: asyncio.Task[Look | None]) -> None:
    if _looks.get(wanted) is ended:
        del _looks[wanted]


async def _look(wanted: Wanted, pause: float = 0.0) -> Look | None:
    """Look after a pause; None when the database does not answer, and what is gone is over."""
    await asyncio.sleep(pause)
    try:
        return await in_thread(watching.look, wanted)
    except NotFound:
        return Look({"search_id": wanted.search_id, "status": None}, is_over=True)


def is_ending() -> bool:
    """Tell whether the server stops."""
    return _is_over.is_set()


async def in_thread(read: Callable[..., T], *given: Any) -> T | None:
    """Read on a thread of the streams' own; None when the database does not answer."""
    try:
        return await asyncio.get_running_loop().run_in_executor(_readers, read, *given)
    except DRIVER_FAULTS as fault:
        if not is_lost(fault):
            raise
        log.warning("database-away", error=str(fault))
        return None


def _event(name: str, data: Row, *, event_id: int | None = None) -> str:
    """Write one event; JSON has no line breaks of its own."""
    head = f"event: {name}\n" + ("" if event_id is None else f"id: {event_id}\n")
    return f"{head}data: {json.dumps(data, default=_plain)}\n\n"


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)

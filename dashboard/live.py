"""Live: a part of a page that is drawn again every second and sent when it has changed, by server-sent events.

All who look at the same part share one drawing. While nobody looks nothing is drawn, and a part that costs more to
draw is drawn less often: looking should cost the work little.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from accounts import sessions
from accounts.caller import Caller
from api.stream import LOOK_SECONDS, SHARE_OF_TIME, Stream, in_thread, is_ending
from dashboard.page import draw_shared
from errors import NotFound

LONGEST_SECONDS = 300
# A log-in may end, or a role change, while a page is open.
ASK_SECONDS = 10.0
BEAT_SECONDS = 4.0
# However much a drawing costs, nobody waits longer for the next.
LONGEST_PAUSE_SECONDS = 10.0


@dataclass(frozen=True)
class Picture:
    """A part of a page: what it shows (the same words for the same drawing), and how it is drawn for its viewers."""

    viewers: tuple[object, ...]
    subject: str
    draw: Callable[[], str] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing and what it cost; no html when the database did not answer."""

    html: str | None
    seconds: float


@dataclass
class Visit:
    """Somebody who looks on, for as long as the log-in allows it."""

    caller: Caller
    asked_at: float = field(default_factory=time.monotonic)

    async def is_over(self) -> bool:
        """Ask now and then; while the database does not answer there is nothing to be seen either."""
        if time.monotonic() - self.asked_at < ASK_SECONDS:
            return False
        self.asked_at = time.monotonic()
        return await in_thread(sessions.goes_on, self.caller) is False


_drawings: dict[Picture, asyncio.Task[Drawn]] = {}


def follow(caller: Caller, subject: str, template: str, look: Callable[[], dict[str, Any]]) -> Stream:
    """Answer with a stream of `drawn` events, each the whole part anew, and of `beat` events that say it is alive.

    Everybody of a tenant with the same role gets the same drawing: it holds nothing of one log-in, so its buttons are
    htmx's, which bring their page's proof along.
    """
    viewers = (caller.tenant_id, caller.role)
    picture = Picture(viewers, f"{template} {subject}", lambda: draw_shared(template, caller, **look()))
    return Stream(caller.tenant_id, _events(picture, Visit(caller)), user_id=caller.user_id)


async def _events(picture: Picture, visit: Visit) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    until, spoke_at, told = time.monotonic() + LONGEST_SECONDS, 0.0, None
    drawn = await _draw(picture)
    while drawn.html != "" and time.monotonic() < until and not is_ending():
        if drawn.html is not None and drawn.html != told:
            told, spoke_at = drawn.html, time.monotonic()
            yield _event("drawn", drawn.html)
        elif drawn.html is not None and time.monotonic() - spoke_at >= BEAT_SECONDS:
            spoke_at = time.monotonic()
            yield _event("beat", "alive")
        elif drawn.html is None:
            yield ": nothing is known at the moment\n\n"
        drawn = await _next(picture, drawn)
        if await visit.is_over():
            return


async def _next(picture: Picture, before: Drawn) -> Drawn:
    """Wait a moment for the next drawing, which all who follow the same share; give the one before until then."""
    task = _drawings.get(picture)
    # One that has just ended is still there until the loop goes on, which it would not if it were taken again.
    if task is None or task.done():
        pause = max(LOOK_SECONDS, min(before.seconds / SHARE_OF_TIME, LONGEST_PAUSE_SECONDS))
        task = _drawings[picture] = asyncio.create_task(_draw(picture, pause))
        task.add_done_callback(lambda ended: _forget(picture, ended))
    await asyncio.wait([task], timeout=LOOK_SECONDS)
    return task.result() if task.done() else before


def _forget(picture: Picture, ended: asyncio.Task[Drawn]) -> None:
    if _drawings.get(picture) is ended:
        del _drawings[picture]


async def _draw(picture: Picture, pause: float = 0.0) -> Drawn:
    """Draw after a pause; what is gone is drawn as nothing, which ends the stream."""
    await asyncio.sleep(pause)
    began = time.monotonic()
    try:
        html = await in_thread(picture.draw)
    except NotFound:
        html = ""
    return Drawn(html, time.monotonic() - began)


def _event(name: str, data: str) -> str:
    """Write one event; every line of the data is a line of its own."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines())
    return f"event: {name}\n{lines}\n"

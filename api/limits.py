"""Limits: what a request may bring, checked before anything of it is kept or parsed."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from accounts.caller import Caller
from accounts.identify import identify
from api.problems import DATABASE_AWAY, refuse
from errors import NotLoggedIn
from pipeline.database import DRIVER_FAULTS, is_lost

MOST_BODY_BYTES = 1_000_000
# Uploads are read in a stream of their own.
MOST_UPLOAD_BYTES = 50_000_000
UPLOADS = "/uploads"
LONGEST_TARGET = 8_000

Refusal = tuple[int, str]
Tell = Callable[[Request, int, str], Response]


class Limits:
    """Refuses bodies and addresses that are too long, by what is announced and by what really comes.

    An upload is read before its route is asked whether the caller may bring it, so who calls is asked here first.
    `identify` raises for who is nobody; `tell` makes the answer that refuses.
    """

    def __init__(self, app: ASGIApp, *, identify: Callable[[Headers], object], tell: Tell) -> None:
        self.app, self.identify, self.tell = app, identify, tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = MOST_UPLOAD_BYTES if scope["path"].endswith(UPLOADS) else MOST_BODY_BYTES
        refusal = _too_long(scope, most)
        if refusal is None and most == MOST_UPLOAD_BYTES:
            refusal = await run_in_threadpool(self._unknown, Headers(scope=scope))
        if refusal is not None:
            await self.tell(Request(scope), *refusal)(scope, receive, send)
        else:
            await self._counted(scope, receive, send, most)

    async def _counted(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        """Pass on what comes until it is too much; then the application sees a client who has gone."""
        seen, has_begun = 0, False

        async def counted() -> Message:
            nonlocal seen
            if seen > most:
                return {"type": "http.disconnect"}
            message = await receive()
            seen += len(message.get("body", b""))
            return {"type": "http.disconnect"} if seen > most else message

        async def answered(message: Message) -> None:
            nonlocal has_begun
            if seen <= most or has_begun:
                has_begun = True
                await send(message)

        try:
            await self.app(scope, counted, answered)
        except ClientDisconnect:
            if seen <= most:
                raise
        if seen > most and not has_begun:
            await self.tell(Request(scope), 413, _sentence(most))(scope, receive, send)

    def _unknown(self, headers: Headers) -> Refusal | None:
        try:
            self.identify(headers)
        except NotLoggedIn as refused:
            return 401, str(refused)
        except DRIVER_FAULTS as fault:
            if not is_lost(fault):
                raise
            return 503, DATABASE_AWAY
        return None


def _too_long(scope: Scope, most: int) -> Refusal | None:
    if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
        return 414, f"The address is longer than {LONGEST_TARGET} bytes: ask for less at a time."
    length = Headers(scope=scope).get("content-length", "")
    return (413, _sentence(most)) if length.isdecimal() and int(length[:20]) > most else None


def identify_program(headers: Headers) -> Caller:
    """Give who calls, by a token or key."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return identify(token.strip() if kind.lower() == "bearer" else headers.get("x-api-key"))


def tell_program(_request: Request, status: int, detail: str) -> Response:
    """Refuse as the API does."""
    return refuse(status, detail, headers={"WWW-Authenticate": "Bearer"} if status == 401 else None)


def _sentence(most: int) -> str:
    return f"A request here may bring at most {most:,} bytes: send less at a time."

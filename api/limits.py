"""Limits: what a request may bring, checked before anything of it is kept or parsed."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import refuse

MOST_BODY_BYTES = 1_000_000
# Uploads are read in a stream of their own.
MOST_UPLOAD_BYTES = 50_000_000
UPLOADS = "/uploads"
LONGEST_TARGET = 8_000


class TooLarge(Exception):
    """More bytes came than were announced or allowed."""


class Limits:
    """Refuses bodies and addresses that are too long, by what is announced and by what really comes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = MOST_UPLOAD_BYTES if scope["path"].endswith(UPLOADS) else MOST_BODY_BYTES
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            await refuse(414, f"The address is longer than {LONGEST_TARGET} bytes.")(scope, receive, send)
        elif _announced(scope) > most:
            await refuse(413, _sentence(most))(scope, receive, send)
        else:
            await self._counted(scope, receive, send, most)

    async def _counted(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        seen, has_begun = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except TooLarge:
            if has_begun:
                raise
            await refuse(413, _sentence(most))(scope, receive, send)


def _announced(scope: Scope) -> int:
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    return int(length) if length.isdigit() else 0


def _sentence(most: int) -> str:
    return f"A request here may bring at most {most:,} bytes: send less at a time."

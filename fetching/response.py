"""Response: what a site answered, as plain data; and Body, the same while it is still being read."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from fetching.words import retry_after
from services import charset, content

NOT_MODIFIED = 304


class Head:
    """What every answer has, whether its body is at hand or still on the way."""

    url: str
    status: int
    headers: Mapping[str, str]

    @property
    def content_type(self) -> str | None:
        return self.headers.get("content-type")

    @property
    def etag(self) -> str | None:
        """To be sent back unchanged with the next visit."""
        return self.headers.get("etag")

    @property
    def last_modified(self) -> str | None:
        return self.headers.get("last-modified")

    @property
    def is_not_modified(self) -> bool:
        """Tell whether the site says that what we have is still right."""
        return self.status == NOT_MODIFIED

    @property
    def retry_after(self) -> timedelta | None:
        return retry_after(self.headers.get("retry-after"))


@dataclass(frozen=True)
class Response(Head):
    """One page as it came: `url` is where it was found after `redirects`; `seconds` is until its first byte."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    wire_bytes: int
    redirects: tuple[str, ...] = ()
    robots: str = ""  # the decision that let us ask

    @cached_property
    def decoded(self) -> charset.Text:
        """The body as text, with the charset it was read in and what decided that."""
        return charset.decode(self.body, self.content_type)

    @property
    def text(self) -> str:
        return self.decoded.text

    @property
    def kind(self) -> str:
        """html, xml, pdf, image, …: by its first bytes, then by its header."""
        return content.kind_of(self.body, self.content_type)


class Body(Head, io.RawIOBase):
    """A body that is read while it arrives, within its limits: never held whole. A binary file to its readers."""

    def __init__(self, url: str, status: int, headers: Mapping[str, str], pieces: Iterator[bytes]) -> None:
        self.url = url
        self.status = status
        self.headers = headers
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._rest:
            self._rest = next(self._pieces, b"")
        taken = min(len(buffer), len(self._rest))
        buffer[:taken] = self._rest[:taken]
        self._rest = self._rest[taken:]
        return taken

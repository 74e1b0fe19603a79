"""Request and Reply: what the sandbox's server hands to a site, and what a site wants done, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

HTML = "text/html; charset=utf-8"
JSON = "application/json; charset=utf-8"
XML = "application/xml; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in. Header names are in lower case; `host` has no port and is in lower case."""

    method: str
    host: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    visit: int = 1  # the how manieth request this host has had, counted by the server; flaky sites need it

    @property
    def parameters(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a site answers. A body that is not bytes is produced piece by piece while it is sent, never held whole."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    content_type: str | None = HTML
    headers: tuple[tuple[str, str], ...] = ()
    wait_seconds: float = 0.0  # silence before the first byte
    drip_seconds: float = 0.0  # pause after every byte, head included
    hangs: bool = False  # accepts the request and never answers
    resets: bool = False  # breaks the connection instead of answering


def page(html: str, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    """Answer with a UTF-8 page."""
    return Reply(status, html.encode(), HTML, headers)


def redirect(location: str, *, status: int = 301) -> Reply:
    """Answer with a redirect."""
    return Reply(status, b"", None, (("Location", location),))

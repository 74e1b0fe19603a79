"""Page tokens: opaque, bound to their query, good for a while."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass

_KEY = b"page tokens of the sandbox"
_TAG_BYTES = 12


@dataclass(frozen=True, slots=True)
class Page:
    """Where a query goes on: how many results were given, and when its first page was asked for."""

    digest: str
    offset: int
    began: float
    issued: float


def write_token(page: Page) -> str:
    """Seal a page, so that nobody can make one up."""
    text = f"{page.digest} {page.offset} {page.began!r} {page.issued!r}".encode()
    return base64.urlsafe_b64encode(_tag(text) + text).decode().rstrip("=")


def read_token(token: str) -> Page | None:
    """Open a sealed page; None when it is none of ours."""
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (binascii.Error, ValueError):
        return None
    tag, text = raw[:_TAG_BYTES], raw[_TAG_BYTES:]
    if not hmac.compare_digest(tag, _tag(text)):
        return None
    digest, offset, began, issued = text.decode().split(" ")
    return Page(digest, int(offset), float(began), float(issued))


def _tag(text: bytes) -> bytes:
    return hmac.digest(_KEY, text, hashlib.sha256)[:_TAG_BYTES]

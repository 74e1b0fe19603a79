"""Sites whose pages are far too big, on the wire or once inflated."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandbox.message import Reply
from sandbox.sites import bombs
from sandbox.sites.visit import Visit, misbehaves


@misbehaves("huge-page")
def huge_page(_: Visit) -> Reply:
    """Send more than 50 MiB of HTML."""
    return Reply(200, bombs.huge_page())


@misbehaves("gzip-bomb")
def gzip_bomb(visit: Visit) -> Reply:
    """Send a little gzip that inflates to 1 GiB."""
    return _bomb(visit, "gzip", bombs.gzip_bomb)


@misbehaves("brotli-bomb")
def brotli_bomb(visit: Visit) -> Reply:
    """Send a little brotli that inflates to 1 GiB."""
    return _bomb(visit, "br", bombs.brotli_bomb)


@misbehaves("zstd-bomb")
def zstd_bomb(visit: Visit) -> Reply:
    """Send a little zstd that inflates to 1 GiB."""
    return _bomb(visit, "zstd", bombs.zstd_bomb)


def _bomb(visit: Visit, coding: str, produce: Callable[[], Iterator[bytes]]) -> Reply:
    """Who does not take the coding gets a page without end: the size is the trouble here, in any clothes."""
    if not accepts(visit.request.headers.get("accept-encoding", ""), coding):
        return Reply(200, bombs.endless_page())
    return Reply(200, produce(), headers=(("Content-Encoding", coding), ("Vary", "Accept-Encoding")))


def accepts(header: str, coding: str) -> bool:
    """Read whether an Accept-Encoding header allows a coding."""
    weights: dict[str, bool] = {}
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        weights[name.strip()] = weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return weights.get(coding, weights.get("*", False))

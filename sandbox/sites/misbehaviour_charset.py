"""Sites whose pages are written in an old, odd or wrong charset, or in HTML that no checker would pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sandbox.message import Reply
from sandbox.sites.visit import Visit, misbehaves

META = '<meta charset="utf-8">'
STRAY = b"\xff\xfe \xc3\x28 \x00 "


@misbehaves("wrong-charset")
def wrong_charset(visit: Visit) -> Reply:
    """Say UTF-8 and send Latin-1."""
    return _rewritten(visit, _latin_1, None)


@misbehaves("latin-1")
def latin_1(visit: Visit) -> Reply:
    """Send Latin-1 and say so only inside the page."""
    return _rewritten(visit, lambda html: _latin_1(html.replace(META, '<meta charset="iso-8859-1">')), "text/html")


def _latin_1(html: str) -> bytes:
    return html.encode("latin-1", errors="xmlcharrefreplace")


@misbehaves("utf-16")
def utf_16(visit: Visit) -> Reply:
    """Send UTF-16, told by the header or only by the mark at the start."""
    told = ("text/html; charset=utf-16", "text/html")[visit.business.index % 2]
    return _rewritten(visit, lambda html: html.replace(META, "").encode("utf-16"), told)


@misbehaves("invalid-html")
def invalid_html(visit: Visit) -> Reply:
    """Leave tags open, close others in the wrong order, and drop stray bytes in between."""
    return _rewritten(visit, mangle, None)


def mangle(html: str) -> bytes:
    """Spoil the structure of a page and keep its words."""
    for good, bad in (
        ("</p>", ""),
        ("</li>", ""),
        ("</header>", "</span></header"),
        ("<main>", "<main><b><i><table><div <div>"),
        ("</main>", "</b></table></i>"),
        ("</body></html>", "</html><p>&copy; &bogus; &#xZZ; <3 <unknown/><!-- -- -->"),
    ):
        html = html.replace(good, bad)
    return html.encode().replace(b"<footer", STRAY + b"<footer")


def _rewritten(visit: Visit, rewrite: Callable[[str], bytes], content_type: str | None) -> Reply:
    """Rewrite pages only: sitemaps of such sites are as good as any."""
    reply = visit.normal()
    if not isinstance(reply.body, bytes) or not (reply.content_type or "").startswith("text/html"):
        return reply
    return replace(reply, body=rewrite(reply.body.decode()), content_type=content_type or reply.content_type)

"""Content: what a body is, by its own first bytes and then by what its server said."""

from __future__ import annotations

import re

SNIFFED_BYTES = 1024

SIGNATURES = (
    (b"%PDF-", "pdf"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "archive"),
    (b"\x89PNG\r\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"RIFF", "media"),
    (b"ID3", "media"),
    (b"\x00\x00\x00", "media"),
    (b"7z\xbc\xaf", "archive"),
    (b"Rar!", "archive"),
    (b"\xd0\xcf\x11\xe0", "document"),
)
DECLARED = (
    (re.compile(r"text/html|application/xhtml"), "html"),
    (re.compile(r"[/+]xml|application/rss|application/atom"), "xml"),
    (re.compile(r"[/+]json|javascript"), "json"),
    (re.compile(r"text/"), "text"),
    (re.compile(r"image/"), "image"),
    (re.compile(r"(audio|video|font)/"), "media"),
    (re.compile(r"application/pdf"), "pdf"),
    (re.compile(r"application/(x-)?gzip"), "gzip"),
)
# A comment ends at its first --> and nothing is given back (*+), or comments in a row end in every possible way.
_HTML = re.compile(
    rb"(?:\s|(?><!--.{0,512}?-->))*+<(?:!doctype\s+html|html|head|body|meta|title|script|style|link|div|table|h1|p|a|br|center|frameset)[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_XHTML = re.compile(rb"\s*<\?xml.{0,512}?<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL)
_XML = re.compile(rb"\s*<(?:\?xml|urlset|sitemapindex|rss|feed|svg)[\s>]", re.IGNORECASE)


def kind_of(head: bytes, content_type: str | None = None) -> str:
    """Name what a body is: html, xml, json, text, pdf, gzip, image, media, archive, document or binary.

    Signatures win over the header, since a wrong header is far more common than a wrong signature. A page is believed
    to be one when it looks like one under any text type; a server that names no type gets the benefit of the doubt.
    """
    head = head[:SNIFFED_BYTES].removeprefix(b"\xef\xbb\xbf")
    for signature, kind in SIGNATURES:
        if head.startswith(signature):
            return kind
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head[2:].replace(b"\x00", b"")
    declared = _declared(content_type)
    if _HTML.match(head) or _XHTML.match(head):
        return "html"
    if _XML.match(head):
        return "xml"
    if declared is not None:
        return declared
    return "binary" if b"\x00" in head else "text"


def _declared(content_type: str | None) -> str | None:
    said = (content_type or "").strip().lower()
    for pattern, kind in DECLARED:
        if pattern.search(said):
            return kind
    return None


def is_page(head: bytes, content_type: str | None = None) -> bool:
    """Tell whether a body can be read as a web page: HTML, or text that nobody gave another type."""
    kind = kind_of(head, content_type)
    said_nothing = not (content_type or "").strip() or "octet-stream" in (content_type or "")
    return kind == "html" or (kind == "text" and (said_nothing or "text/plain" in (content_type or "").lower()))

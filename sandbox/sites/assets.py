"""The small files around a page: favicon, styles, scripts, pictures and what a WordPress answers to programs."""

from __future__ import annotations

import zlib
from struct import pack

from sandbox.message import JSON, Reply

PLACES = ("/wp-content/", "/wp-includes/", "/assets/", "/images/", "/cdn-cgi/scripts/")


def _png() -> bytes:
    """Build a picture of one grey point."""
    rows = ((b"IHDR", pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(b"\x00\x80")), (b"IEND", b""))
    chunks = (pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data)) for name, data in rows)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


PNG = _png()
ICON = pack("<HHH", 0, 1, 1) + pack("<BBBBHHII", 1, 1, 0, 0, 1, 8, len(PNG), 22) + PNG
KINDS = {
    "css": Reply(200, b"body{margin:0}\n", "text/css"),
    "js": Reply(200, b'"use strict";\n', "text/javascript"),
    "png": Reply(200, PNG, "image/png"),
    "jpg": Reply(200, PNG, "image/png"),  # browsers look at the picture, not at its name
    "webp": Reply(200, PNG, "image/png"),
    "ico": Reply(200, ICON, "image/x-icon"),
}

PROGRAMS = {
    "/wp-json/": Reply(200, b'{"name":"","namespaces":["wp/v2"],"routes":{}}', JSON),
    "/xmlrpc.php": Reply(200, b'<?xml version="1.0"?><rsd version="1.0"></rsd>', "text/xml"),
}


def asset(path: str) -> Reply | None:
    """Answer for a file that pages draw in; None when the path is not of that sort."""
    if path == "/favicon.ico":
        return KINDS["ico"]
    if path.startswith(PLACES):
        return KINDS.get(path.rpartition(".")[2])
    return PROGRAMS.get(path)

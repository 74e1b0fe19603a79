"""Downloads: a file sent piece by piece; what goes wrong on the way ends the connection, so no half looks whole."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from fastapi.responses import StreamingResponse
from starlette.background import BackgroundTask

MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "jsonl": "application/jsonl; charset=utf-8",
    "vcard": "text/vcard; charset=utf-8",
}
ENDINGS = {"vcard": "vcf"}
_UNSAFE = re.compile(r"[^a-z0-9-]+")


def download(pieces: Generator[bytes], *, name: str, format_: str = "csv") -> StreamingResponse:
    """Answer with a file. Its first piece is made before the answer begins, so that a refusal can still be one.

    Nothing is held between two pieces but the place in the file: a slow reader takes no thread and no connection, and
    when one goes away the rest is not made.
    """
    first = next(pieces, b"")
    safe = _UNSAFE.sub("-", name.lower()).strip("-")[:80] or "file"
    file = f"{safe}-{datetime.now(UTC):%Y-%m-%d}.{ENDINGS.get(format_, format_)}"
    headers = {
        "Content-Disposition": f'attachment; filename="{file}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    # It runs whether the file was read to its end or the reader went away.
    leave = BackgroundTask(pieces.close)
    return StreamingResponse(chain([first], pieces), 200, headers, MEDIA_TYPES[format_], leave)


def files(*formats: str) -> dict[int | str, dict[str, Any]]:
    """Give the `responses` of a route that answers with a file of one of these formats."""
    content = {
        MEDIA_TYPES[format_].partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
        for format_ in formats
    }
    return {200: {"description": "the file", "content": content}}

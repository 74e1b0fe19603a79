"""Assets: our own styles, scripts and pictures. Nothing on a page comes from anywhere else."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter
from fastapi.responses import Response

from dashboard.page import HEADERS, STATIC
from errors import NotFound

router = APIRouter()

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# The address changes with the file.
FOR_GOOD = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}


@cache
def _files() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in STATIC.iterdir() if file.suffix in TYPES}


@router.get("/static/{_digest}/{name}")
def asset(_digest: str, name: str) -> Response:
    """Give one of our files."""
    if name not in _files():
        raise NotFound("There is no such file: load the page again.")
    return Response(_files()[name], headers=FOR_GOOD, media_type=TYPES[f".{name.rpartition('.')[2]}"])


@router.get("/favicon.ico")
def favicon() -> Response:
    """Give the picture that browsers ask for by themselves."""
    return Response(_files()["icon.svg"], headers=HEADERS, media_type=TYPES[".svg"])

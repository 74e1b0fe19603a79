"""Every page there is, with an address that exists in the town: a test fails when a page is not in this table."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.api.routes import api_routes

# The route of a page, and addresses of it that look different.
LEADS: dict[str, tuple[str, ...]] = {
    "/": ("/",),
    "/journey": ("/journey", "/journey?value=site2.example"),
}
MACHINE: dict[str, tuple[str, ...]] = {
    "/account": ("/account",),
}
OPEN: dict[str, tuple[str, ...]] = {"/login": ("/login",), "/login/link": ("/login/link",)}
PAGES = LEADS | MACHINE | OPEN

# What a browser gets without showing it by itself: parts of pages, streams, downloads, files.
NOT_PAGES: set[str] = {"/static/{_digest}/{name}", "/favicon.ico"}


def routes() -> set[str]:
    """Give the path of everything that can be got, from the application itself."""
    from dashboard.app import pages

    return {route.path for route, _ in api_routes(pages.routes) if route.method == "GET"}


def addresses(pages: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Give every address to look at."""
    return [address for variants in pages.values() for address in variants]


def name_of(address: str) -> str:
    """Name the picture of an address."""
    return re.sub(r"[^a-z0-9_]+", "-", address.lower()).strip("-") or "home"

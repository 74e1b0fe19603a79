"""Every page there is, with an address that exists in the town: a test fails when a page is not in this table."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.api.routes import api_routes
from tests.browser.town_machine import RESIDENT

# The route of a page, and addresses of it that look different.
LEADS: dict[str, tuple[str, ...]] = {
    "/": ("/", "/?tenants=all"),
    "/searches": ("/searches",),
    "/searches/new": ("/searches/new",),
    "/searches/{search_id}": ("/searches/1", "/searches/2"),
    "/searches/{search_id}/now": ("/searches/1/now",),
    "/searches/{search_id}/funnel": ("/searches/1/funnel",),
    "/searches/{search_id}/map": ("/searches/1/map",),
    "/searches/{search_id}/endings": ("/searches/1/endings",),
    "/curate/{entity}": (
        "/curate/places",
        "/curate/local_businesses?where=curation_status%3DSelected",
        "/curate/domains?sort=-name",
        "/curate/sitemap_files",
        "/curate/pages",
        "/curate/contacts",
    ),
    "/curate/{entity}/matching": ("/curate/pages/matching",),
    "/curate/operations": ("/curate/operations",),
    "/businesses/{business_id}": ("/businesses/2", "/businesses/12", "/businesses/119"),
    "/businesses/{business_id}/edit": ("/businesses/2/edit",),
    "/businesses/{business_id}/suppress": ("/businesses/2/suppress",),
    "/contacts/{contact_id}": ("/contacts/2", "/contacts/122"),
    "/contacts/{contact_id}/suppress": ("/contacts/2/suppress",),
    "/journey": ("/journey", "/journey?value=site2.example", "/journey?value=nobody"),
    "/journey/{kind}/{row_id}": (
        "/journey/place/2",
        "/journey/business/2",
        "/journey/domain/7",
        "/journey/sitemap_file/2",
        "/journey/page/2",
        "/journey/contact/2",
        "/journey/work/8",
    ),
}
MACHINE: dict[str, tuple[str, ...]] = {
    "/stages/{name}": ("/stages/domain_metadata", "/stages/page_curation?status=Error"),
    "/stages/{name}/{verb}": ("/stages/domain_metadata/retry",),
    "/failures": ("/failures",),
    "/failures/rows": ("/failures/rows",),
    "/failures/ask": ("/failures/ask?verb=retry&stage=domain_metadata",),
    "/failures/waiting": ("/failures/waiting",),
    "/batches": ("/batches",),
    "/batches/new": ("/batches/new",),
    "/batches/{batch_id}": ("/batches/1", "/batches/2"),
    "/batches/{batch_id}/progress": ("/batches/1/progress",),
    "/schedules": ("/schedules",),
    "/schedules/new": ("/schedules/new",),
    "/schedules/{schedule_id}": ("/schedules/1", "/schedules/2"),
    "/schedules/{schedule_id}/edit": ("/schedules/2/edit",),
    "/people": ("/people",),
    "/people/users/{user_id}": (f"/people/users/{RESIDENT}",),
    "/people/keys": ("/people/keys",),
    "/people/webhooks": ("/people/webhooks",),
    "/people/webhooks/{webhook_id}": ("/people/webhooks/1",),
    "/suppressions": ("/suppressions",),
    "/account": ("/account",),
    "/audit": ("/audit",),
    "/settings": ("/settings",),
    "/system": ("/system",),
}
OPEN: dict[str, tuple[str, ...]] = {"/login": ("/login",), "/login/link": ("/login/link",)}
PAGES = LEADS | MACHINE | OPEN

# What a browser gets without showing it by itself: parts of pages, streams, downloads, files, and ways to elsewhere.
NOT_PAGES: set[str] = {
    "/static/{_digest}/{name}",
    "/favicon.ico",
    "/flow/events",
    "/stages/{name}/events",
    "/searches/{search_id}/events",
    "/searches/{search_id}/row",
    "/curate",
    "/curate/{entity}/count",
    "/curate/{entity}/filter",
    "/curate/{entity}/matching/count",
    "/businesses/{business_id}/history",
    "/businesses/{business_id}/vcard",
    "/exports/contacts",
    "/exports/leads",
    "/schedules/preview",
    "/batches/counts",
    "/batches/{batch_id}/events",
    "/batches/{batch_id}/result.csv",
    "/system/checks",
    "/system/events",
    "/system/facts",
}


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

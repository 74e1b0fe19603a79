"""What people type and press on every page, as somebody would who means a tenant's rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.api.planted import Planted
from tests.dashboard.routes import Route

LONG = "a password that is long"
SEARCH = {"what": "dentists", "where": "Austin, TX", "provider": "openstreetmap", "mode": "auto", "max_places": "60"}
TIMES = {"by": "cron", "cron": "0 6 * * *", "timezone": "UTC", "catch_up": "last", "grace": "1", "grace_unit": "hours"}
LIST = ("list.csv", b"domain\nacme.example\n", "text/csv")


@dataclass
class Furnished(Planted):
    """A whole tenant with what only pages know: a saved view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        query = {"where": [], "sort": "", "columns": []}
        self.ids["view_id"] = self.insert(
            "saved_views", user_id=self.user_id, entity="pages", name=self.mark, query=query
        )


def _schedule(own: Planted) -> dict[str, Any]:
    return {"name": "again", "search": own.ids["search_id"], "action": "run", **TIMES}


# By route; files are sent where the value has `files`.
FORMS: dict[str, Callable[[Planted], dict[str, Any]]] = {
    "POST /login": lambda _: {"email": "nobody@example.org", "password": LONG},
    "POST /login/link": lambda _: {"token": "ssl_x", "password": LONG, "again": LONG},
    "POST /account/password": lambda _: {"old": LONG, "new": LONG + "er", "again": LONG + "er"},
    "POST /stages/{name}/pause": lambda _: {"note": "for a moment"},
    "POST /stages/{name}/window": lambda _: {"size": "100"},
    "POST /searches": lambda _: SEARCH,
    "POST /searches/estimate": lambda _: SEARCH,
    "POST /searches/{search_id}/limits": lambda _: {"budget_usd": "7", "max_places": "100"},
    "POST /curate/{entity}/matching": lambda own: {
        "status": "Archived", "where": f"id={own.ids['rows']['pages']}", "back": "/curate/pages"
    },
    "POST /curate/undo/{operation_id}": lambda _: {"back": "/curate/pages"},
    "POST /curate/{entity}/decide": lambda own: {
        "status": "Archived", "ids": own.ids["rows"]["pages"], "back": "/curate/pages"
    },
    "POST /views": lambda _: {"entity": "pages", "name": "a view"},
    "POST /views/{view_id}/rename": lambda _: {"name": "another name"},
    "POST /businesses/{business_id}/decide": lambda _: {"status": "Maybe"},
    "POST /businesses/{business_id}/edit": lambda own: {"field": "name", "was": own.mark, "value": "Another"},
    "POST /businesses/{business_id}/contacts": lambda own: {
        "kind": "email", "value": "new@example.org", "domain_id": own.ids["rows"]["domains"]
    },
    "POST /contacts/{contact_id}/edit": lambda own: {"field": "person_name", "was": own.mark, "value": "Another"},
    "POST /contacts/{contact_id}/decide": lambda _: {"status": "Maybe"},
    "POST /work/{work_id}/retry": lambda _: {"back": "/failures"},
    "POST /work/{work_id}/cancel": lambda _: {"back": "/failures"},
    "POST /failures/act": lambda own: {"verb": "retry", "id": own.ids["work_id"]},
    "POST /schedules": _schedule,
    "POST /schedules/{schedule_id}/edit": _schedule,
    "POST /people/users": lambda _: {"email": "somebody@example.org", "role": "viewer"},
    "POST /people/users/{user_id}": lambda _: {"role": "viewer"},
    "POST /people/keys": lambda _: {"name": "a key", "scopes": ["read"]},
    "POST /people/webhooks": lambda _: {"url": "https://hooks.example.org/x", "events": ["search.completed"]},
    "POST /people/webhooks/{webhook_id}": lambda _: {
        "url": "https://hooks.example.org/x", "events": ["search.completed"], "description": "another"
    },
    "POST /batches/uploads": lambda _: {"kind": "domains", "act": "preview", "header": "true", "files": {"file": LIST}},
    **{
        f"POST /{owner}/suppress": lambda own: {"chosen": [f"info@{own.mark}.example"], "reason": "asked"}
        for owner in ("businesses/{business_id}", "contacts/{contact_id}")
    },
    **{
        f"POST /{owner}/unsuppress": lambda own: {"value": f"info@{own.mark}.example"}
        for owner in ("businesses/{business_id}", "contacts/{contact_id}")
    },
    "POST /suppressions": lambda _: {"values": "stop@example.org"},
    "POST /suppressions/uploads": lambda _: {"files": {"file": LIST}},
}  # fmt: skip

# What a route cannot do without, or shows more with.
QUERIES: dict[str, Callable[[Planted], dict[str, Any]]] = {
    "GET /journey": lambda own: {"value": f"info@{own.mark}.example"},
    "GET /failures/rows": lambda _: {"stage": "sitemap_import", "reason": "timeout"},
    "GET /failures/ask": lambda _: {"stage": "sitemap_import", "reason": "timeout", "verb": "retry"},
    "GET /stages/{name}/{verb}": lambda _: {"status": "Error"},
    "POST /stages/{name}/{verb}": lambda _: {"status": "Error"},
    "GET /curate/{entity}/matching/count": lambda _: {"status": "Archived"},
    "GET /curate/{entity}/filter": lambda _: {"column": "kind", "operator": "=", "value": "contact"},
    "GET /searches/new": lambda own: {"again": own.ids["search_id"]},
    "GET /schedules/preview": lambda _: TIMES,
}

# Names in paths that all tenants share.
WORDS = {"_digest": "0", "name": "sitemap_import", "entity": "pages", "kind": "domain", "verb": "retry"}
SWEEPER = "check-invariants"
ENTITIES = ("places", "local_businesses", "domains", "sitemap_files", "pages", "contacts")
JOURNEYS = {
    "place": "places", "business": "local_businesses", "domain": "domains", "sitemap_file": "sitemap_files",
    "page": "pages", "contact": "contacts",
}  # fmt: skip
OF_ROWS = {"business_id": "local_businesses", "contact_id": "contacts", "row_id": "domains"}


def named(route: Route, name: str, own: Planted) -> Any:
    """Give what a name in a route's path stands for."""
    if route.path.startswith("/system/sweepers/"):
        return SWEEPER
    return WORDS.get(name) or own.ids["rows"].get(OF_ROWS.get(name, "")) or own.ids[name]


def guesses(route: Route, own: Planted) -> dict[str, Any]:
    """Fill a query with a tenant's ids and words."""
    rows = own.ids["rows"]
    known = {
        "search": rows["searches"], "again": rows["searches"], "value": own.mark, "user_id": own.user_id,
        "tenants": "all", "operation": own.ids["operation_id"], "view": own.ids["view_id"],
        "host": f"{own.mark}.example",
    }  # fmt: skip
    return {name: str(known[name]) for name in route.queries if name in known}


def others(route: Route, own: Planted) -> Iterator[dict[str, Any]]:
    """Give what else the names in a route's path may stand for: every kind of row that it can show."""
    if "entity" in route.parameters:
        yield from ({"entity": entity} for entity in ENTITIES if entity != WORDS["entity"])
    if "kind" in route.parameters:
        yield from ({"kind": kind, "row_id": own.ids["rows"][table]} for kind, table in JOURNEYS.items())
        yield {"kind": "work", "row_id": own.ids["work_id"]}

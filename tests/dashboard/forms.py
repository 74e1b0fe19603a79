"""What people type and press on every page, as somebody would who means a tenant's rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.planted import Planted
from tests.dashboard.routes import Route

LONG = "a password that is long"

# By route; files are sent where the value has `files`.
FORMS: dict[str, Callable[[Planted], dict[str, Any]]] = {
    "POST /login": lambda _: {"email": "nobody@example.org", "password": LONG},
    "POST /login/link": lambda _: {"token": "ssl_x", "password": LONG, "again": LONG},
    "POST /account/password": lambda _: {"old": LONG, "new": LONG + "er", "again": LONG + "er"},
}

# What a route cannot do without.
QUERIES: dict[str, Callable[[Planted], dict[str, Any]]] = {}

# Names in paths that all tenants share.
WORDS = {"_digest": "0", "name": "page_curation"}


def named(route: Route, name: str, own: Planted) -> Any:
    """Give what a name in a route's path stands for."""
    return WORDS.get(name) or own.ids[name]


def guesses(route: Route, own: Planted) -> dict[str, Any]:
    """Fill a query with a tenant's ids and words."""
    rows = own.ids["rows"]
    known = {"search": rows["searches"], "value": own.mark, "user_id": own.user_id, "tenants": "own"}
    return {name: str(known[name]) for name in route.queries if name in known}

"""A body for every route that takes one, as somebody would write it who means a tenant's rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.planted import Planted

LONG = "a password that is long"

# By route; files are sent where the value has `files`.
BODIES: dict[str, Callable[[Planted], dict[str, Any]]] = {
    "POST /auth/login": lambda _: {"email": "nobody@example.org", "password": LONG},
    "POST /auth/refresh": lambda _: {"refresh_token": "ssr_x"},
    "POST /auth/link": lambda _: {"token": "ssl_x", "password": LONG},
    "POST /auth/password": lambda _: {"old_password": LONG, "new_password": LONG + "er"},
    "POST /users": lambda _: {"email": "somebody@example.org", "role": "viewer"},
    "PATCH /users/{user_id}": lambda _: {"role": "viewer"},
    "POST /keys": lambda _: {"name": "a key", "scopes": ["read"]},
    "POST /searches": lambda _: {"what": "dentists", "where": "Austin, TX", "provider": "openstreetmap"},
    "POST /searches/estimate": lambda _: {"what": "dentists", "where": "Austin, TX", "provider": "openstreetmap"},
    "PATCH /searches/{search_id}": lambda _: {"budget_usd": 7},
    **{
        f"PATCH /{entity}/{{row_id}}": lambda _: {"curation_status": "Archived"}
        for entity in ("places", "local_businesses", "domains", "sitemap_files", "pages", "contacts")
    },
    "POST /contacts": lambda own: {
        "kind": "email", "value": "new@example.org", "domain_id": own.ids["rows"]["domains"]
    },
    "POST /{entity}/curation": lambda own: {"status": "Archived", "ids": [own.ids["rows"]["pages"]]},
    "POST /batches": lambda _: {"kind": "domains", "rows": ["acme.example"], "auto": False},
    "POST /batches/{kind}/uploads": lambda _: {"files": {"file": ("list.csv", b"domain\nacme.example\n", "text/csv")}},
    "POST /suppressions": lambda _: {"values": ["stop@example.org"]},
    "POST /suppressions/uploads": lambda _: {"files": {"file": ("list.csv", b"email\nstop@example.org\n", "text/csv")}},
    "POST /erasures": lambda own: {"kind": "email", "value": f"info@{own.mark}.example", "dry_run": False},
    "POST /schedules": lambda own: {
        "name": "again", "stage": "search", "entity_id": own.ids["search_id"], "cron": "0 6 * * *"
    },
    "PATCH /schedules/{schedule_id}": lambda _: {"name": "another name"},
    "POST /webhooks": lambda _: {"url": "https://hooks.example.org/x", "events": ["search.completed"]},
    "PATCH /webhooks/{webhook_id}": lambda _: {"description": "another"},
    "POST /stages/{name}/pause": lambda _: {"note": "for a moment"},
    "PUT /stages/{name}/window": lambda _: {"size": 100},
    "POST /work/retry": lambda own: {"ids": [own.ids["work_id"]]},
    "POST /work/cancel": lambda own: {"ids": [own.ids["work_id"]]},
}  # fmt: skip


def sent(route: str, own: Planted) -> dict[str, Any]:
    """Give what a client sends along: JSON or files."""
    made = BODIES[route](own) if route in BODIES else None
    if made is None:
        return {}
    return made if "files" in made else {"json": made}

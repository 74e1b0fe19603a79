"""Show tenants and add them."""

from __future__ import annotations

from accounts import tenants
from cli.ready import ready
from cli.text import note, print_json, print_table, safe
from cli.users_list import print_link

HEADERS = ("id", "name", "users", "searches", "since")


def add(name: str, admin: str) -> None:
    """Add a tenant and print its admin's link."""
    ready()
    tenant_id, link = tenants.add_with_admin(name, admin)
    note(f"{safe(name)} is tenant {tenant_id}: commands act for it with DEFAULT_TENANT_ID={tenant_id}.")
    if link is not None:
        print_link(link)


def show(*, as_json: bool) -> None:
    """Print all tenants."""
    ready()
    rows = tenants.all_tenants()
    if as_json:
        print_json(rows)
    else:
        print_table(
            HEADERS,
            [[row["id"], row["name"], row["users"], row["searches"], f"{row['created_at']:%Y-%m-%d}"] for row in rows],
        )

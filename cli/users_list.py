"""Show users, add them, and give them a way in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from accounts import users
from accounts.links import Link
from cli.pages import all_rows
from cli.ready import ready
from cli.text import duration, note, print_json, print_table, safe, say
from cli.web_address import web_url
from settings import settings

HEADERS = ("email", "name", "role", "active", "password", "last log-in")


def add(email: str, *, role: str, name: str | None) -> None:
    """Add a user and print their link."""
    ready()
    row, made = users.add(_tenant(), users.Wish(email, role, name))
    note(f"{safe(row['email'])} is added as {row['role']}.")
    if made is not None:
        print_link(made)


def link(email: str) -> None:
    """Print a new link of a user."""
    ready()
    user = users.by_email(_tenant(), email)
    print_link(users.make_link(_tenant(), user["id"]))


def switch(email: str, *, active: bool) -> None:
    """Let a user in, or no more."""
    ready()
    user = users.by_email(_tenant(), email)
    users.change(_tenant(), user["id"], {"is_active": active})
    say(f"{safe(user['email'])} may {'log in' if active else 'not log in any more, and was logged out everywhere'}.")


def show(*, as_json: bool) -> None:
    """Print all users."""
    ready()
    rows = list(all_rows(lambda after, most: users.list_users(_tenant(), after=after, limit=most, total=False)))
    if as_json:
        print_json(rows)
    elif rows:
        print_table(HEADERS, [_line(row) for row in rows])
    else:
        say("There are no users: add one with `scrapersky user add EMAIL --role admin`.")


def _line(row: dict[str, Any]) -> list[object]:
    yes = {True: "yes", False: "no"}
    seen = row["last_login_at"] and row["last_login_at"].strftime("%Y-%m-%d %H:%M")
    return [row["email"], row["name"], row["role"], yes[row["is_active"]], yes[row["has_password"]], seen]


def print_link(made: Link) -> None:
    """Put the link alone on the output, so that it can be copied or piped."""
    note(f"This link works once, within {duration(settings().login_link_hours * 3600)}:")
    say(f"{web_url()}{made.path}")


def _tenant() -> UUID:
    return settings().default_tenant_id

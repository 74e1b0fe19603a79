"""Show keys, make them and revoke them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

from accounts import keys, users
from accounts.caller import ROLE_SCOPES, Caller, Scope
from cli.pages import all_rows
from cli.ready import ready
from cli.text import note, print_json, print_table, read_duration, safe, say
from errors import BadInput
from settings import settings

HEADERS = ("id", "name", "begins with", "of", "may", "made", "used", "state")


def add(name: str, *, user: str, scopes: Sequence[str] | None, expires_in: str | None) -> None:
    """Make a key of a user and print it."""
    lasts = read_duration(expires_in)
    ready()
    row = users.by_email(_tenant(), user)
    if not row["is_active"]:
        raise BadInput("This user may not come in, and so may no key of theirs: `scrapersky user enable` lets them.")
    maker = Caller(_tenant(), row["id"], row["role"], ROLE_SCOPES[row["role"]])
    # The command line takes any word; `keys.add` says which there are.
    wanted = cast("Sequence[Scope] | None", scopes or None)
    made, secret = keys.add(maker, keys.Wish(name, wanted, datetime.now(UTC) + lasts if lasts else None))
    note(f"Key {safe(made['name'])} may {', '.join(made['scopes'])}. It is shown this once:")
    say(secret)


def revoke(name: str) -> None:
    """End a key and say what else ended."""
    ready()
    ended = keys.revoke(_tenant(), keys.id_of(_tenant(), name))
    say(f"Revoked: {', '.join(map(safe, ended))}." if ended else f"{safe(name)} was revoked before.")


def show(*, as_json: bool) -> None:
    """Print all keys."""
    ready()
    rows = list(all_rows(lambda after, most: keys.list_keys(_tenant(), after=after, limit=most, total=False)))
    if as_json:
        print_json(rows)
    elif rows:
        print_table(HEADERS, [_line(row) for row in rows])
    else:
        say("There are no keys: make one with `scrapersky key add NAME --user EMAIL`.")


def _line(row: dict[str, Any]) -> list[object]:
    made, used = (row[name] and row[name].strftime("%Y-%m-%d %H:%M") for name in ("created_at", "used_at"))
    may = " ".join(row["scopes"])
    return [row["id"], row["name"], row["prefix"], row["user_email"], may, made, used, _state(row)]


def _state(row: dict[str, Any]) -> str:
    if row["revoked_at"] is not None:
        return "revoked"
    if row["expires_at"] is None:
        return "valid"
    is_over = row["expires_at"] <= datetime.now(UTC)
    return f"{'expired' if is_over else 'valid until'} {row['expires_at']:%Y-%m-%d}"


def _tenant() -> UUID:
    return settings().default_tenant_id

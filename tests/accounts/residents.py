"""People with a password, made as an admin makes them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from uuid import UUID, uuid4

from accounts import users
from accounts.caller import ROLE_SCOPES, Caller
from pipeline.database import statement
from settings import settings

SECRET = "a-secret-for-tests-that-is-long-enough"
PASSWORD = "correct horse battery"

Answer = TypeVar("Answer")


def resident(role: str = "viewer", *, tenant_id: UUID | None = None, email: str | None = None) -> dict[str, Any]:
    """Add a user who can log in with PASSWORD."""
    wish = users.Wish(email or f"{uuid4().hex}@example.org", role, password=PASSWORD)
    row, link = users.add(tenant_id or settings().default_tenant_id, wish)
    assert link is None
    return row


def guest(role: str = "viewer", *, tenant_id: UUID | None = None) -> tuple[dict[str, Any], str]:
    """Add a user who has a link only, and give it."""
    row, link = users.add(tenant_id or settings().default_tenant_id, users.Wish(f"{uuid4().hex}@example.org", role))
    assert link is not None
    return row, link.token


def caller_of(row: dict[str, Any], tenant_id: UUID | None = None) -> Caller:
    """Let a user call."""
    return Caller(tenant_id or settings().default_tenant_id, row["id"], row["role"], ROLE_SCOPES[row["role"]])


def value(sql: str, *values: Any) -> Any:
    """Give what one query says."""
    with statement() as connection:
        row = connection.execute(sql.encode(), values).fetchone()
    return row[0] if row else None


def execute(sql: str, *values: Any) -> None:
    """Change rows behind everybody's back."""
    with statement() as connection:
        connection.execute(sql.encode(), values)


def at_once(many: int, act: Callable[[], Answer], *refusals: type[Exception]) -> list[Answer | Exception]:
    """Do the same many times at the same time, and give what came of each; only these refusals are expected."""

    def tried(_: int) -> Answer | Exception:
        try:
            return act()
        except refusals as refused:
            return refused

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(tried, range(many)))

"""Caller: who asks, for which tenant, and what they may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from errors import NotAllowed
from settings import settings

Scope = Literal["read", "export", "curate", "submit", "operate", "administer"]

# What a key may be limited to, and what it allows.
SCOPES: Mapping[Scope, str] = {
    "read": "look at everything of the tenant",
    "export": "download leads, contacts and results",
    "curate": "decide, edit and suppress",
    "submit": "start, pause and cancel searches, batches and schedules, which may cost money",
    "operate": "retry and cancel work, look at workers, pause stages",
    "administer": "users, keys, webhooks, the audit log and erasure",
}

ROLE_SCOPES: Mapping[str, frozenset[Scope]] = {
    "viewer": frozenset({"read"}),
    "curator": frozenset({"read", "export", "curate", "submit"}),
    "admin": frozenset(SCOPES),
}


@dataclass(frozen=True, slots=True)
class Caller:
    """A user who has logged in, or a program with one of their keys; `scopes` is what both may do."""

    tenant_id: UUID
    user_id: UUID
    role: str
    scopes: frozenset[Scope]
    session_id: UUID | None = None
    api_key_id: int | None = None

    @property
    def is_operator(self) -> bool:
        """Tell whether the caller answers for the whole installation, which all tenants share."""
        return "operate" in self.scopes and self.tenant_id == settings().default_tenant_id

    def check(self, scope: Scope) -> None:
        """Refuse who may not do this."""
        if scope not in self.scopes:
            who = "This key" if self.api_key_id is not None else f"The role {self.role}"
            raise NotAllowed(f"{who} does not include {scope!r}: {SCOPES[scope]}.")

    def check_role(self, role: str) -> None:
        """Refuse who would let somebody do more than they may do themselves."""
        beyond = [scope for scope in SCOPES if scope in ROLE_SCOPES[role] - self.scopes]
        if beyond:
            raise NotAllowed(f"This key lets nobody in as {role}, who may do more than it: {', '.join(beyond)}.")

    def check_operator(self) -> None:
        """Refuse who does not answer for the whole installation."""
        self.check("operate")
        if not self.is_operator:
            raise NotAllowed("This concerns the whole installation: only admins of its own tenant may do it.")

"""Suppression check: whether somebody is on the list, was erased, or is covered by a domain that is listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from leads import suppression_list
from leads.subjects import Subject
from pipeline.suppressions import Suppressed

NOT_LISTED = "not listed"


def check(tenant_id: UUID, subjects: Sequence[Subject]) -> list[dict[str, Any]]:
    """Say of each how it stands on a tenant's list."""
    listed, everything = suppression_list.known(tenant_id, subjects), Suppressed.load(tenant_id)
    return [_state(subject, listed.get(subject), everything) for subject in subjects]


def _state(subject: Subject, row: dict[str, Any] | None, everything: Suppressed) -> dict[str, Any]:
    state = NOT_LISTED
    if row is not None:
        state = "erased" if row["is_erased"] else "suppressed"
    elif everything.covers(subject.kind, subject.value, subject.value if subject.kind == "domain" else None):
        state = "suppressed by its domain"
    return {"value": subject.value, "kind": subject.kind, "state": state, "reason": row["reason"] if row else None}

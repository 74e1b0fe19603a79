"""The best leads of a search, for a glance."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from uuid import UUID

from leads import leads
from leads.lead_suppression import Withheld
from leads.leads import Wanted
from services.where import Condition


@dataclass(frozen=True, slots=True)
class BestLead:
    """What a line holds; `why_none` says why there is no email."""

    score: int
    name: str | None
    email: str | None
    why_none: str | None
    phone: str | None
    domain: str | None
    source_url: str | None


def best(tenant_id: UUID, search_id: int, most: int) -> list[BestLead]:
    """Give the leads with the highest score."""
    wanted = Wanted(tenant_id, [Condition("search", "=", search_id)])
    found = nlargest(most, leads.leads(wanted, Withheld(tenant_id)), key=lambda lead: lead.score)
    return [
        BestLead(
            lead.score,
            lead.business.name,
            lead.email.value if lead.email else None,
            lead.blank_reason,
            lead.phone,
            lead.business.domain,
            lead.email.source_url if lead.email else None,
        )
        for lead in found
    ]

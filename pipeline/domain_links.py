"""Which businesses use a domain, where they are, and to which other domain it leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, text, update
from sqlalchemy.orm import Session

import reasons
from errors import Filtered
from models import Domain
from pipeline.erased import DOMAIN_IS_ERASED
from pipeline.hosts import rows_of

MOST_BUSINESSES = 100

BUSINESSES = f"""
SELECT business.country_code, link.website, {DOMAIN_IS_ERASED} FROM domains
LEFT JOIN local_business_domains link ON link.domain_id = domains.id
LEFT JOIN local_businesses business ON business.id = link.local_business_id
WHERE domains.id = %(domain)s ORDER BY link.id LIMIT %(most)s""".encode()

IS_ERASED = text(f"SELECT {DOMAIN_IS_ERASED} FROM domains WHERE id = :domain".replace("::", "\\:\\:"))

FIND = text("SELECT id FROM domains WHERE tenant_id = :tenant AND name = :name")

# UNION, not UNION ALL: domains that lead to each other still end.
WAY = """
WITH RECURSIVE way(id) AS (
    SELECT redirects_to_id FROM domains WHERE id = :domain AND redirects_to_id IS NOT NULL
    UNION
    SELECT domains.redirects_to_id FROM domains JOIN way USING (id) WHERE domains.redirects_to_id IS NOT NULL)"""

LEADS_TO = text(f"{WAY} SELECT id FROM way")

LINK_ONWARD = text(f"""{WAY}
INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id, website)
SELECT link.tenant_id, link.local_business_id, way.id, link.website
FROM way, local_business_domains link WHERE link.domain_id = :domain ORDER BY 2, 3
ON CONFLICT (local_business_id, domain_id) DO NOTHING""")


@dataclass(frozen=True, slots=True)
class Users:
    """The businesses behind a domain: their countries and the websites they gave, the first business first."""

    countries: tuple[str, ...]
    websites: tuple[str, ...]

    @property
    def country(self) -> str | None:
        """Name the country most of them are in."""
        return max(self.countries, key=self.countries.count, default=None)


def users_of(domain_id: int) -> Users:
    """Find the businesses behind a domain, or end the work on one that was erased."""
    rows = rows_of(BUSINESSES, {"domain": domain_id, "most": MOST_BUSINESSES})
    if any(is_erased for *_, is_erased in rows):
        raise Filtered(reasons.ERASED)
    return Users(tuple(row[0] for row in rows if row[0]), tuple(row[1] for row in rows if row[1]))


def keep_facts(session: Session, domain_id: int, columns: Mapping[str, Any]) -> None:
    """Store what was read of a domain, unless it was erased meanwhile: then it waited for that, and is archived."""
    changed = update(Domain).where(Domain.id == domain_id).values({**columns, "fetched_at": func.now()})
    is_archived = session.execute(changed.returning(Domain.curation_status)).scalar() == "Archived"
    if is_archived and session.execute(IS_ERASED, {"domain": domain_id}).scalar():
        raise Filtered(reasons.ERASED)


def id_of(session: Session, tenant_id: UUID, name: str) -> int:
    """Give the id of a domain that is stored."""
    return int(session.execute(FIND, {"tenant": tenant_id, "name": name}).scalar_one())


def leads_to(session: Session, domain_id: int) -> list[int]:
    """List the domains that a domain redirects to, one after the other."""
    return [row[0] for row in session.execute(LEADS_TO, {"domain": domain_id})]


def link_onward(session: Session, domain_id: int) -> None:
    """Link the businesses behind a domain to every domain that it leads to as well."""
    session.execute(LINK_ONWARD, {"domain": domain_id})

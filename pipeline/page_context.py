"""What the reading of a page must know beforehand: whose it is, where they are, and which contacts are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from errors import LateFinish
from pipeline import contact_store, erased, saturation
from pipeline.hosts import row_of
from services.contacts import FoundContact
from services.phone_region import region_of_host

MOST_BUSINESSES = 100

# Settled is what has been handed on to validation already, and stale where that was long ago. Subqueries where joins
# would do: a plan that was made while the tables were small must not read them whole when they have grown.
CONTEXT = f"""
SELECT domains.name, (
           SELECT mode() WITHIN GROUP (ORDER BY country_code) FROM (
               SELECT (SELECT country_code FROM local_businesses WHERE id = link.local_business_id)
               FROM local_business_domains link WHERE link.domain_id = domains.id
               ORDER BY link.id LIMIT {MOST_BUSINESSES}) AS users),
       known.emails, known.phones, known.settled, known.stale,
       {erased.has_erasures_sql("domains.tenant_id")}
FROM domains, LATERAL (
    SELECT coalesce(array_agg(value) FILTER (WHERE {saturation.GOOD_EMAIL}), '{{}}') AS emails,
           coalesce(array_agg(value) FILTER (WHERE {saturation.GOOD_PHONE}), '{{}}') AS phones,
           coalesce(array_agg(value) FILTER (WHERE verdict_at IS NOT NULL), '{{}}') AS settled,
           coalesce(array_agg(value) FILTER (WHERE verdict_at <= clock_timestamp() - %(old)s), '{{}}') AS stale
    FROM (SELECT contacts.*, (SELECT coalesce(finished_at, 'infinity') FROM work
                              WHERE stage = 'contact_validation' AND entity_id = contacts.id) AS verdict_at
          FROM contacts WHERE contacts.domain_id = domains.id AND contacts.kind IN ('email', 'phone')
          OFFSET 0) AS contacts  -- so that the work of each is looked up once
    ) AS known
WHERE domains.id = %(domain)s""".encode()


@dataclass(frozen=True, slots=True)
class Context:
    """A page's domain, and what is known of it: good emails and phones, contacts that were judged, and long ago."""

    domain: str
    country: str | None
    emails: frozenset[str]
    phones: frozenset[str]
    settled: frozenset[str]
    stale: frozenset[str]
    has_erasures: bool

    @property
    def region(self) -> str:
        """Where numbers are from: the country of the business, else of the domain; empty where neither is known."""
        return self.country or region_of_host(self.domain) or ""

    @property
    def is_saturated(self) -> bool:
        return saturation.is_reached(len(self.emails), len(self.phones))

    def is_saturated_by(self, found: Iterable[FoundContact]) -> bool:
        """Tell whether these contacts are what the domain lacked."""
        good = [contact for contact in found if saturation.is_good(contact)]
        emails = self.emails | {contact.value for contact in good if contact.kind == "email"}
        phones = self.phones | {contact.value for contact in good if contact.kind == "phone"}
        return not self.is_saturated and saturation.is_reached(len(emails), len(phones))


def context_of(domain_id: int) -> Context:
    """Look up what is known of a page's domain."""
    values: dict[str, Any] = {"domain": domain_id, "old": contact_store.half_stale()}
    row = row_of(CONTEXT, values)
    if row is None:
        raise LateFinish(f"domain {domain_id} is gone, and its pages with it")
    name, country, *known, has_erasures = row
    emails, phones, settled, stale = map(frozenset, known)
    return Context(name, country, emails, phones, settled, stale, has_erasures)

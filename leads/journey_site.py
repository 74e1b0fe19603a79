"""Journey site: a domain, the contacts found there, and how all work below it ended or still waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from leads.journey_facts import Contact, Count, Seen, Site, Unvisited, meaning_of, with_meaning
from leads.journey_rows import rows, stages_on
from models.page import HOMEPAGE_READ
from models.page import Page as PageRow
from pipeline.stage import all_stages

MOST_CONTACTS, MOST_SIGHTINGS = 50, 5

DOMAINS = """
SELECT domains.id, domains.name, domains.curation_status, domains.final_url, target.name AS redirects_to,
       ARRAY(SELECT name FROM domains origin WHERE origin.redirects_to_id = domains.id ORDER BY name LIMIT 10)
       AS redirected_from
FROM domains LEFT JOIN domains target ON target.id = domains.redirects_to_id
WHERE domains.id = ANY(%(ids)s) AND domains.tenant_id = %(tenant)s
ORDER BY domains.redirects_to_id IS NULL, domains.id"""

FOUND = """
SELECT kind, count(*)::int AS many FROM contacts
WHERE domain_id = %(id)s AND tenant_id = %(tenant)s AND gone_at IS NULL GROUP BY kind"""

FOUND_ON = """
SELECT count(DISTINCT url)::int AS many FROM contacts JOIN sightings ON contact_id = contacts.id
WHERE domain_id = %(id)s AND contacts.tenant_id = %(tenant)s
  AND contacts.gone_at IS NULL AND sightings.gone_at IS NULL"""

WORK = """
SELECT stage, status, reason, due_at, lane, {name} AS name FROM work
WHERE stage = ANY(%({table})s) AND entity_id = {id} AND tenant_id = %(tenant)s"""

# OFFSET 0 keeps the planner on the key of work: a site's rows are few, work is not.
BELOW = """
SELECT own.* FROM {table} AS entity CROSS JOIN LATERAL ({work} OFFSET 0) AS own WHERE entity.domain_id = %(id)s"""

# What is due still waits for its host's next turn.
COUNTS = """
SELECT stage, status, reason, count(*)::int AS many, min(name) AS example,
       CASE status WHEN 'Queued' THEN
           extract(epoch FROM min(greatest(due_at, next_at, blocked_until)) - clock_timestamp())::float8
       END AS due_in_seconds
FROM ({own}) AS own LEFT JOIN hosts ON hosts.host = own.lane
GROUP BY stage, status, reason ORDER BY many DESC, status, reason"""

BELOW_DOMAINS = {"sitemap_files": "entity.url", "pages": "entity.url", "contacts": "entity.value"}

UNVISITED = """
SELECT decision_reason AS reason, count(*)::int AS many, min(url) AS example FROM pages
LEFT JOIN LATERAL (SELECT id FROM work WHERE stage = ANY(%(pages)s) AND entity_id = pages.id OFFSET 0) AS own ON true
WHERE domain_id = %(id)s AND pages.tenant_id = %(tenant)s AND own.id IS NULL
  AND decision_reason IS DISTINCT FROM %(homepage_read)s
GROUP BY decision_reason ORDER BY many DESC, decision_reason"""

CONTACTS = """
SELECT contacts.id, contacts.kind, value, coalesce(domains.name, business.name, owner_key) AS owner,
       contacts.domain_id, contacts.local_business_id, label, person_name, person_title, confidence::float8, verdict,
       verdict_reasons, first_seen_at, last_seen_at, gone_at,
       (SELECT count(DISTINCT url)::int FROM sightings WHERE contact_id = contacts.id) AS addresses
FROM contacts LEFT JOIN domains ON domains.id = contacts.domain_id
LEFT JOIN local_businesses business ON business.id = contacts.local_business_id
WHERE contacts.tenant_id = %(tenant)s AND {condition}
ORDER BY contacts.gone_at IS NOT NULL, contacts.kind, value, contacts.id LIMIT %(most)s"""

SIGHTINGS = """
SELECT contact_id, url, method, snippet, page_id, seen_at, gone_at FROM unnest(%(ids)s::bigint[]) AS own(contact_id)
CROSS JOIN LATERAL (
    SELECT url, method, snippet, page_id, seen_at, gone_at FROM sightings WHERE contact_id = own.contact_id
    ORDER BY gone_at IS NOT NULL, id LIMIT %(most)s) AS seen"""


def sites(tenant_id: UUID, ids: Sequence[int]) -> tuple[Site, ...]:
    """Give domains with what was found and what became of their work."""
    return tuple(_site(tenant_id, row) for row in rows(DOMAINS, {"tenant": tenant_id, "ids": list(ids)}))


def _site(tenant_id: UUID, row: dict[str, Any]) -> Site:
    own = {"tenant": tenant_id, "id": row["id"]}
    return Site(
        **row | {"redirected_from": tuple(row["redirected_from"])},
        found={each["kind"]: each["many"] for each in rows(FOUND, own)},
        found_on=rows(FOUND_ON, own)[0]["many"],
        counts=_counts(own),
        unvisited=_unvisited(own),
    )


def _counts(domain: dict[str, Any]) -> tuple[Count, ...]:
    """Count a domain's work and that on its sitemaps, pages and contacts, in pipeline order."""
    own = [WORK.format(table="domains", name="NULL::text", id="%(id)s")]
    for table, name in BELOW_DOMAINS.items():
        work = WORK.format(table=table, name=name, id="entity.id")
        own.append(BELOW.format(table=table, work=work))
    values = {table: stages_on(table) for table in ("domains", *BELOW_DOMAINS)}
    found = rows(COUNTS.format(own=" UNION ALL ".join(own)), values | domain)
    order = {stage.name: at for at, stage in enumerate(all_stages())}
    return tuple(Count(**with_meaning(row)) for row in sorted(found, key=lambda row: order[row["stage"]]))


def _unvisited(domain: dict[str, Any]) -> tuple[Unvisited, ...]:
    found = rows(UNVISITED, domain | {"pages": stages_on(PageRow.__tablename__), "homepage_read": HOMEPAGE_READ})
    return tuple(Unvisited(row["reason"], meaning_of(row["reason"]), row["many"], row["example"]) for row in found)


def contacts_of(tenant_id: UUID, column: str, ids: Sequence[int]) -> tuple[Contact, ...]:
    """Give the contacts with one of these ids in a column: `id`, `domain_id` or `local_business_id`."""
    return _contacts(tenant_id, f"contacts.{column} = ANY(%(ids)s)", {"ids": list(ids)})


def contacts_like(tenant_id: UUID, kind: str, values: Sequence[str]) -> tuple[Contact, ...]:
    """Give the contacts of a kind that have one of these values, whoever owns them."""
    condition = "contacts.kind = %(kind)s AND value = ANY(%(values)s)"
    return _contacts(tenant_id, condition, {"kind": kind, "values": list(values)})


def contacts_seen_on(tenant_id: UUID, page_ids: Sequence[int]) -> tuple[Contact, ...]:
    """Give the contacts that pages show."""
    condition = "contacts.id IN (SELECT contact_id FROM sightings WHERE page_id = ANY(%(ids)s))"
    return _contacts(tenant_id, condition, {"ids": list(page_ids)})


def _contacts(tenant_id: UUID, condition: str, values: dict[str, Any]) -> tuple[Contact, ...]:
    found = rows(CONTACTS.format(condition=condition), values | {"tenant": tenant_id, "most": MOST_CONTACTS})
    seen = sightings([row["id"] for row in found])
    return tuple(
        Contact(**row | {"verdict_reasons": tuple(row["verdict_reasons"])}, sightings=tuple(seen.get(row["id"], ())))
        for row in found
    )


def sightings(ids: Sequence[int], most: int = MOST_SIGHTINGS) -> dict[int, list[Seen]]:
    """Give the first sightings of contacts whose tenant was asked for before, those that still hold first."""
    found: dict[int, list[Seen]] = {}
    for row in rows(SIGHTINGS, {"ids": list(ids), "most": most}):
        found.setdefault(row.pop("contact_id"), []).append(Seen(**row))
    return found

"""Journey contacts: all that a run has stored, and what became of the addresses where something was missed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from leads.journey_rows import rows, stages_on

HOMEPAGE = "/"
OF_LIST = "id:"  # in front of the id that a person's own list gives a business
OWNER = f"regexp_replace(places.provider_place_id, '^{OF_LIST}', '')"

STORED = f"""
SELECT coalesce(domains.name, {OWNER}) AS owner, contacts.kind, contacts.value,
       seen.methods, seen.urls
FROM contacts LEFT JOIN domains ON domains.id = contacts.domain_id
LEFT JOIN local_businesses business ON business.id = contacts.local_business_id
LEFT JOIN places ON places.id = business.place_id
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT method), ARRAY[]::text[]) AS methods,
           coalesce(array_agg(DISTINCT url), ARRAY[]::text[]) AS urls
    FROM sightings WHERE contact_id = contacts.id AND sightings.gone_at IS NULL) AS seen
WHERE contacts.tenant_id = %(tenant)s AND contacts.gone_at IS NULL ORDER BY owner, kind, value"""

# A domain's first stage reads its homepage. What its later ones say counts only where they did not complete.
SITES = """
SELECT domains.name AS owner, work.stage, work.status, work.reason FROM domains
LEFT JOIN work ON work.entity_id = domains.id AND work.stage = ANY(%(stages)s)
WHERE domains.tenant_id = %(tenant)s AND domains.name = ANY(%(owners)s)"""

BUSINESSES = f"""
SELECT {OWNER} AS owner, work.status, work.reason
FROM places JOIN local_businesses business ON business.place_id = places.id
LEFT JOIN work ON work.entity_id = business.id AND work.stage = ANY(%(stages)s)
WHERE places.tenant_id = %(tenant)s AND provider_place_id = ANY(%(owners)s)"""

PAGES = """
SELECT domains.name AS owner, own.page, work.status,
       CASE WHEN work.id IS NULL THEN pages.decision_reason ELSE work.reason END AS reason
FROM unnest(%(names)s::text[], %(paths)s::text[], %(urls)s::text[]) AS own(name, page, url)
JOIN domains ON domains.tenant_id = %(tenant)s AND domains.name = own.name
JOIN pages ON pages.domain_id = domains.id AND pages.url = own.url
LEFT JOIN work ON work.entity_id = pages.id AND work.stage = ANY(%(stages)s)"""


@dataclass(frozen=True, slots=True)
class StoredContact:
    """One contact that is not gone; `owner` is its domain, or the provider's id of a business that has none."""

    owner: str
    kind: str
    value: str
    methods: tuple[str, ...]
    urls: tuple[str, ...]


def stored(tenant_id: UUID) -> list[StoredContact]:
    """Give every contact of a tenant with how and where it was seen."""
    found = rows(STORED, {"tenant": tenant_id})
    return [StoredContact(**row | {"methods": tuple(row["methods"]), "urls": tuple(row["urls"])}) for row in found]


def fates(tenant_id: UUID, paths: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    """Give status and reason of the work on owners, under the path "", and on their pages; none is left out."""
    own = {"tenant": tenant_id, "owners": list(paths)}
    found: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    listed = {"owners": [*paths, *(f"{OF_LIST}{owner}" for owner in paths)]}
    for row in rows(BUSINESSES, own | listed | {"stages": stages_on("local_businesses")}):
        found[row["owner"], ""] = (row["status"], row["reason"])
    found |= _of_sites(own)
    for row in rows(PAGES, own | _addresses(paths) | {"stages": stages_on("pages")}):
        key = (row["owner"], row["page"])
        if found.get(key, ("",))[0] != "Completed":
            found[key] = (row["status"], row["reason"])
    return found


def _of_sites(own: Mapping[str, object]) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    """Tell of each domain how its first stage ended, or the later one that did not complete."""
    stages = stages_on("domains")
    found: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    order = {name: at for at, name in enumerate(stages)}
    for row in sorted(rows(SITES, dict(own) | {"stages": stages}), key=lambda row: order.get(row["stage"], 0)):
        fate = (row["status"], row["reason"])
        if row["stage"] in (None, *stages[:1]):
            found[row["owner"], ""] = found[row["owner"], HOMEPAGE] = fate
        elif found.get((row["owner"], ""), ("Completed",))[0] == "Completed":
            found[row["owner"], ""] = fate
    return found


def _addresses(paths: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Write each page as the address that it may be stored under."""
    every = [
        (owner, page, f"{scheme}://{www}{owner}{page}")
        for owner, pages in paths.items()
        for page in pages
        for scheme in ("http", "https")
        for www in ("", "www.")
    ]
    return {name: [each[at] for each in every] for at, name in enumerate(("names", "paths", "urls"))}

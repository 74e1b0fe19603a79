"""Journey facts: the plain parts of which the way of a contact, a domain or a business is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from reasons import MEANINGS


@dataclass(frozen=True, slots=True)
class Origin:
    """Where it began: a search that found the place, or a row of a list that a person brought."""

    kind: str  # search, import
    id: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Business:
    """A business behind the domain."""

    id: int
    place_id: int
    name: str | None
    address: str | None
    website: str | None
    provider: str
    provider_place_id: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """One attempt that went wrong."""

    at: datetime
    attempt: int
    kind: str
    reason: str
    meaning: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Hop:
    """One stage's work on one entity; `seconds` is how long its last turn took, or has taken so far."""

    work_id: int
    parent_id: int | None
    stage: str
    status: str
    entity_id: int
    name: str | None
    attempts: int
    crashes: int
    reason: str | None
    meaning: str | None
    error: str | None
    queued_at: datetime
    due_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seconds: float | None
    troubles: tuple[Trouble, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page, why it was or was not chosen, and the sitemaps that list it."""

    id: int
    url: str
    kind: str
    score: float
    decision_reason: str | None
    meaning: str | None
    status_code: int | None
    title: str | None
    fetched_at: datetime | None
    sitemaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """One sighting: the proof of a contact."""

    url: str
    method: str
    snippet: str | None
    page_id: int | None
    seen_at: datetime
    gone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Contact:
    """A stored contact with the first of its sightings, and at how many addresses it was seen."""

    id: int
    kind: str
    value: str
    owner: str
    domain_id: int | None
    local_business_id: int | None
    label: str | None
    person_name: str | None
    person_title: str | None
    confidence: float
    verdict: str | None
    verdict_reasons: tuple[str, ...]
    first_seen_at: datetime
    last_seen_at: datetime
    gone_at: datetime | None
    addresses: int
    sightings: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """How many ended, or wait, in the same way; `due_in_seconds` is when the first of those that wait is due."""

    stage: str
    status: str
    reason: str | None
    meaning: str | None
    many: int
    example: str | None
    due_in_seconds: float | None = None

    @property
    def is_open(self) -> bool:
        return self.status in ("Queued", "Processing")


@dataclass(frozen=True, slots=True)
class Unvisited:
    """Pages without work, by the reason of the decision."""

    reason: str | None
    meaning: str | None
    many: int
    example: str


@dataclass(frozen=True, slots=True)
class Site:
    """A domain with what was found there and what became of its work."""

    id: int
    name: str
    curation_status: str
    final_url: str | None
    redirects_to: str | None
    redirected_from: tuple[str, ...]
    found: Mapping[str, int]  # contacts that are not gone, by kind
    found_on: int  # addresses
    counts: tuple[Count, ...]
    unvisited: tuple[Unvisited, ...]


@dataclass(frozen=True, slots=True)
class Journey:
    """The way of one thing from its origins to what was found; `answer` says in one sentence how it ended."""

    subject: str  # contact, page, sitemap_file, domain, business, place, work
    name: str
    answer: str = ""
    origins: tuple[Origin, ...] = ()
    businesses: tuple[Business, ...] = ()
    sites: tuple[Site, ...] = ()
    pages: tuple[Page, ...] = ()
    contacts: tuple[Contact, ...] = ()
    hops: tuple[Hop, ...] = ()


@dataclass(slots=True)
class Trail:
    """The ids of everything of a tenant on the way, by table: their work is what the journey is made of."""

    tenant_id: UUID
    ids: dict[str, list[int]] = field(default_factory=dict)

    def add(self, table: str, *ids: int | None) -> None:
        """Put entities on the way, each once."""
        known = self.ids.setdefault(table, [])
        known += [each for each in dict.fromkeys(ids) if each is not None and each not in known]

    def of(self, table: str) -> list[int]:
        return self.ids.get(table, [])


def meaning_of(reason: str | None) -> str | None:
    """Say what a reason word tells a person."""
    return MEANINGS.get(reason) if reason else None


def with_meaning(row: dict[str, Any]) -> dict[str, Any]:
    """Put the meaning of its reason into a row."""
    return row | {"meaning": meaning_of(row["reason"])}

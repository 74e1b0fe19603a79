"""Rows of every entity, with ties and blanks in every column, put straight into the tables."""

from __future__ import annotations

import itertools
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from settings import settings

ADD_TENANT = "INSERT INTO tenants (id, name) VALUES (%s, 'a tenant') ON CONFLICT DO NOTHING"


class World:
    """One tenant's rows; a second world beside it shares nothing but the tables."""

    _numbers = itertools.count(1)

    def __init__(self, database_url: str, tenant_id: UUID | None = None) -> None:
        self.tenant_id = tenant_id or settings().default_tenant_id
        self.connection = psycopg.connect(database_url, autocommit=True, row_factory=dict_row)
        self.connection.execute(ADD_TENANT, (self.tenant_id,))

    def close(self) -> None:
        self.connection.close()

    def insert(self, table: str, **columns: Any) -> int:
        """Insert a row of the tenant's and give its id."""
        given = {"tenant_id": self.tenant_id} | columns
        values = [Jsonb(value) if isinstance(value, list | dict) else value for value in given.values()]
        sql = f"INSERT INTO {table} ({', '.join(given)}) VALUES ({', '.join(['%s'] * len(given))}) RETURNING *"
        row = self.connection.execute(sql.encode(), values).fetchone() or {}
        return int(row.get("id") or 0)

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        return self.connection.execute(sql.encode(), values).fetchall()

    def number(self) -> int:
        return next(self._numbers)

    def search(self, **columns: Any) -> int:
        return self.insert("searches", **{"what": "dentists", "where_text": "Austin", "provider": "sandbox"} | columns)

    def place(self, *searches: int, **columns: Any) -> int:
        own = {"provider": "sandbox", "provider_place_id": f"place {self.number()}"}
        place = self.insert("places", **own | columns)
        for search in searches:
            self.insert("search_places", search_id=search, place_id=place)
        return place

    def business(self, place: int | None = None, **columns: Any) -> int:
        return self.insert("local_businesses", place_id=place or self.place(), **columns)

    def domain(self, *businesses: int, **columns: Any) -> int:
        domain = self.insert("domains", **{"name": f"site{self.number()}.example"} | columns)
        for business in businesses:
            self.insert("local_business_domains", local_business_id=business, domain_id=domain)
        return domain

    def sitemap_file(self, domain: int | None = None, **columns: Any) -> int:
        own = {
            "domain_id": domain or self.domain(),
            "url": f"https://x.example/{self.number()}.xml",
            "host": "x.example",
        }
        return self.insert("sitemap_files", **own | columns)

    def page(self, domain: int | None = None, **columns: Any) -> int:
        own = {"domain_id": domain or self.domain(), "url": f"https://x.example/{self.number()}", "host": "x.example"}
        return self.insert("pages", **own | columns)

    def contact(self, domain: int | None = None, **columns: Any) -> int:
        owner = domain or self.domain()
        own = {"domain_id": owner, "owner_key": f"domain:{owner}", "kind": "email"}
        return self.insert("contacts", **own | {"value": f"info@site{self.number()}.example"} | columns)

    def work(self, stage: str, entity_id: int, status: str = "Completed", **columns: Any) -> int:
        return self.insert("work", stage=stage, entity_id=entity_id, status=status, **columns)

    def make(self, entity: str, **columns: Any) -> int:
        """Add a row of an entity by the entity's name."""
        makers = {
            "searches": self.search,
            "places": self.place,
            "local_businesses": self.business,
            "domains": self.domain,
            "sitemap_files": self.sitemap_file,
            "pages": self.page,
            "contacts": self.contact,
        }
        return makers[entity](**columns)

    def fill(self, entity: str) -> list[int]:
        """Add rows of an entity that are alike, different, and blank, in many columns; some with work."""
        ids = [self.make(entity, **columns) for columns in FILLINGS[entity]]
        for nth, stage in enumerate(STAGES[entity]):
            for at, entity_id in enumerate(ids):
                if (at + nth) % 3:
                    self.work(stage, entity_id, **WORK[(at + nth) % len(WORK)])
        return ids


STAGES = {
    "searches": ("search",),
    "places": ("deep_scan",),
    "local_businesses": ("domain_extraction",),
    "domains": ("domain_metadata", "sitemap_analysis", "page_ranking"),
    "sitemap_files": ("sitemap_import",),
    "pages": ("page_curation",),
    "contacts": ("contact_validation",),
}
WORK: list[dict[str, Any]] = [
    {"status": "Completed", "attempts": 1},
    {"status": "Error", "reason": "timeout", "error": "no answer in 10 s", "attempts": 5},
    {"status": "Queued"},
    {"status": "Filtered", "reason": "parked", "attempts": 1},
    {"status": "Processing", "attempts": 2},
]
NAMES = ("Zoë", "anna", "Anna", "ANNA", None, "", "émile", "100%", "a'b\"c\\d", "x" * 400, "x" * 400 + "y", "日本")
NUMBERS = (1, 2.5, 2.5, None, 0, -1, 5, 3, 3, None, 4, 1)
STATUSES = ("New", "Selected", "Maybe", "Not a Fit", "Archived", "New")
MOMENTS = (
    "2026-01-31T00:00:00Z",
    "2026-01-31T23:59:59.999999Z",
    None,
    "2026-02-01T00:00:00Z",
    "2025-12-31T12:00:00+05:00",
)
LISTS: tuple[list[Any], ...] = ([], ["WordPress"], ["wordpress", "Wix"], ["Shopify"])
FLAGS = (True, False, None)


def _nth(values: tuple[Any, ...], at: int) -> Any:
    return values[at % len(values)]


def _whole(at: int) -> int | None:
    number = _nth(NUMBERS, at)
    return None if number is None else int(number)


def _filling(entity: str, at: int) -> dict[str, Any]:
    status = {"curation_status": _nth(STATUSES, at)}
    rating = None if _nth(NUMBERS, at) is None else abs(_nth(NUMBERS, at))
    text, moment = _nth(NAMES, at), _nth(MOMENTS, at)
    return {
        "searches": {
            "what": text or "dentists", "radius_meters": 100 * (at % 4) or None, "coverage": (at % 5) / 4,
            "searched_at": moment, "budget_usd": rating, "mode": "curated" if at % 2 else "auto",
        },
        "places": status | {
            "name": text, "rating": rating, "review_count": _whole(at), "categories": _nth(LISTS, at),
            "latitude": 30.0 + (at % 3), "longitude": -97.0,
        },
        "local_businesses": status | {
            "name": text, "city": "Austin" if at % 2 else None, "rating": rating, "categories": _nth(LISTS, at),
            "price_level": at % 4 or None, "scanned_at": moment,
        },
        "domains": status | {
            "title": text, "is_wordpress": _nth(FLAGS, at), "technologies": _nth(LISTS, at), "fetched_at": moment,
            "status_code": 200 if at % 2 else None,
        },
        "sitemap_files": status | {
            "url_count": _whole(at), "truncated": bool(at % 2), "kind": ("index", "standard")[at % 2],
            "lastmod": moment,
        },
        "pages": status | {
            "title": text, "score": float(_nth(NUMBERS, at) or 0), "kind": ("contact", "about", "blog")[at % 3],
            "has_contact_form": _nth(FLAGS, at), "lastmod": moment, "word_count": _whole(at),
        },
        "contacts": status | {
            "person_name": text, "confidence": (at % 3) / 2, "verdict": ("valid", "invalid", None)[at % 3],
            "verdict_reasons": _nth(LISTS, at), "gone_at": moment, "label": ("role", None)[at % 2],
        },
    }[entity]  # fmt: skip


FILLINGS = {entity: [_filling(entity, at) for at in range(13)] for entity in STAGES}

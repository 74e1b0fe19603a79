"""Businesses, domains, contacts and their proof, put straight into the tables for the tests of leads and exports."""

from __future__ import annotations

import itertools
import json
from typing import Any

from psycopg.rows import dict_row

from pipeline.database import statement
from pipeline.suppressions import salt_of
from services.suppression import subject_of
from settings import settings

TABLES = "work pages searches places domains contacts suppressions"


class LeadWorld:
    """A tenant's tables, emptied, and short ways to fill them."""

    def __init__(self) -> None:
        self.tenant = settings().default_tenant_id
        self._numbers = itertools.count(1)
        self.execute("".join(f"DELETE FROM {table};" for table in TABLES.split()))

    def execute(self, sql: str, *values: Any) -> None:
        with statement() as connection:
            connection.execute(sql.encode(), values or None)

    def insert(self, table: str, **columns: Any) -> int:
        """Insert a row of the tenant's and give its id."""
        given = {"tenant_id": self.tenant} | columns
        marks = ", ".join(["%s"] * len(given))
        values = [json.dumps(value) if isinstance(value, dict | list) else value for value in given.values()]
        sql = f"INSERT INTO {table} ({', '.join(given)}) VALUES ({marks}) RETURNING id"
        with statement() as connection:
            row = connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchone()
        assert row is not None
        return int(row["id"])

    def business(self, name: str | None = "Anna's Bakery", *, at: int | None = None, **columns: Any) -> int:
        """Add a business, with a link to a domain where one is given."""
        place = self.insert("places", provider="openstreetmap", provider_place_id=f"node/{next(self._numbers)}")
        given = {"city": "Austin", "country_code": "US", "attribution": "© OpenStreetMap contributors"} | columns
        business = self.insert("local_businesses", place_id=place, name=name, **given)
        if at is not None:
            self.link(business, at)
        return business

    def domain(self, name: str = "anna.example", **columns: Any) -> int:
        return self.insert("domains", name=name, **columns)

    def link(self, business: int, domain: int) -> None:
        self.insert("local_business_domains", local_business_id=business, domain_id=domain)

    def contact(
        self, domain: int | None, value: str = "info@anna.example", kind: str = "email", *,
        business: int | None = None, url: str | None = "https://anna.example/contact", page_kind: str | None = None,
        snippet: str | None = None, **columns: Any,
    ) -> int:  # fmt: skip
        """Add a contact of a domain, or of a business, seen at one address."""
        owner = f"domain:{domain}" if domain is not None else f"business:{business}"
        given = {"confidence": 0.9, "label": "role" if kind == "email" else None} | columns
        contact = self.insert(
            "contacts", domain_id=domain, local_business_id=business, owner_key=owner, kind=kind, value=value, **given
        )
        if url is not None:
            page = self.page(domain, url, page_kind) if page_kind and domain else None
            seen = {"contact_id": contact, "url": url, "page_id": page, "method": "mailto", "snippet": snippet}
            self.insert("sightings", **seen)
        return contact

    def page(self, domain: int, url: str, kind: str = "contact") -> int:
        return self.insert("pages", domain_id=domain, url=url, host="anna.example", kind=kind, decision_reason="chosen")

    def work(self, stage: str, entity: int, status: str, reason: str | None = None) -> None:
        self.insert("work", stage=stage, entity_id=entity, status=status, reason=reason)

    def search(self, what: str, *businesses: int) -> int:
        """Add a search that found businesses."""
        search = self.insert("searches", what=what, where_text="Austin, TX", provider="openstreetmap")
        for business in businesses:
            self.execute(
                "INSERT INTO search_places (tenant_id, search_id, place_id)"
                " SELECT tenant_id, %s, place_id FROM local_businesses WHERE id = %s", search, business,
            )  # fmt: skip
        return search

    def suppress(self, *values: str) -> None:
        """Put values on the tenant's suppression list."""
        for value in values:
            subject = subject_of(value)
            assert subject is not None
            self.insert("suppressions", kind=subject.kind, value_hash=subject.digest(salt_of(self.tenant)).hex())

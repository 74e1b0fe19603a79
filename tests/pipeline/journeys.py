"""Rows of a whole journey, put into the database one by one, from search to contact."""

from __future__ import annotations

from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from pipeline.database import statement
from settings import settings

TABLES = "failures work stage_controls hosts searches places domains contacts batches"
SITE = "acme.example"
URL = f"https://{SITE}/contact"
EMAIL = f"info@{SITE}"


class Archive:
    """Stores rows with what they need, and gives their ids."""

    def __init__(self) -> None:
        with statement() as connection:
            connection.execute("".join(f"DELETE FROM {table};" for table in TABLES.split()).encode())

    def insert(self, table: str, **columns: Any) -> int:
        """Store one row for the default tenant."""
        given = columns if table == "failures" else {"tenant_id": settings().default_tenant_id} | columns
        values = [Jsonb(value) if isinstance(value, list | dict) else value for value in given.values()]
        names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING *"
        with statement() as connection:
            row = connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchone() or {}
        return int(row.get("id") or 0)

    def work(self, stage: str, entity_id: int, status: str = "Completed", **columns: Any) -> int:
        """Store a piece of work; what has ended took two seconds."""
        work_id = self.insert("work", stage=stage, entity_id=entity_id, status=status, **{"attempts": 1} | columns)
        if status != "Queued":
            self.execute("UPDATE work SET started_at = now() - interval '2 seconds' WHERE id = %s", work_id)
        if status not in ("Queued", "Processing"):
            self.execute("UPDATE work SET finished_at = started_at + interval '2 seconds' WHERE id = %s", work_id)
        return work_id

    def execute(self, sql: str, *values: Any) -> None:
        with statement() as connection:
            connection.execute(sql.encode(), values)

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with statement() as connection:
            return connection.cursor(row_factory=dict_row).execute(sql.encode(), values).fetchall()

    def search(self, what: str = "dentists", mode: str = "auto") -> int:
        return self.insert("searches", what=what, where_text="Austin, TX", provider="google", mode=mode)

    def place(self, *searches: int, name: str = "Acme Dental", provider: str = "google") -> int:
        place = self.insert("places", provider=provider, provider_place_id=f"id of {name}", name=name)
        for search in searches:
            self.insert("search_places", search_id=search, place_id=place, rank=3)
        return place

    def business(self, place: int, name: str = "Acme Dental", **columns: Any) -> int:
        return self.insert("local_businesses", place_id=place, name=name, **columns)

    def domain(self, *businesses: int, name: str = SITE, **columns: Any) -> int:
        domain = self.insert("domains", name=name, **columns)
        for business in businesses:
            self.insert("local_business_domains", local_business_id=business, domain_id=domain, website=f"www.{name}")
        return domain

    def sitemap(self, domain: int) -> int:
        url = f"https://{SITE}/sitemap.xml"
        return self.insert("sitemap_files", domain_id=domain, url=url, host=SITE, method="robots_txt")

    def page(self, domain: int, *sitemaps: int, url: str = URL, decision: str | None = "chosen") -> int:
        page = self.insert(
            "pages", domain_id=domain, url=url, host=SITE, kind="contact", score=1.0, decision_reason=decision
        )
        for sitemap in sitemaps:
            self.insert("sitemap_pages", sitemap_file_id=sitemap, page_id=page)
        return page

    def contact(
        self, domain: int, page: int | None = None, kind: str = "email", value: str = EMAIL, **more: Any
    ) -> int:
        """Store a contact, seen once on a page by its text."""
        url = more.pop("url", URL)
        contact = self.insert(
            "contacts",
            domain_id=domain,
            owner_key=f"domain:{domain}",
            kind=kind,
            value=value,
            **{"confidence": 0.9} | more,
        )
        self.insert("sightings", contact_id=contact, page_id=page, url=url, method="text", snippet=f"Write to {value}")
        return contact


class Whole:
    """A search that went all the way to one email, every hop with its work."""

    def __init__(self, archive: Archive) -> None:
        self.search = archive.search()
        area = archive.insert("search_areas", search_id=self.search, south=30, west=-98, north=31, east=-97)
        self.place = archive.place(self.search)
        self.business = archive.business(self.place, website="http://www.acme.example/?gclid=1", phone="+15125550100")
        self.domain = archive.domain(self.business, curation_status="New")
        self.sitemap = archive.sitemap(self.domain)
        self.page = archive.page(self.domain, self.sitemap)
        self.contact = archive.contact(self.domain, self.page, verdict="valid", verdict_reasons=["role"])
        way = (
            ("search", self.search),
            ("search_area", area),
            ("deep_scan", self.place),
            ("domain_extraction", self.business),
            ("domain_metadata", self.domain),
            ("sitemap_analysis", self.domain),
            ("sitemap_import", self.sitemap),
            ("page_ranking", self.domain),
            ("page_curation", self.page),
        )
        self.work: dict[str, int] = {}
        parent = None
        for stage, entity in way:
            parent = self.work[stage] = archive.work(stage, entity, parent_id=parent)

"""A whole way from a search to contacts with their proof, for the pages that tell of it."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.entities.world import World

HOSTILE = '<script>alert("x")</script>'
AUSTIN = {"south": 30.1, "west": -97.95, "north": 30.5, "east": -97.55}
HOURS = {"monday": [["09:00", "17:00"]], "tuesday": []}


def first(of: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    """Find what has to be there."""
    found = of.css_first(selector)
    assert found is not None, selector
    return found


class Way(World):
    """One search, one business with a site, a neighbour, and what the site's pages show."""

    def walk(self, **facts: Any) -> None:
        """Walk all of it; `facts` are more of the business."""
        self.search_id = self.search(**AUSTIN)
        self.root = self.work("search", self.search_id)
        self.place(self.search_id, name="Neighbour", latitude=30.2, longitude=-97.8)
        self.place_id = self.place(self.search_id, name="Acme Dental", latitude=30.3, longitude=-97.7)
        scanned = self.work("deep_scan", self.place_id, parent_id=self.root)
        own = {
            "name": "Acme Dental", "main_category": "dentist", "city": "Austin", "country_code": "US", "rating": 4.5,
            "review_count": 7, "formatted_address": "1 Main St", "phone": "+15125550100", "latitude": 30.3,
            "longitude": -97.7, "opening_hours": HOURS, "attribution": "made up", "website": "https://acme.example",
        }  # fmt: skip
        self.business_id = self.business(self.place_id, **own | facts)
        extracted = self.work("domain_extraction", self.business_id, parent_id=scanned)
        self.domain_id = self.domain(
            self.business_id, name="acme.example", title="Acme: we care", technologies=["WordPress"],
            fetched_at="2026-01-31T00:00:00Z",
        )  # fmt: skip
        self.read = self.work("domain_metadata", self.domain_id, parent_id=extracted)
        self.page_id = self.page(self.domain_id, url="https://acme.example/contact", decision_reason="chosen")
        self.work("page_curation", self.page_id, parent_id=self.read)

    def find(self, value: str = "info@acme.example", snippet: str | None = None, **columns: Any) -> int:
        """Add a contact that the page shows."""
        contact = self.contact(self.domain_id, value=value, **columns)
        self.insert(
            "sightings", contact_id=contact, page_id=self.page_id, url="https://acme.example/contact", method="text",
            snippet=snippet,
        )  # fmt: skip
        return contact

    def fail(self, work_id: int, attempt: int, reason: str, error: str) -> None:
        """Note that an attempt at a piece of work has failed."""
        self.connection.execute(
            "INSERT INTO failures (work_id, attempt, kind, reason, error) VALUES (%s, %s, 'passing', %s, %s)",
            (work_id, attempt, reason, error),
        )

    def noted(self, entity: str) -> list[str]:
        """Give what people did to an entity, by the audit log."""
        found = self.rows("SELECT action FROM audit_entries WHERE entity = %s ORDER BY id", entity)
        return [row["action"] for row in found]

"""Sites of the sandbox as domains in the database, and what the stages make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from sandbox import Served
from sandbox.business import Business
from sandbox.kinds import KINDS
from sandbox.truth import domain_of
from sandbox.world import World
from settings import settings
from tests.stages.scene import Scene

WORLD = World(300, 3)
WITH_A_SITE = [kind.name for kind in KINDS if kind.fetch != "none"]
# They take their time with every request, so the tries between the first and the last are skipped.
TIME_WASTERS = ("hang", "drip")


class Sites:
    """The sandbox's sites, one domain each, and what the sandbox saw of us."""

    def __init__(self, scene: Scene, served: Served) -> None:
        self.scene = scene
        self.served = served

    def add(self, kind: str) -> int:
        """Store the domain of the first business of a kind, linked to it, and give its id."""
        business = WORLD.with_kind(kind)
        return self.add_domain(str(domain_of(business)), business)

    def add_domain(self, name: str, business: Business | None = None, **columns: Any) -> int:
        """Store a domain, and the business that uses it."""
        domain_id = self._insert("domains", name=name, **columns)
        if business is not None:
            place = self._insert("places", provider="list", provider_place_id=f"place {business.index}")
            facts = {"country_code": business.town.country, "website": business.website, "name": business.name}
            local = self._insert("local_businesses", place_id=place, **facts)
            link = {"local_business_id": local, "domain_id": domain_id, "website": business.website}
            self._insert("local_business_domains", **link)
        return domain_id

    def _insert(self, table: str, **columns: Any) -> int:
        given = {"tenant_id": settings().default_tenant_id} | columns
        names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
        return int(
            self.scene.one(f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id", *given.values())["id"]
        )

    def run(self, stages: Sequence[str], *domain_ids: int, skips_tries: bool = False, auto: bool = True) -> None:
        """Run stages on domains to the end, waiting for nothing."""
        self.scene.start(stages[0], *domain_ids, auto=auto)
        self.scene.play(*stages)
        for _ in range(20):
            if not self.scene.one(
                "SELECT count(*) AS many FROM work WHERE status = 'Queued' AND stage = ANY(%s)", list(stages)
            )["many"]:
                return
            if skips_tries:
                self.scene.execute("UPDATE work SET attempts = 4 WHERE status = 'Queued'")
            self.scene.hurry(*stages)
        raise AssertionError("it never ends")

    def ending(self, stage: str, domain_id: int) -> tuple[str, str | None]:
        row = self.scene.one("SELECT status, reason FROM work WHERE stage = %s AND entity_id = %s", stage, domain_id)
        return row["status"], row["reason"]

    def domain(self, domain_id: int) -> dict[str, Any]:
        return self.scene.one("SELECT * FROM domains WHERE id = %s", domain_id)

    def contacts(self, domain_id: int) -> set[tuple[str, str]]:
        rows = self.scene.rows("SELECT kind, value FROM contacts WHERE domain_id = %s", domain_id)
        return {(row["kind"], row["value"]) for row in rows}

    def sitemaps(self, domain_id: int) -> list[tuple[str, str, str]]:
        """Give path, kind and method of a domain's sitemaps."""
        rows = self.scene.rows(
            "SELECT url, kind, method FROM sitemap_files WHERE domain_id = %s ORDER BY url", domain_id
        )
        return [(urlsplit(row["url"]).path, row["kind"], row["method"]) for row in rows]

    def requests(self, since: int, domain_id: int) -> list[tuple[str, int]]:
        """Give path and status of what the domain was asked after a number of the sandbox's log."""
        name = self.domain(domain_id)["name"]
        own = [entry for entry in self.served.log(since) if entry["host"].removeprefix("www.") == name]
        return [(entry["path"], int(entry["status"] or 0)) for entry in own]

    def seen(self) -> int:
        """Give the number of the sandbox's last request."""
        return max((entry["number"] for entry in self.served.log()), default=0)

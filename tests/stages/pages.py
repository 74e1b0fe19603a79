"""Pages of the sandbox, and of a stranger's site, as rows; and what the stage makes of them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from sandbox.siteplan import SitePlan, site_plan
from settings import settings
from tests.stages.scene import Scene
from tests.stages.sites import WORLD, Sites

STAGE = "page_curation"
STAGES = (STAGE, "contact_validation")


class Pages:
    """The pages of a test."""

    def __init__(self, scene: Scene, sites: Sites) -> None:
        self.scene = scene
        self.sites = sites

    def add_site(self, kind: str) -> list[int]:
        """Store the domain of the first business of a kind with all its pages, and give their ids."""
        domain = self.sites.add(kind)
        return [self.add(f"http://{self.name_of(domain)}{page.path}", domain) for page in plan_of(kind).pages]

    def add(self, url: str, domain: int | None = None, **columns: Any) -> int:
        """Store a page, and its domain if need be, and give its id."""
        host = (urlsplit(url).hostname or "").removeprefix("www.")
        domain = self._domain(host) if domain is None else domain
        given = {"tenant_id": settings().default_tenant_id, "domain_id": domain, "url": url, "host": host} | columns
        names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
        return int(self.scene.one(f"INSERT INTO pages ({names}) VALUES ({marks}) RETURNING id", *given.values())["id"])

    def _domain(self, name: str) -> int:
        known = self.scene.rows("SELECT id FROM domains WHERE name = %s", name)
        return int(known[0]["id"]) if known else self.sites.add_domain(name)

    def name_of(self, domain: int) -> str:
        return str(self.sites.domain(domain)["name"])

    def run(self, *pages: int, auto: bool = True, skips_tries: bool = False) -> None:
        """Visit pages and validate what is on them, waiting for nothing."""
        self.sites.run(STAGES, *pages, auto=auto, skips_tries=skips_tries)

    def by_machine(self, *pages: int) -> None:
        """Queue pages as their domain's ranking does: as the children of some work."""
        parent = self.scene.one(
            "INSERT INTO work (tenant_id, stage, entity_id, status, finished_at)"
            " VALUES (%s, 'page_ranking', %s, 'Completed', now()) RETURNING id",
            settings().default_tenant_id,
            pages[0],
        )["id"]
        self.scene.start(STAGE, *pages)
        self.scene.execute("UPDATE work SET parent_id = %s WHERE stage = %s", parent, STAGE)

    def ending(self, page: int) -> tuple[str, str | None]:
        return self.sites.ending(STAGE, page)

    def row(self, page: int) -> dict[str, Any]:
        return self.scene.one("SELECT * FROM pages WHERE id = %s", page)

    def found(self, page: int) -> set[tuple[str, str]]:
        """Give kind and value of what was seen on a page and is not gone from there."""
        rows = self.scene.rows(
            "SELECT kind, value FROM contacts JOIN sightings ON contact_id = contacts.id"
            " WHERE page_id = %s AND sightings.gone_at IS NULL",
            page,
        )
        return {(row["kind"], row["value"]) for row in rows}

    def gone(self) -> set[str]:
        """Give the values of the contacts that are nowhere to be seen any more."""
        return {row["value"] for row in self.scene.rows("SELECT value FROM contacts WHERE gone_at IS NOT NULL")}

    def values(self) -> set[str]:
        return {row["value"] for row in self.scene.rows("SELECT value FROM contacts")}


def plan_of(kind: str) -> SitePlan:
    """Give the plan of the first site of a kind."""
    return site_plan(WORLD, WORLD.with_kind(kind))

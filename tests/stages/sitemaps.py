"""Sitemaps of the sandbox as rows, imported in any order, and the pages that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import posts, site_sitemaps
from sandbox.sites.site import Site
from sandbox.world import World
from settings import settings
from tests.stages.scene import Scene

WORLD = World(300, 3)
IMPORT = ("sitemap_import", "page_ranking")


def site_of(kind: str) -> Site:
    """Give the first site of a kind."""
    business = WORLD.with_kind(kind)
    return Site(site_plan(WORLD, business), WORLD.branches(business))


def top_of(kind: str) -> str:
    """Give the address of the sitemap that a site of this kind begins with."""
    site = site_of(kind)
    return f"http://{site.host}{site_sitemaps.top(site)}"


def listed_by(plan: SitePlan, *, is_catalogue: bool) -> set[str]:
    """Give the paths that the sitemaps of a site list."""
    extra = {posts.path_of(number, is_catalogue=is_catalogue) for number in range(plan.extra_urls)}
    return {page.path for page in plan.pages} | extra


class Sitemaps:
    """The sitemaps of a test."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def domain(self, name: str) -> int:
        sql = (
            "INSERT INTO domains (tenant_id, name) VALUES (%s, %s)"
            " ON CONFLICT (tenant_id, name) DO UPDATE SET updated_at = now() RETURNING id"
        )
        return int(self.scene.one(sql, settings().default_tenant_id, name)["id"])

    def add(self, url: str, *, host: str | None = None, **columns: Any) -> int:
        """Store a sitemap, as the search for it does, and give its id."""
        host = host or (urlsplit(url).hostname or "").removeprefix("www.")
        given = {"tenant_id": settings().default_tenant_id, "domain_id": self.domain(host), "url": url, "host": host}
        given |= columns
        names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
        sql = (
            f"INSERT INTO sitemap_files ({names}) VALUES ({marks})"
            " ON CONFLICT (domain_id, url) DO UPDATE SET updated_at = now() RETURNING id"
        )
        return int(self.scene.one(sql, *given.values())["id"])

    def add_site(self, kind: str) -> int:
        """Store the first sitemap of the first site of a kind."""
        return self.add(top_of(kind))

    def run(self, *sitemaps: int, auto: bool = True, stages: Sequence[str] = IMPORT) -> None:
        """Import sitemaps and all that follows, waiting for nothing."""
        for sitemap in sitemaps:
            self.scene.start("sitemap_import", sitemap, auto=auto)
        self.go_on(stages)

    def go_on(self, stages: Sequence[str] = IMPORT) -> None:
        """Let everything go that waits, until nothing does."""
        self.scene.play(*stages)
        for _ in range(30):
            waiting = "SELECT count(*) AS many FROM work WHERE status = 'Queued' AND stage = ANY(%s)"
            if not self.scene.one(waiting, list(stages))["many"]:
                return
            self.scene.hurry(*stages)
        raise AssertionError("it never ends")

    def row(self, sitemap: int) -> dict[str, Any]:
        return self.scene.one("SELECT * FROM sitemap_files WHERE id = %s", sitemap)

    def paths(self, where: str = "true") -> set[str]:
        """Give path and query of the stored pages."""
        rows = self.scene.rows(f"SELECT url FROM pages WHERE {where}")
        return {_path(row["url"]) for row in rows}

    def picture(self) -> list[tuple[Any, ...]]:
        """Give what is known of every page, without what tells when or in which order it came."""
        rows = self.scene.rows(
            "SELECT domains.name, pages.url, pages.host, kind, score, depth, lastmod, decision_reason,"
            " vanished_at IS NOT NULL AS is_gone, pages.curation_status,"
            " ARRAY(SELECT sitemap_files.url FROM sitemap_pages JOIN sitemap_files ON sitemap_files.id ="
            "       sitemap_pages.sitemap_file_id WHERE page_id = pages.id ORDER BY 1) AS listed_by"
            " FROM pages JOIN domains ON domains.id = domain_id ORDER BY 1, 2"
        )
        return [tuple(tuple(each) if isinstance(each, list) else each for each in row.values()) for row in rows]


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def chosen_by_hand(pictures: Iterable[tuple[Any, ...]], most: int, floor: float) -> set[str]:
    """Choose the best pages of one domain in plain Python."""
    worth = [row for row in pictures if row[4] >= floor and not row[8]]
    return {row[1] for row in sorted(worth, key=lambda row: (-row[4], row[5], row[1]))[:most]}

"""Real worker processes: 50,000 URLs arrive whole though a worker dies over them, and other sites flow meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedded import Servers
from tests.chaos.processes import wait_until
from tests.stages.crews import TENANT, CrewAtWork, crew_on
from tests.stages.sitemaps import WORLD, listed_by, site_of, top_of

BIG = "sitemap-50k"
OTHERS = [
    "wordpress", "wix", "sitemap-index", "sitemap-nested", "sitemap-loop", "sitemap-gz", "sitemap-text",
    "sitemap-cdata", "sitemap-broken", "sitemap-wrong-namespace",
]  # fmt: skip


class Import(CrewAtWork):
    """A database with sitemaps to import, and the workers that do it."""

    def add(self, kind: str) -> None:
        """Store a site's first sitemap and its work; workers ring for what they find when they start."""
        self.rows(
            "WITH domain AS (INSERT INTO domains (tenant_id, name) VALUES (%s, %s) RETURNING id, tenant_id, name),"
            " lane AS (INSERT INTO hosts (host, gap) SELECT name, '0' FROM domain),"
            " sitemap AS (INSERT INTO sitemap_files (tenant_id, domain_id, url, host) SELECT tenant_id, id, %s, name"
            "             FROM domain RETURNING id, tenant_id, host)"
            " INSERT INTO work (tenant_id, stage, entity_id, lane) SELECT tenant_id, 'sitemap_import', id, host"
            " FROM sitemap",
            TENANT,
            site_of(kind).host,
            top_of(kind),
        )

    def big(self) -> dict[str, Any]:
        """Give the work on the big sitemap."""
        sql = "SELECT work.* FROM work WHERE stage = 'sitemap_import' AND lane = %s"
        return self.rows(sql, site_of(BIG).host)[0]

    def pages(self, kind: str) -> set[str]:
        host = site_of(kind).host
        rows = self.rows("SELECT replace(url, 'http://' || host, '') AS path FROM pages WHERE host = %s", host)
        return {row["path"] for row in rows}

    def kill_the_one_at_work(self) -> None:
        """Kill the process that imports the big sitemap, with no chance to say goodbye."""
        sql = "SELECT pid FROM work JOIN workers ON workers.id = worker_id WHERE work.id = %s"
        os.kill(self.rows(sql, self.big()["id"])[0]["pid"], signal.SIGKILL)


@pytest.fixture
def site_import(servers: Servers, database_url: str, tmp_path: Path) -> Iterator[Import]:
    with crew_on(WORLD, servers, database_url, tmp_path, LANE_GAP_SECONDS="0") as (crew, _):
        yield Import(database_url, crew)


def check_whole(site_import: Import, kind: str) -> None:
    site = site_of(kind)
    assert site_import.pages(kind) == listed_by(site.plan, is_catalogue=site.is_catalogue)
    useful = {page.path for page in site.plan.pages if page.kind in ("home", "contact", "legal")}
    sql = "SELECT replace(url, 'http://' || host, '') AS path FROM pages WHERE host = %s AND decision_reason = 'chosen'"
    chosen = {row["path"] for row in site_import.rows(sql, site.host)}
    assert chosen >= useful
    assert len(chosen) <= 25


def test_a_killed_worker_leaves_whole_chunks_and_the_rest_follows(site_import: Import) -> None:
    site_import.add(BIG)
    site_import.crew.start("worker")
    assert wait_until(lambda: site_import.many("pages") >= 5_000, 120, 0.02)
    site_import.kill_the_one_at_work()
    left = site_import.many("pages")
    assert left % 5_000 == 0
    assert wait_until(site_import.is_over, 240)
    site_import.crew.stop()
    check_whole(site_import, BIG)
    assert site_import.big()["token"] >= 2
    assert site_import.many("pages") == 50_000
    assert site_import.many("sitemap_pages") == 50_000
    assert site_import.many("work WHERE stage = 'page_ranking' AND status = 'Completed'") == 1


def test_other_sites_flow_while_the_big_one_is_read(site_import: Import) -> None:
    for kind in (BIG, *OTHERS):
        site_import.add(kind)
    site_import.crew.start("worker")
    assert wait_until(lambda: site_import.many("pages") > 0 and site_import.is_over(), 240)
    site_import.crew.stop()
    for kind in (BIG, *OTHERS):
        check_whole(site_import, kind)
    big = site_import.big()
    # Counted in hand-offs: how many stages of other sites ended while the big one was under way.
    sql = "SELECT count(*) AS many FROM work WHERE lane IS DISTINCT FROM %s AND finished_at BETWEEN %s AND %s"
    meanwhile = site_import.rows(sql, big["lane"], big["started_at"], big["finished_at"])[0]["many"]
    assert meanwhile >= len(OTHERS)

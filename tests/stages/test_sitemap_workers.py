"""Real worker processes: 50,000 URLs arrive whole though a worker dies over them, and other sites flow meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from embedded import Servers
from sandbox import serving
from tests.chaos.processes import Crew, environment, wait_until
from tests.stages.sitemaps import WORLD, listed_by, site_of, top_of

TENANT = "550e8400-e29b-41d4-a716-446655440000"
BIG = "sitemap-50k"
OTHERS = [
    "wordpress", "wix", "sitemap-index", "sitemap-nested", "sitemap-loop", "sitemap-gz", "sitemap-text",
    "sitemap-cdata", "sitemap-broken", "sitemap-wrong-namespace",
]  # fmt: skip


class Import:
    """A database with sitemaps to import, and the workers that do it."""

    def __init__(self, url: str, crew: Crew) -> None:
        self.url = url
        self.crew = crew

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with psycopg.connect(self.url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def many(self, what: str) -> int:
        return int(self.rows(f"SELECT count(*) AS many FROM {what}")[0]["many"])

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

    def is_over(self) -> bool:
        return self.many("work WHERE status IN ('Queued', 'Processing')") == 0

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
    with serving(WORLD) as served:
        env = environment(
            str(tmp_path),
            DATABASE_URL=database_url,
            REDIS_URL=servers.broker_url,
            SANDBOX_ADDRESS=f"127.0.0.1:{served.address[1]}",
            LANE_GAP_SECONDS="0",
            WORKER_PROCESSES="2",
            LEASE_BEAT_SECONDS="1",
            LEASE_GRACE_SECONDS="2",
            LEASE_EXPIRY_SECONDS="3",
        )
        crew = Crew(env, tmp_path)
        try:
            yield Import(database_url, crew)
        finally:
            crew.kill_rest()


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

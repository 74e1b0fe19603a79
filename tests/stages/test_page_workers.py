"""Real worker processes: every contact of several sites is stored once, though a worker dies over a page."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedded import Servers
from pipeline import database
from sandbox.siteplan import site_plan
from scheduling import invariants
from tests.chaos.processes import wait_until
from tests.stages.crews import TENANT, CrewAtWork, crew_on
from tests.stages.sites import WORLD

SLOW, SLOW_PAGES = "slow", 3
KINDS = ("plain", "wordpress", "several-locations", "json-ld", "cloudflare-email")


class Visits(CrewAtWork):
    """A database with pages to visit, and the workers that do it."""

    def add(self, kind: str, most: int = 100) -> None:
        """Store a site's pages and their work; workers ring for what they find when they start."""
        plan = site_plan(WORLD, WORLD.with_kind(kind))
        self.rows(
            "WITH domain AS (INSERT INTO domains (tenant_id, name) VALUES (%s, %s) RETURNING id, tenant_id, name),"
            " lane AS (INSERT INTO hosts (host, gap) SELECT name, '0' FROM domain),"
            " page AS (INSERT INTO pages (tenant_id, domain_id, url, host)"
            "          SELECT tenant_id, id, 'http://' || name || path, name FROM domain, unnest(%s::text[]) path"
            "          RETURNING id, tenant_id, host)"
            " INSERT INTO work (tenant_id, stage, entity_id, lane)"
            " SELECT tenant_id, 'page_curation', id, host FROM page",
            TENANT,
            plan.host,
            [page.path for page in plan.pages[:most]],
        )

    def kill_the_one_on_a_slow_page(self) -> None:
        """Kill the process that waits for a slow site, with no chance to say goodbye."""
        sql = "SELECT pid FROM work JOIN workers ON workers.id = worker_id WHERE status = 'Processing' AND lane = %s"
        host = site_plan(WORLD, WORLD.with_kind(SLOW)).host
        assert wait_until(lambda: bool(self.rows(sql, host)), 60, 0.05)
        os.kill(self.rows(sql, host)[0]["pid"], signal.SIGKILL)


@pytest.fixture
def visits(servers: Servers, database_url: str, tmp_path: Path) -> Iterator[Visits]:
    own = {"LANE_GAP_SECONDS": "0", "SATURATED_EMAILS": "1000"}
    with crew_on(WORLD, servers, database_url, tmp_path, **own) as (crew, _):
        yield Visits(database_url, crew)


def planted(kind: str, most: int = 100) -> set[tuple[str, str, str, str]]:
    """Give domain, page, kind and value of what a site's pages show."""
    plan = site_plan(WORLD, WORLD.with_kind(kind))
    paths = {page.path for page in plan.pages[:most]}
    return {
        (plan.host, each.page, each.kind, each.value.lower() if each.kind == "email" else each.value)
        for each in plan.planted
        if each.page in paths
    }


@pytest.mark.usefixtures("product_stages")
def test_a_killed_worker_costs_no_contact_and_doubles_none(visits: Visits) -> None:
    for kind in KINDS:
        visits.add(kind)
    visits.add(SLOW, SLOW_PAGES)
    visits.crew.start("worker")
    visits.kill_the_one_on_a_slow_page()
    assert wait_until(visits.is_over, 180)
    visits.crew.stop()
    rows = visits.rows(
        "SELECT name, replace(url, 'http://' || name, '') AS path, kind, value FROM sightings"
        " JOIN contacts ON contacts.id = contact_id JOIN domains ON domains.id = domain_id"
    )
    wanted = set().union(*map(planted, KINDS), planted(SLOW, SLOW_PAGES))
    assert {tuple(row.values()) for row in rows} == wanted
    assert visits.many("contacts") == len({(host, kind, value) for host, _, kind, value in wanted})
    assert visits.many("contacts WHERE gone_at IS NOT NULL") == 0
    assert visits.many("failures WHERE kind = 'crash'") >= 1
    assert visits.many("contacts WHERE kind IN ('email', 'phone') AND verdict IS NULL") == 0
    database.use(visits.url)
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []
    database.use(None)

"""Two worker processes and fifty hosts for a minute: no host is asked too fast or by too many, also after a kill."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from embedded import Servers
from sandbox import Served, serving
from sandbox.kinds import GOOD
from sandbox.world import World
from tests.chaos.processes import Crew, environment, wait_until
from tests.politeness.observe import most_at_once, shortest_gap, visits

TENANT = "550e8400-e29b-41d4-a716-446655440000"
WORLD = World(300, 5)
HOSTS, PAGES = 50, 60
SECONDS, KILL_EVERY = 60.0, 15.0
GAP, CRAWL_DELAY = 1.0, 2.0
# Sites that answer, and some that make the pace change: each asks for something else.
WANTED = [kind.name for kind in GOOD] + ["crawl-delay", "rate-limited", "unavailable", "flaky", "slow", "server-error"]


@dataclass
class Crawl:
    """A database full of pages, two workers that fetch them, and the sites' log."""

    database_url: str
    served: Served
    crew: Crew

    def rows(self, sql: str, values: Any = None) -> list[dict[str, Any]]:
        with psycopg.connect(self.database_url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def completed(self) -> int:
        return int(self.rows("SELECT count(*) AS many FROM work WHERE status = 'Completed'")[0]["many"])

    def add_pages(self, hosts: list[str]) -> None:
        """Queue many pages of every host, as a stage before would have."""
        for host in hosts:
            (domain,) = self.rows("INSERT INTO domains (tenant_id, name) VALUES (%s, %s) RETURNING id", (TENANT, host))
            self.rows(
                """INSERT INTO pages (tenant_id, domain_id, url, host)
                   SELECT %s, %s, 'http://' || %s || '/?page=' || number, %s FROM generate_series(1, %s) number""",
                (TENANT, domain["id"], host, host, PAGES),
            )
        self.rows("INSERT INTO hosts (host, gap) SELECT DISTINCT host, %s * interval '1 second' FROM pages", (GAP,))
        self.rows(
            "INSERT INTO work (tenant_id, stage, entity_id, lane) SELECT tenant_id, 'visit_page', id, host FROM pages"
        )


def chosen_hosts() -> list[str]:
    """Take good sites, and one of each kind that changes the pace."""
    special = [str(WORLD.with_kind(kind).host) for kind in WANTED if kind not in {good.name for good in GOOD}]
    good = (str(business.host) for business in WORLD if business.site_kind in {good.name for good in GOOD})
    return special + list(islice(good, HOSTS - len(special)))


@pytest.fixture
def crawl(servers: Servers, database_url: str, tmp_path: Path) -> Iterator[Crawl]:
    with serving(WORLD, latency=0.05, log=tmp_path / "requests.jsonl") as served:
        env = environment(
            str(tmp_path),
            DATABASE_URL=database_url,
            REDIS_URL=servers.broker_url,
            STAGE_MODULES="tests.politeness.stages",
            SANDBOX_ADDRESS=f"127.0.0.1:{served.address[1]}",
            LANE_GAP_SECONDS=str(GAP),
            LANE_CAP="1",
            WORKER_PROCESSES="2",
            LEASE_BEAT_SECONDS="1",
            LEASE_GRACE_SECONDS="2",
            LEASE_EXPIRY_SECONDS="3",
        )
        crew = Crew(env, tmp_path)
        try:
            yield Crawl(database_url, served, crew)
        finally:
            crew.kill_rest()


def kill_one(crew: Crew) -> None:
    """Kill a process that is fetching, with no chance to say goodbye."""
    os.kill(next(iter(crew.hands())), signal.SIGKILL)


def run_and_kill(crawl: Crawl) -> int:
    """Let the workers crawl for a minute and kill one of them now and then; give how often."""
    kills = 0
    until = time.monotonic() + SECONDS
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(KILL_EVERY, left))
        if until - time.monotonic() > KILL_EVERY / 2 and crawl.crew.hands():
            kill_one(crawl.crew)
            kills += 1
    return kills


def test_no_host_is_asked_too_fast_or_by_too_many(crawl: Crawl) -> None:
    hosts = chosen_hosts()
    crawl.add_pages(hosts)
    crawl.crew.start("worker")
    assert wait_until(lambda: crawl.completed() > HOSTS, 60), "the crawl did not start"
    assert run_and_kill(crawl) >= 2
    crawl.crew.stop()

    seen = visits(crawl.served.log())
    assert set(hosts) == set(seen)
    assert sum(map(len, seen.values())) > HOSTS * 10
    gaps = {host: shortest_gap(found) for host, found in seen.items()}
    assert {host: gap for host, gap in gaps.items() if gap < GAP} == {}
    assert {host: most_at_once(found) for host, found in seen.items() if most_at_once(found) > 1} == {}
    assert gaps[str(WORLD.with_kind("crawl-delay").host)] >= CRAWL_DELAY
    assert rest_of(seen[str(WORLD.with_kind("rate-limited").host)]) >= 2.0
    assert crawl.rows("SELECT id FROM work WHERE status = 'Processing'") == []
    assert crawl.rows("SELECT host FROM hosts WHERE inflight <> 0") == []


def rest_of(found: list[Any]) -> float:
    """Give how long a site was left alone after it had said 429."""
    said = next(index for index, visit in enumerate(found) if visit.status == 429)
    return float(found[said + 1].arrived - found[said].arrived)

"""A whole search by real worker processes, from one row to domains, compared with the sandbox's truth."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from embedded import Servers
from pipeline import database
from sandbox import serving
from sandbox.truth import Totals, domain_of, truth_of
from sandbox.world import World
from scheduling import invariants
from tests.chaos.processes import Crew, environment, wait_until
from tests.stages.conftest import Sandbox

TENANT = "550e8400-e29b-41d4-a716-446655440000"
WORLD = World(300, 3, town="Austin, TX", category="dentist")
STAGES = ("deep_scan", "domain_extraction")
EARLY = ("search", "search_area", *STAGES)
IDS = {business.place_id for business in WORLD}


class Run:
    """A database with one search, and the workers that run it."""

    def __init__(self, url: str, crew: Crew, sandbox: Sandbox) -> None:
        self.url = url
        self.crew = crew
        self.sandbox = sandbox

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with psycopg.connect(self.url, autocommit=True, row_factory=dict_row) as connection:
            cursor = connection.execute(sql.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def search(self, mode: str = "auto") -> None:
        """Store a search and its work, as the command does; workers ring for what they find when they start."""
        sql = (
            "INSERT INTO searches (tenant_id, what, where_text, provider, mode, max_places)"
            " VALUES (%s, 'dentists', 'Austin, TX', 'sandbox', %s, 1000) RETURNING id"
        )
        (search,) = self.rows(sql, TENANT, mode)
        work = "INSERT INTO work (tenant_id, stage, entity_id, auto) VALUES (%s, 'search', %s, %s)"
        self.rows(work, TENANT, search["id"], mode == "auto")
        self.rows("INSERT INTO stage_controls (stage, paused) VALUES ('domain_metadata', true)")

    def many(self, what: str) -> int:
        return int(self.rows(f"SELECT count(*) AS many FROM {what}")[0]["many"])

    def is_over(self) -> bool:
        early = ", ".join(f"'{stage}'" for stage in EARLY)
        return self.many(f"work WHERE status IN ('Queued', 'Processing') AND stage IN ({early})") == 0

    def left(self) -> list[dict[str, Any]]:
        """Show some of what is still open, for a run that does not end."""
        return self.rows(
            "SELECT id, stage, status, reason, attempts, crashes, token, due_at - clock_timestamp() AS due, sent_at,"
            " sends, started_at, deadline_at, (SELECT expires_at FROM workers WHERE workers.id = worker_id) AS lease,"
            " clock_timestamp() AS now FROM work WHERE status IN ('Queued', 'Processing') AND stage = ANY(%s) LIMIT 5",
            list(EARLY),
        )

    def endings(self) -> dict[tuple[str, str, str | None], int]:
        rows = self.rows(
            "SELECT stage, status, CASE WHEN status <> 'Completed' THEN reason END AS reason, count(*)::int AS many"
            " FROM work WHERE stage = ANY(%s) GROUP BY 1, 2, 3",
            list(STAGES),
        )
        return {(row["stage"], row["status"], row["reason"]): row["many"] for row in rows}


@pytest.fixture
def start(servers: Servers, database_url: str, tmp_path: Path) -> Iterator[Callable[[], Run]]:
    crews: list[Crew] = []
    with serving(WORLD) as served:

        def start_run() -> Run:
            env = environment(
                str(tmp_path),
                DATABASE_URL=database_url,
                REDIS_URL=servers.broker_url,
                SANDBOX_ADDRESS=f"127.0.0.1:{served.address[1]}",
                GOOGLE_CALLS_PER_SECOND="100",
                WORKER_PROCESSES="2",
                LEASE_BEAT_SECONDS="1",
                LEASE_GRACE_SECONDS="2",
                LEASE_EXPIRY_SECONDS="3",
            )
            crews.append(Crew(env, tmp_path))
            return Run(database_url, crews[-1], Sandbox(served, WORLD))

        try:
            yield start_run
        finally:
            for crew in crews:
                crew.kill_rest()


def expected() -> dict[tuple[str, str, str | None], int]:
    """Sum up what the truth says of each business."""
    totals = Totals()
    for business in WORLD:
        totals.add(WORLD, business, truth_of(WORLD, business))
    sums = totals.as_record()["stages"]
    return {(row["stage"], row["status"], row["reason"]): row["count"] for row in sums if row["stage"] in STAGES}


def check_against_truth(run: Run) -> None:
    assert {row["id"] for row in run.rows("SELECT provider_place_id AS id FROM places")} == IDS
    assert run.endings() == expected()
    open_ones = {business.index: business for business in WORLD if business.status != "closed-permanently"}
    domains = {name for business in open_ones.values() if (name := domain_of(business))}
    assert {row["name"] for row in run.rows("SELECT name FROM domains")} == domains
    linked = sum(domain_of(business) is not None for business in open_ones.values())
    assert run.many("local_business_domains") == linked
    assert run.rows("SELECT coverage FROM searches") == [{"coverage": pytest.approx(1.0)}]


@pytest.mark.usefixtures("product_stages")
def test_a_search_runs_by_itself_to_domains(start: Callable[[], Run]) -> None:
    run = start()
    run.search()
    run.crew.start("worker")
    assert wait_until(lambda: run.many("places") > 0 and run.is_over(), 120)
    run.crew.stop()
    check_against_truth(run)
    books = run.sandbox.books()
    assert books["paid_twice"] == {}
    bill = run.rows("SELECT calls, spent_usd::float8 AS usd FROM searches")
    assert bill == [{"calls": books["calls"], "usd": pytest.approx(books["usd"])}]
    database.use(run.url)
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []
    database.use(None)


def test_killed_workers_lose_nothing_and_pay_twice_only_for_what_was_under_way(start: Callable[[], Run]) -> None:
    run = start()
    run.search()
    run.crew.start("worker")
    kills = 0
    for seen in (1, 60, 150):
        assert wait_until(lambda seen=seen: run.many("places") >= seen or run.is_over(), 60, 0.02)  # type: ignore[misc]
        with suppress(StopIteration, ProcessLookupError):
            os.kill(next(iter(run.crew.hands())), signal.SIGKILL)
            kills += 1
    assert kills >= 1
    assert wait_until(lambda: run.many("places") > 0 and run.is_over(), 180), run.left()
    run.crew.stop()
    check_against_truth(run)
    crashed = run.many(
        "failures JOIN work ON work.id = work_id WHERE failures.kind = 'crash' AND stage IN ('search', 'search_area')"
    )
    again = sum(times - 1 for times in run.sandbox.books()["paid_twice"].values())
    assert again <= crashed


def test_a_curated_search_stops_at_its_places(start: Callable[[], Run]) -> None:
    run = start()
    run.search("curated")
    run.crew.start("worker")
    assert wait_until(lambda: run.many("places") > 0 and run.is_over(), 120)
    run.crew.stop()
    assert {row["id"] for row in run.rows("SELECT provider_place_id AS id FROM places")} == IDS
    assert run.endings() == {}
    assert run.rows("SELECT coverage FROM searches") == [{"coverage": pytest.approx(1.0)}]

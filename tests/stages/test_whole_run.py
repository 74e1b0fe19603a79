"""A whole search by real worker processes, from one row to domains, compared with the sandbox's truth."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from embedded import Servers
from pipeline import database
from sandbox.truth import Totals, domain_of, truth_of
from sandbox.world import World
from scheduling import invariants
from tests.chaos.processes import Crew, wait_until
from tests.stages.conftest import Sandbox
from tests.stages.crews import TENANT, CrewAtWork, crew_on

WORLD = World(300, 3, town="Austin, TX", category="dentist")
STAGES = ("deep_scan", "domain_extraction")
EARLY = ("search", "search_area", *STAGES)
IDS = {business.place_id for business in WORLD}


class Run(CrewAtWork):
    """A database with one search, and the workers that run it."""

    def __init__(self, url: str, crew: Crew, sandbox: Sandbox) -> None:
        super().__init__(url, crew)
        self.sandbox = sandbox

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
def run(servers: Servers, database_url: str, tmp_path: Path) -> Iterator[Run]:
    with crew_on(WORLD, servers, database_url, tmp_path, GOOGLE_CALLS_PER_SECOND="100") as (crew, served):
        yield Run(database_url, crew, Sandbox(served, WORLD))


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
def test_a_search_runs_by_itself_to_domains(run: Run) -> None:
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


def test_killed_workers_lose_nothing_and_pay_twice_only_for_what_was_under_way(run: Run) -> None:
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


def test_a_curated_search_stops_at_its_places(run: Run) -> None:
    run.search("curated")
    run.crew.start("worker")
    assert wait_until(lambda: run.many("places") > 0 and run.is_over(), 120)
    run.crew.stop()
    assert {row["id"] for row in run.rows("SELECT provider_place_id AS id FROM places")} == IDS
    assert run.endings() == {}
    assert run.rows("SELECT coverage FROM searches") == [{"coverage": pytest.approx(1.0)}]

"""Errands: what a firing queues, for searches and for the sites they found."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from pipeline.database import transaction
from scheduling import errand
from scheduling.errand import NOTHING_TO_REFRESH, Errand, Outcome
from settings import settings
from tests.pipeline.stagehand import Stagehand

EMPTY = "DELETE FROM search_places; DELETE FROM places; DELETE FROM local_businesses; DELETE FROM domains"


@pytest.fixture
def hand(product_stages: None, stagehand: Stagehand) -> Iterator[Stagehand]:
    """The product's own stages, and none of its rows."""
    for sql in EMPTY.split(";"):
        stagehand.execute(sql)
    yield stagehand
    for sql in EMPTY.split(";"):
        stagehand.execute(sql)


def insert(hand: Stagehand, table: str, **columns: object) -> int:
    given = {"tenant_id": settings().default_tenant_id} | columns
    sql = f"INSERT INTO {table} ({', '.join(given)}) VALUES ({', '.join(['%s'] * len(given))}) RETURNING id"
    return int(hand.rows(sql, *given.values())[0]["id"])


def search(hand: Stagehand, mode: str = "auto") -> int:
    return insert(hand, "searches", what="dentists", where_text="Austin, TX", provider="sandbox", mode=mode)


def site(hand: Stagehand, search_id: int, name: str, *, status: str | None = "Completed", decision: str = "New") -> int:
    """A domain that a search has found, and that was visited unless there is no status."""
    place = insert(hand, "places", provider="sandbox", provider_place_id=name)
    business = insert(hand, "local_businesses", place_id=place)
    domain = insert(hand, "domains", name=name, curation_status=decision)
    insert(hand, "search_places", search_id=search_id, place_id=place)
    insert(hand, "local_business_domains", local_business_id=business, domain_id=domain)
    if status is not None:
        reason = None if status in ("Completed", "Queued") else "x"
        insert(hand, "work", stage="domain_metadata", entity_id=domain, status=status, reason=reason, lane=name)
    return domain


def send(search_id: int, action: str, *, stage: str = "search", tenant_id: UUID | None = None) -> Outcome:
    with transaction() as (_, connection):
        wanted = Errand(tenant_id or settings().default_tenant_id, action, stage, search_id)
        return errand.carry_out(connection, wanted)


def queued(hand: Stagehand) -> dict[int, bool]:
    rows = hand.rows("SELECT entity_id, auto FROM work WHERE stage = 'domain_metadata' AND status = 'Queued'")
    return {row["entity_id"]: row["auto"] for row in rows}


def test_a_refresh_visits_again_what_was_visited(hand: Stagehand) -> None:
    one = search(hand)
    again = [
        site(hand, one, f"{status.lower()}.example", status=status) for status in ("Completed", "Filtered", "Error")
    ]
    site(hand, one, "cancelled.example", status="Cancelled")
    site(hand, one, "unvisited.example", status=None)
    site(hand, one, "rejected.example", decision="Not a Fit")
    site(hand, search(hand), "elsewhere.example")
    outcome = send(one, "refresh")
    assert (outcome.result, outcome.queued_count) == ("queued", 3)
    assert queued(hand) == dict.fromkeys(again, True)


def test_a_refresh_of_a_curated_search_leaves_the_next_step_to_people(hand: Stagehand) -> None:
    one = search(hand, "curated")
    domain = site(hand, one, "chosen.example")
    send(one, "refresh")
    assert queued(hand) == {domain: False}


def test_a_refresh_that_finds_everything_open_queues_nothing(hand: Stagehand) -> None:
    one = search(hand)
    site(hand, one, "open.example", status="Queued")
    assert (send(one, "refresh").result, send(one, "refresh").queued_count) == ("still-running", 0)


def test_a_refresh_of_nothing_says_so(hand: Stagehand) -> None:
    outcome = send(search(hand), "refresh")
    assert (outcome.result, outcome.error) == ("no-entity", NOTHING_TO_REFRESH)


@pytest.mark.parametrize("action", ["run", "refresh"])
def test_somebody_else_s_search_does_not_exist(hand: Stagehand, action: str) -> None:
    one = search(hand)
    site(hand, one, "ours.example")
    assert send(one, action, tenant_id=uuid4()).result == "no-entity"
    assert queued(hand) == {}


def test_only_a_search_can_be_refreshed(hand: Stagehand) -> None:
    outcome = send(search(hand), "refresh", stage="deep_scan")
    assert outcome.result == "error"
    assert outcome.error is not None
    assert outcome.error.startswith("Only what a search has found can be refreshed")


@pytest.mark.parametrize(("mode", "auto"), [("auto", True), ("curated", False)])
def test_a_run_of_a_search_is_in_its_own_mode(hand: Stagehand, mode: str, auto: bool) -> None:
    one = search(hand, mode)
    assert send(one, "run").result == "queued"
    assert [row["auto"] for row in hand.rows("SELECT auto FROM work WHERE stage = 'search'")] == [auto]


def test_other_work_goes_on_as_it_did(hand: Stagehand) -> None:
    domain = site(hand, search(hand), "one.example")
    hand.execute("UPDATE work SET auto = false")
    assert send(domain, "run", stage="domain_metadata").result == "queued"
    assert queued(hand) == {domain: False}

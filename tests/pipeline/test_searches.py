"""Searches: refused before anything is written, and every piece of work that descends from one is counted once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from errors import BadInput
from models.work import WORK_STATUSES
from pipeline import controls, curation, searches
from pipeline.database import statement
from pipeline.progress import LINEAGE, Progress
from pipeline.search_order import Order
from pipeline.stage import stage_named
from settings import settings
from tests.pipeline.doors import add_business, add_domain, add_place, add_work, declared, empty_tables
from tests.pipeline.stagehand import Stagehand

AUSTIN = Order("dentists", "Austin, TX", provider="google", radius_meters=10_000)
BOX = replace(AUSTIN, where_text=None, radius_meters=None, south=30.1, west=-97.9, north=30.5, east=-97.5)


@pytest.fixture
def hand(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stagehand]:
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "a-key")
    settings.cache_clear()
    empty_tables()
    with declared():
        yield stagehand
    empty_tables()


def counts_of(search_id: int) -> dict[str, dict[str, int]]:
    counts = searches.one(search_id).progress.counts
    return {stage: {status: many for status, many in own.items() if many} for stage, own in counts.items()}


def start(order: Order = AUSTIN) -> tuple[int, int]:
    """Start a search; give its id and its work's."""
    search_id = searches.start(order)
    return search_id, work_of("search", search_id)


def work_of(stage: str, entity_id: int) -> int:
    with statement() as connection:
        row = connection.execute(
            b"SELECT id FROM work WHERE stage = %s AND entity_id = %s", (stage, entity_id)
        ).fetchone()
    return int(row[0]) if row else 0


def end(work_id: int, status: str = "Completed", reason: str | None = None, error: str | None = None) -> None:
    with statement() as connection:
        connection.execute(
            b"UPDATE work SET status = %s, reason = %s, error = %s WHERE id = %s", (status, reason, error, work_id)
        )


def test_a_search_is_stored_with_its_work_and_rings_at_once(hand: Stagehand) -> None:
    search_id = searches.start(replace(AUSTIN, mode="curated", budget_usd=Decimal("1.5")))
    (row,) = hand.rows("SELECT * FROM searches")
    assert (row["id"], row["what"], row["where_text"], row["radius_meters"]) == (
        search_id, "dentists", "Austin, TX", 10_000
    )  # fmt: skip
    assert (row["provider"], row["mode"], row["max_places"], row["budget_usd"]) == (
        "google", "curated", 200, Decimal("1.5")
    )  # fmt: skip
    (work,) = hand.rows("SELECT * FROM work")
    assert (work["stage"], work["entity_id"], work["auto"], work["tenant_id"]) == (
        "search", search_id, False, settings().default_tenant_id
    )  # fmt: skip
    assert [(ring.stage, ring.work_id) for ring in hand.bells.take()] == [("search", work["id"])]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"provider": "yahoo"}, "There is no provider 'yahoo'"),
        ({"provider": "list"}, "There is no provider 'list'"),
        ({"provider": "sandbox"}, "set SANDBOX_ADDRESS"),
        ({"provider": "openstreetmap"}, "set CRAWLER_CONTACT"),
        ({"what": "  "}, "What and where are words"),
        ({"what": "x" * 201}, "What and where are words"),
        ({"what": "den\x1btists"}, "What and where are words"),
        ({"where_text": ""}, "What and where are words"),
        ({"where_text": None}, "Say where"),
        ({"where_text": None, "radius_meters": 500}, "Say where"),
        ({"radius_meters": 10}, "A radius is 50m to 200km"),
        ({"radius_meters": 300_000}, "A radius is 50m to 200km"),
        ({"mode": "fast"}, "There is no mode 'fast'"),
        ({"max_places": 0}, "1 to 10000 places"),
        ({"max_places": 10_001}, "1 to 10000 places"),
        ({"budget_usd": Decimal("-0.0100")}, "A budget is 0 to 100000 US dollars, not -0.01."),
        ({"budget_usd": Decimal("200000.0000")}, "A budget is 0 to 100000 US dollars, not 200000."),
        ({"budget_usd": Decimal("NaN")}, "A budget is 0 to"),
        ({"budget_usd": Decimal("Infinity")}, "A budget is 0 to"),
    ],
)
def test_what_cannot_be_searched_is_refused_and_nothing_is_written(
    hand: Stagehand, changed: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence.replace("(", r"\(")):
        searches.start(replace(AUSTIN, **changed))
    assert hand.rows("SELECT 1 FROM searches UNION ALL SELECT 1 FROM work") == []


@pytest.mark.parametrize(
    "edges",
    [
        {"south": 30.5, "north": 30.1}, {"south": 30.1, "north": 30.1}, {"south": -91.0}, {"north": 90.1},
        {"west": -180.1}, {"east": 181.0}, {"west": 10.0, "east": 10.0},
    ],
)  # fmt: skip
def test_a_box_has_edges_on_earth(hand: Stagehand, edges: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="A box is SOUTH,WEST,NORTH,EAST"):
        searches.start(replace(BOX, **edges))


def test_boxes_may_touch_the_equator_and_cross_the_date_line(hand: Stagehand) -> None:
    boxes: list[dict[str, Any]] = [{"south": 0.0, "west": 0.0}, {"west": 179.0, "east": -179.0, "south": -1.0}]
    for edges in boxes:
        searches.start(replace(BOX, **edges))
    with pytest.raises(BadInput, match="Say where: either near"):
        searches.start(replace(BOX, where_text="Austin"))
    with pytest.raises(BadInput, match="A radius goes with the name"):
        searches.start(replace(BOX, radius_meters=500))


def test_google_without_a_key_is_refused_and_others_once_they_are_set(
    hand: Stagehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_MAPS_API_KEY")
    monkeypatch.setenv("CRAWLER_CONTACT", "me@mine.example")
    monkeypatch.setenv("SANDBOX_ADDRESS", "127.0.0.1:8089")
    settings.cache_clear()
    with pytest.raises(BadInput, match="set GOOGLE_MAPS_API_KEY"):
        searches.start(AUSTIN)
    assert searches.start(replace(AUSTIN, provider="openstreetmap")) < searches.start(
        replace(AUSTIN, provider="sandbox")
    )


def test_everything_that_descends_is_counted_once_and_nothing_of_others(hand: Stagehand) -> None:
    search_id, root = start()
    end(root)
    area = add_work("search_area", 1, "Completed", parent=root)
    deeper = add_work("search_area", 2, "Processing", parent=area)
    scans = [add_work("deep_scan", nth, "Completed", parent=(area, deeper)[nth % 2]) for nth in range(10, 16)]
    for nth, status in enumerate(WORK_STATUSES):
        add_work("domain_extraction", nth, status, parent=scans[nth])
    other, other_root = start()
    add_work("search_area", 3, "Error", parent=other_root)
    add_work("deep_scan", 99, "Error")
    found = searches.one(search_id)
    assert counts_of(search_id) == {
        "search": {"Completed": 1},
        "search_area": {"Completed": 1, "Processing": 1},
        "deep_scan": {"Completed": 6},
        "domain_extraction": dict.fromkeys(WORK_STATUSES, 1),
    }
    assert list(found.progress.counts) == ["search", "search_area", "deep_scan", "domain_extraction"]
    assert counts_of(other) == {"search": {"Queued": 1}, "search_area": {"Error": 1}}
    assert [search.row["id"] for search in searches.newest(5)] == [other, search_id]


def test_places_businesses_and_domains_are_totals_of_what_was_found(hand: Stagehand) -> None:
    (one, _), (two, _) = start(), start()
    places = [add_place(name, one) for name in "abc"] + [add_place("d", one, two)]
    businesses = [add_business(place, f"b{place}") for place in places[1:]]
    add_domain("shared.example", *businesses[:2])
    add_domain("own.example", businesses[2])
    totals = {
        row["id"]: (row["places"], row["businesses"], row["domains"]) for row in (f.row for f in searches.newest(9))
    }
    assert totals == {one: (4, 3, 2), two: (1, 1, 1)}


def test_an_overlapping_search_says_whose_work_it_is(hand: Stagehand) -> None:
    (one, root), (two, _) = start(), start()
    place = add_place("a", one, two)
    add_place("b", two)
    add_work("deep_scan", place, "Completed", parent=root)
    assert searches.begun_elsewhere(searches.one(one)) == 0
    assert searches.begun_elsewhere(searches.one(two)) == 1
    assert "deep_scan" not in counts_of(two)


def test_what_a_person_selects_belongs_to_the_search_that_found_it(hand: Stagehand) -> None:
    search_id, root = start(replace(AUSTIN, mode="curated"))
    end(root)
    first, second = add_place("a", search_id), add_place("b", search_id)
    assert searches.one(search_id).status == "ManualReview"
    assert searches.one(search_id).progress.waiting == {"deep_scan": 2}
    curation.curate(stage_named("deep_scan"), [first], "Selected")
    curation.curate(stage_named("deep_scan"), [second], "Not a Fit")
    found = searches.one(search_id)
    assert (counts_of(search_id)["deep_scan"], found.status) == ({"Queued": 1}, "InProgress")
    assert found.progress.waiting == {}
    end(work_of("deep_scan", first))
    business = add_business(first, "Anna's")
    assert searches.one(search_id).progress.waiting == {"domain_extraction": 1}
    curation.curate(stage_named("domain_extraction"), [business], "Selected")
    end(work_of("domain_extraction", business))
    assert counts_of(search_id)["domain_extraction"] == {"Completed": 1}
    assert searches.one(search_id).status == "Completed"


def test_in_auto_mode_nothing_waits_for_a_person(hand: Stagehand) -> None:
    search_id, root = start()
    end(root)
    add_place("a", search_id)
    assert (searches.one(search_id).status, searches.one(search_id).progress.waiting) == ("Completed", {})


def progress_of(**stages: dict[str, int]) -> Progress:
    return Progress({stage: dict.fromkeys(WORK_STATUSES, 0) | counts for stage, counts in stages.items()})


@pytest.mark.parametrize(
    ("stages", "status"),
    [
        ({}, "Completed"),
        ({"search": {"Queued": 1}}, "Queued"),
        ({"search": {"Processing": 1}}, "InProgress"),
        ({"search": {"Completed": 1}, "search_area": {"Queued": 4}}, "InProgress"),
        ({"search": {"Completed": 1}, "third": {"Queued": 4}}, "Paused"),
        ({"search": {"Completed": 1}, "third": {"Queued": 4}, "second": {"Queued": 1}}, "InProgress"),
        ({"search": {"Completed": 1}, "third": {"Processing": 1}}, "InProgress"),
        ({"search": {"Completed": 1}, "search_area": {"Completed": 3}}, "Completed"),
        ({"search": {"Completed": 1}, "search_area": {"Filtered": 3}}, "Completed"),
        ({"search": {"Error": 1}}, "Error"),
        ({"search": {"Completed": 1}, "search_area": {"Completed": 9, "Error": 1}}, "Error"),
        ({"search": {"Completed": 1}, "deep_scan": {"Completed": 9, "Error": 1}}, "Completed"),
        ({"search": {"Completed": 1}, "deep_scan": {"Filtered": 1, "Error": 2}}, "Error"),
        ({"search": {"Cancelled": 1}}, "Cancelled"),
        ({"search": {"Completed": 1}, "deep_scan": {"Completed": 1, "Cancelled": 20}}, "Cancelled"),
        ({"search": {"Completed": 1}, "deep_scan": {"Completed": 20, "Cancelled": 1}}, "Completed"),
    ],
)
def test_the_status_is_one_word(stages: dict[str, dict[str, int]], status: str) -> None:
    assert progress_of(**stages).status(paused={"third"}, source=("search", "search_area")) == status


def test_a_paused_stage_pauses_the_search(hand: Stagehand) -> None:
    search_id, _ = start()
    assert searches.one(search_id).status == "Queued"
    controls.pause(stage_named("search"))
    assert searches.one(search_id).status == "Paused"
    assert searches.newest(1)[0].status == "Paused"


def test_reasons_are_counted_with_an_example_by_name(hand: Stagehand) -> None:
    search_id, root = start()
    end(root)
    places = [add_place(name, search_id) for name in ("anna", "bob", "carl")]
    for place in places[:2]:
        add_work("deep_scan", place, "Filtered", parent=root, reason="closed")
    add_work("deep_scan", places[2], "Error", parent=root, reason="server-error", error="HTTP 500")
    add_work("deep_scan", 9999, "Queued", parent=root, reason="budget", error="spent")
    found = [
        (r["stage"], r["status"], r["reason"], r["many"], r["name"], r["error"])
        for r in searches.reasons_given(search_id)
    ]
    assert found == [
        ("deep_scan", "Filtered", "closed", 2, "anna", None),
        ("deep_scan", "Error", "server-error", 1, "carl", "HTTP 500"),
    ]
    (waits,) = searches.still_open(search_id)
    assert (waits["stage"], waits["status"], waits["reason"], waits["many"], waits["error"]) == (
        "deep_scan", "Queued", "budget", 1, "spent"
    )  # fmt: skip


def test_money_of_the_day_is_that_of_this_provider_and_this_day(hand: Stagehand) -> None:
    hand.execute("DELETE FROM provider_days")
    assert searches.spent_today("google") == (0, Decimal(0))
    sql = "INSERT INTO provider_days VALUES (%s, (clock_timestamp() AT TIME ZONE 'UTC')::date - %s::int, %s, %s)"
    for values in (("google", 0, 3, "0.105"), ("google", 1, 90, "9"), ("sandbox", 0, 7, "1")):
        hand.execute(sql, *values)
    assert searches.spent_today("google") == (3, Decimal("0.105"))
    hand.execute("DELETE FROM provider_days")


def test_a_loop_in_the_lineage_ends(hand: Stagehand) -> None:
    search_id, root = start()
    area = add_work("search_area", 1, parent=root)
    hand.execute("UPDATE work SET parent_id = %s WHERE id = %s", area, root)
    assert counts_of(search_id) == {"search": {"Queued": 1}, "search_area": {"Queued": 1}}


def test_a_search_that_is_not_there(hand: Stagehand) -> None:
    with pytest.raises(BadInput, match="There is no search 77"):
        searches.one(77)
    assert searches.newest(5) == []


def test_children_are_found_through_the_index_of_parents(hand: Stagehand) -> None:
    """Whatever the planner guesses about how many there are: a table of work is never read whole."""
    _, root = start()
    hand.execute(
        "INSERT INTO work (tenant_id, stage, entity_id, status, parent_id)"
        " SELECT %s, 'deep_scan', n, 'Completed', CASE WHEN n < 5000 THEN %s::bigint END"
        " FROM generate_series(1, 20000) AS n", settings().default_tenant_id, root
    )  # fmt: skip
    hand.execute("ANALYZE work")
    sql = "EXPLAIN " + LINEAGE.format(roots=searches.ROOTS) + "SELECT count(*) FROM lineage"
    values = {"ids": [1], "stage": "search"} | {table: [] for table in searches.REACHED}
    with statement() as connection:
        plan = "\n".join(line for (line,) in connection.execute(sql.encode(), values).fetchall())
    assert "using ix_work_parent" in plan
    assert "Seq Scan on work" not in plan

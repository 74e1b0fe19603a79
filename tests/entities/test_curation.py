"""One decision on many rows: what it sets, what it queues, whom it waits for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.engine import make_url

from embedded.processes import wait_until
from entities import curate
from entities.chosen import Chosen
from entities.curate import Decision
from errors import BadInput, NotFound
from models.base import CURATION_STATUSES
from models.work import WORK_STATUSES
from pipeline import database
from tests.entities.desk import HOST, STAGE, Desk, desk, person
from tests.pipeline.doors import add_business, add_place, insert
from tests.pipeline.together import together

__all__ = ["desk"]

WAITS = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
ENTITIES = {
    "places": "deep_scan",
    "local_businesses": "domain_extraction",
    "domains": "domain_metadata",
    "sitemap_files": "sitemap_import",
    "pages": "page_curation",
    "contacts": "contact_validation",
}


def test_selecting_queues_in_the_lane_and_rings(desk: Desk) -> None:
    one, two, _ = (desk.page() for _ in range(3))
    done = desk.decide("Selected", one, two)
    assert (done.updated_count, done.queued_count) == (2, 2)
    rows = desk.rows("SELECT id, stage, entity_id, status, auto, lane, tenant_id FROM work ORDER BY id")
    assert [(row["stage"], row["entity_id"], row["status"]) for row in rows] == [
        (STAGE, one, "Queued"),
        (STAGE, two, "Queued"),
    ]
    assert {(row["auto"], row["lane"], row["tenant_id"]) for row in rows} == {(False, HOST, desk.caller.tenant_id)}
    # A lane lets one go at a time.
    assert [ring.work_id for ring in desk.bells.take()] == [rows[0]["id"]]


@pytest.mark.parametrize("status", [status for status in CURATION_STATUSES if status != "Selected"])
def test_no_other_decision_queues_anything(desk: Desk, status: str) -> None:
    page = desk.page("Selected")
    done = desk.decide(status, page)
    assert (done.updated_count, done.queued_count, desk.decided(), desk.works()) == (1, 0, {page: status}, {})
    assert desk.bells.take() == []


@pytest.mark.parametrize("status", CURATION_STATUSES)
def test_counting_first_tells_what_then_happens_and_changes_nothing(desk: Desk, status: str) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    pages = [desk.page(work=work) for work in (None, None, *WORK_STATUSES)]
    pages.append(desk.page("Selected", "Queued", due_at=later, reason="rate-limited"))
    before = (desk.decided(), desk.rows("SELECT * FROM work ORDER BY id"))
    decision = Decision(status, Chosen(ids=[*pages, 10**15]))
    told = curate.count(desk.caller, "pages", decision)
    assert (desk.decided(), desk.rows("SELECT * FROM work ORDER BY id")) == before
    assert desk.rows("SELECT 1 FROM operations UNION ALL SELECT 1 FROM audit_entries") == []
    done = curate.decide(desk.caller, "pages", decision)
    assert told.operation_id is None
    assert (told.updated_count, told.queued_count) == (done.updated_count, done.queued_count)
    # Two without work, four that have ended, one that waits out a failure.
    assert (done.updated_count, done.queued_count) == (9, 7 if status == "Selected" else 0)


def test_running_work_is_left_alone_and_ended_work_starts_with_a_clean_slate(desk: Desk) -> None:
    running, failed = desk.page(work="Processing"), desk.page(work="Error")
    before = desk.rows("SELECT * FROM work WHERE entity_id = %s", running)
    assert desk.decide("Selected", running, failed).queued_count == 1
    assert desk.rows("SELECT * FROM work WHERE entity_id = %s", running) == before
    (row,) = desk.rows("SELECT status, reason, error, attempts FROM work WHERE entity_id = %s", failed)
    assert row == {"status": "Queued", "reason": None, "error": None, "attempts": 0}


def test_selecting_twice_queues_once(desk: Desk) -> None:
    pages = [desk.page() for _ in range(3)]
    assert [desk.decide("Selected", *pages).queued_count for _ in range(2)] == [3, 0]
    assert len(desk.works()) == 3


def test_a_decision_is_dated_remembered_and_noted(desk: Desk) -> None:
    new, maybe = desk.page(), desk.page("Maybe")
    desk.execute("UPDATE pages SET updated_at = '2020-01-01'")
    done = desk.decide("Archived", new, maybe)
    assert desk.rows("SELECT 1 FROM pages WHERE updated_at < now() - interval '1 hour'") == []
    changes = desk.rows("SELECT operation_id, before, entity_ids FROM operation_changes ORDER BY before")
    assert changes == [
        {"operation_id": done.operation_id, "before": "Maybe", "entity_ids": [maybe]},
        {"operation_id": done.operation_id, "before": "New", "entity_ids": [new]},
    ]
    (entry,) = desk.rows("SELECT * FROM audit_entries")
    assert (entry["user_id"], entry["action"], entry["entity"]) == (desk.caller.user_id, "curate", "pages")
    assert entry["detail"]["operation_id"] == done.operation_id
    assert (entry["detail"]["updated_count"], entry["detail"]["ids"]) == (2, 2)


def test_rows_of_another_tenant_are_not_there(desk: Desk) -> None:
    page = desk.page()
    tenant_id = uuid4()
    desk.execute("INSERT INTO tenants (id, name) VALUES (%s, 'another')", tenant_id)
    stranger = person(tenant_id)
    for chosen in (Chosen(ids=[page]), Chosen(where=[f"id={page}"]), Chosen(everything=True)):
        decision = Decision("Selected", chosen)
        for act in (curate.count, curate.decide):
            done = act(stranger, "pages", decision)
            assert (done.updated_count, done.queued_count) == (0, 0)
    assert (desk.decided(), desk.works()) == ({page: "New"}, {})


def test_rows_are_chosen_by_what_is_true_of_them_and_of_their_work(desk: Desk) -> None:
    failed, filtered, _ = desk.page(work="Error"), desk.page(work="Filtered"), desk.page(work="Completed")
    chosen = Chosen(where=["page_processing_status=Error,Filtered", "curation_status=New"])
    decision = Decision("Selected", chosen)
    assert curate.decide(desk.caller, "pages", decision).queued_count == 2
    assert {page for page, status in desk.works().items() if status == "Queued"} == {failed, filtered}
    assert curate.decide(desk.caller, "pages", decision).updated_count == 0


@pytest.mark.parametrize(("entity", "stage"), ENTITIES.items())
def test_every_entity_goes_into_its_own_stage(desk: Desk, entity: str, stage: str) -> None:
    place = add_place("a")
    add_business(place, "Anna")
    insert("sitemap_files", domain_id=desk.domain, url="/sitemap.xml", host=HOST)
    insert("contacts", domain_id=desk.domain, kind="email", value="a@anna.example", owner_key=f"domain:{desk.domain}")
    desk.page()
    done = curate.decide(desk.caller, entity, Decision("Selected", Chosen(everything=True), auto=True))
    assert (done.updated_count, done.queued_count) == (1, 1)
    assert desk.rows("SELECT stage, auto FROM work") == [{"stage": stage, "auto": True}]
    assert desk.rows(f"SELECT curation_status FROM {entity}") == [{"curation_status": "Selected"}]


@pytest.mark.parametrize(
    ("entity", "status", "stage", "chosen", "sentence"),
    [
        ("pages", "Selected", None, Chosen(), "say all=true"),
        ("pages", "Selected", None, Chosen(ids=[]), "The list of ids is empty"),
        ("pages", "selected", None, Chosen(everything=True), "Use one of: New, Selected"),
        (
            "pages",
            "Selected",
            "domain_metadata",
            Chosen(everything=True),
            "The stages where they do are: page_curation.",
        ),
        ("pages", "Selected", None, Chosen(where=["colour=red"]), "There is no field 'colour'"),
        ("searches", "Selected", None, Chosen(everything=True), "No searches wait for a decision"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    desk: Desk, entity: str, status: str, stage: str | None, chosen: Chosen, sentence: str
) -> None:
    page = desk.page()
    for act in (curate.count, curate.decide):
        with pytest.raises(BadInput) as refused:
            act(desk.caller, entity, Decision(status, chosen, stage=stage))
        assert sentence in str(refused.value)
    assert (desk.decided(), desk.works()) == ({page: "New"}, {})


def test_an_entity_that_nobody_knows_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        curate.decide(desk.caller, "pagse", Decision("New", Chosen(everything=True)))


def test_two_who_decide_at_once_on_the_same_rows_wait_for_each_other_and_both_are_told_the_truth(desk: Desk) -> None:
    pages = [desk.page() for _ in range(40)]
    shares = (pages[:30], pages[10:][::-1])
    done = together(lambda at: desk.decide(("Selected", "Maybe")[at], *shares[at]))
    assert [one.updated_count for one in done] == [30, 30]
    assert done[0].queued_count == 30
    last = max(range(2), key=lambda at: done[at].operation_id or 0)
    assert {desk.decided()[page] for page in shares[last]} == {("Selected", "Maybe")[last]}
    # The second has seen what the first left.
    found = desk.rows(
        "SELECT before, cardinality(entity_ids) AS many FROM operation_changes WHERE operation_id = %s ORDER BY before",
        done[last].operation_id,
    )
    seen = {row["before"]: row["many"] for row in found}
    assert seen == {"New": 10, ("Selected", "Maybe")[1 - last]: 20}


def test_a_decision_does_not_wait_for_who_finishes_work_and_wants_its_entity_next(desk: Desk, db: str) -> None:
    running = desk.page(work="Processing")
    impatient = make_url(db).update_query_dict({"options": "-c lock_timeout=5s"})
    database.use(impatient.render_as_string(hide_password=False))
    with psycopg.connect(db) as worker:
        worker.execute("SELECT 1 FROM work FOR UPDATE")
        assert desk.decide("Selected", running).updated_count == 1
        worker.execute("UPDATE pages SET title = 'Contact' WHERE id = %s", (running,))
    assert desk.rows("SELECT title, curation_status FROM pages") == [
        {"title": "Contact", "curation_status": "Selected"}
    ]


def test_a_decision_that_was_undone_to_end_a_deadlock_is_made_again(desk: Desk, db: str) -> None:
    one, two = desk.page(), desk.page()
    with psycopg.connect(db) as other, ThreadPoolExecutor(1) as thread:
        other.execute("SET deadlock_timeout = '1min'")  # so that it is never the one to give way
        other.execute("UPDATE pages SET title = 'b' WHERE id = %s", (two,))
        deciding = thread.submit(desk.decide, "Maybe", one, two)
        assert wait_until(lambda: bool(desk.rows(WAITS)), 20)
        other.execute("UPDATE pages SET title = 'a' WHERE id = %s", (one,))
        other.commit()
        assert deciding.result(60).updated_count == 2
    assert desk.rows("SELECT title, curation_status FROM pages ORDER BY id") == [
        {"title": "a", "curation_status": "Maybe"},
        {"title": "b", "curation_status": "Maybe"},
    ]

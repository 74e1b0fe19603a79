"""Taking a decision back: rows are as before, what it queued does not run, and nobody else's decision is touched."""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entities import curate, curate_history, curate_undo
from entities.chosen import Chosen
from entities.curate import Decided, Decision
from entities.curate_undo import Undone
from errors import BadInput, Conflict, NotFound
from models.base import CURATION_STATUSES
from pipeline import selection
from pipeline.claim import claim
from pipeline.curation import curate as curate_by_stage
from pipeline.lease import Lease
from pipeline.selection import Match
from pipeline.stage import stage_named
from tests.entities.desk import HOST, STAGE, Desk, desk, person
from tests.pipeline.doors import add_work
from tests.pipeline.together import together

__all__ = ["desk"]

ENDED = ("Completed", "Filtered", "Error", "Cancelled")
Statuses = st.sampled_from(CURATION_STATUSES)


def undo(desk: Desk, done: Decided) -> Undone:
    assert done.operation_id is not None
    return curate_undo.undo(desk.caller, done.operation_id)


def test_rows_are_as_before_and_wait_for_a_person_again(desk: Desk) -> None:
    new, maybe, other = desk.page(), desk.page("Maybe"), desk.page("Archived")
    done = desk.decide("Selected", new, maybe)
    assert undo(desk, done) == Undone(restored_count=2, cancelled_count=2, skipped_count=0)
    assert desk.decided() == {new: "New", maybe: "Maybe", other: "Archived"}
    assert desk.works() == {}
    assert desk.decide("Selected", new).queued_count == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_decisions_taken_back_in_turn_leave_no_trace(desk: Desk, data: st.DataObject) -> None:
    desk.execute("DELETE FROM work")
    desk.execute("DELETE FROM pages")
    works = st.sampled_from([None, "Queued", "Processing"])
    pages = [desk.page(data.draw(Statuses), data.draw(works)) for _ in range(data.draw(st.integers(1, 8)))]
    before = (desk.decided(), desk.works())
    done = []
    for _ in range(data.draw(st.integers(1, 4))):
        ids = data.draw(st.lists(st.sampled_from(pages), min_size=1, unique=True))
        done.append(desk.decide(data.draw(Statuses), *ids))
    undone = [undo(desk, one) for one in reversed(done)]
    assert (desk.decided(), desk.works()) == before
    assert [one.restored_count for one in undone] == [one.updated_count for one in reversed(done)]
    assert [one.cancelled_count for one in undone] == [one.queued_count for one in reversed(done)]


@pytest.mark.parametrize("ending", ENDED)
def test_work_that_had_run_before_keeps_its_row_and_says_why_it_does_not_run(desk: Desk, ending: str) -> None:
    page = desk.page(work=ending)
    desk.execute("INSERT INTO failures (work_id, attempt, kind, reason) SELECT id, 1, 'passing', 'timeout' FROM work")
    assert undo(desk, desk.decide("Selected", page)).cancelled_count == 1
    assert desk.works() == {page: "Cancelled undone"}
    assert len(desk.rows("SELECT 1 FROM failures")) == 1


def test_work_that_runs_or_has_ended_is_left(desk: Desk) -> None:
    waiting, running, ended = (desk.page() for _ in range(3))
    done = desk.decide("Selected", waiting, running, ended)
    for page, status in ((running, "Processing"), (ended, "Completed")):
        desk.execute("UPDATE work SET status = %s, token = 1 WHERE entity_id = %s", status, page)
    assert undo(desk, done) == Undone(restored_count=3, cancelled_count=1, skipped_count=0)
    assert desk.works() == {running: "Processing", ended: "Completed"}
    assert set(desk.decided().values()) == {"New"}


def test_work_that_waited_already_is_somebody_elses(desk: Desk) -> None:
    page = desk.page(work="Queued", due_at="tomorrow", reason="rate-limited")
    done = desk.decide("Selected", page)
    assert done.queued_count == 1
    assert undo(desk, done) == Undone(restored_count=1, cancelled_count=0, skipped_count=0)
    assert desk.works() == {page: "Queued"}


def test_work_that_was_started_once_more_since_is_somebody_elses(desk: Desk) -> None:
    page = desk.page()
    done = desk.decide("Selected", page)
    desk.execute("UPDATE work SET status = 'Error', token = 1, reason = 'timeout', finished_at = now()")
    assert selection.retry(Match(stage=STAGE)) == 1
    assert undo(desk, done).cancelled_count == 0
    assert desk.works() == {page: "Queued"}


def test_rows_decided_on_since_are_skipped(desk: Desk) -> None:
    one, two, gone = (desk.page() for _ in range(3))
    done = desk.decide("Maybe", one, two, gone)
    desk.decide("Archived", two)
    desk.execute("DELETE FROM pages WHERE id = %s", gone)
    assert undo(desk, done) == Undone(restored_count=1, cancelled_count=0, skipped_count=2)
    assert desk.decided() == {one: "New", two: "Archived"}


def test_rows_decided_on_since_without_an_operation_are_skipped_too(desk: Desk) -> None:
    one, two = desk.page(), desk.page()
    done = desk.decide("Maybe", one, two)
    curate_by_stage(stage_named(STAGE), [two], "Not a Fit")
    assert undo(desk, done) == Undone(restored_count=1, cancelled_count=0, skipped_count=1)
    assert desk.decided() == {one: "New", two: "Not a Fit"}


def test_what_a_later_decision_selects_too_stays_selected_and_queued(desk: Desk) -> None:
    one, two = desk.page(), desk.page()
    first = desk.decide("Selected", one, two)
    second = desk.decide("Selected", two)
    assert undo(desk, first) == Undone(restored_count=1, cancelled_count=1, skipped_count=1)
    assert (desk.decided(), desk.works()) == ({one: "New", two: "Selected"}, {two: "Queued"})
    assert undo(desk, second) == Undone(restored_count=1, cancelled_count=0, skipped_count=0)


def test_a_later_decision_that_was_taken_back_counts_no_more(desk: Desk) -> None:
    page = desk.page()
    first, second = desk.decide("Selected", page), desk.decide("Archived", page)
    undo(desk, second)
    assert undo(desk, first) == Undone(restored_count=1, cancelled_count=1, skipped_count=0)
    assert (desk.decided(), desk.works()) == ({page: "New"}, {})


def test_it_is_taken_back_once_also_by_two_at_once(desk: Desk) -> None:
    done = desk.decide("Maybe", desk.page())

    def attempt(_: int) -> str:
        try:
            return str(undo(desk, done).restored_count)
        except Conflict as refused:
            return str(refused)

    first, second = sorted(together(attempt))
    assert first == "1"
    assert second == f"Operation {done.operation_id} has been undone already: it can be undone once."


def test_nobody_of_another_tenant_sees_it_or_takes_it_back(desk: Desk) -> None:
    page = desk.page()
    done = desk.decide("Maybe", page)
    tenant_id = uuid4()
    desk.execute("INSERT INTO tenants (id, name) VALUES (%s, 'another')", tenant_id)
    with pytest.raises(NotFound):
        curate_undo.undo(person(tenant_id), done.operation_id or 0)
    with pytest.raises(NotFound):
        curate_history.one(tenant_id, done.operation_id or 0)
    assert curate_history.newest(tenant_id, 10).total == 0
    assert desk.decided() == {page: "Maybe"}


def test_the_place_in_its_lane_goes_to_the_next(desk: Desk) -> None:
    rung, other = desk.page(), desk.page()
    done = desk.decide("Selected", rung)
    (first,) = desk.bells.take()
    next_one = add_work(STAGE, other, lane=HOST)
    undo(desk, done)
    assert [ring.work_id for ring in desk.bells.take()] == [next_one]
    worker = Lease([STAGE])
    worker.renew()
    assert claim(stage_named(STAGE), first.work_id, worker.id) is None


def test_it_is_noted_who_took_it_back(desk: Desk) -> None:
    done = desk.decide("Selected", desk.page())
    undo(desk, done)
    entry = desk.rows("SELECT * FROM audit_entries ORDER BY id")[-1]
    assert (entry["user_id"], entry["action"], entry["entity"]) == (desk.caller.user_id, "undo", "pages")
    assert entry["detail"]["operation_id"] == done.operation_id
    assert curate_history.one(desk.caller.tenant_id, done.operation_id or 0).undone_at is not None


def test_decisions_are_listed_newest_first_page_by_page(desk: Desk) -> None:
    done = [desk.decide(status, desk.page()) for status in CURATION_STATUSES]
    first = curate_history.newest(desk.caller.tenant_id, 3)
    second = curate_history.newest(desk.caller.tenant_id, 3, first.next_cursor)
    listed = [one.id for one in [*first.rows, *second.rows]]
    assert listed == [one.operation_id for one in reversed(done)]
    assert (first.total, second.next_cursor) == (5, None)
    with pytest.raises(BadInput, match="This cursor cannot be read"):
        curate_history.newest(desk.caller.tenant_id, 3, "٣")


def test_a_decision_on_thousands_is_taken_back_whole(desk: Desk) -> None:
    desk.execute(
        "INSERT INTO pages (tenant_id, domain_id, url, host, curation_status) SELECT %s, %s, '/' || n, %s,"
        " (ARRAY['New', 'Maybe', 'Selected'])[1 + n %% 3] FROM generate_series(1, 5000) n",
        desk.caller.tenant_id,
        desk.domain,
        HOST,
    )
    before = desk.decided()
    done = curate.decide(desk.caller, "pages", Decision("Selected", Chosen(everything=True)))
    assert (done.updated_count, done.queued_count) == (5000, 5000)
    assert undo(desk, done) == Undone(restored_count=5000, cancelled_count=5000, skipped_count=0)
    assert (desk.decided(), desk.works()) == (before, {})

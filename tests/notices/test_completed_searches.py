"""search.completed: told once for each run of a search, when nothing that descends from it is open."""

from __future__ import annotations

from notices import completed_searches
from pipeline import queue
from pipeline.database import transaction
from pipeline.stage import stage_named
from tests.notices.office import Office
from tests.notices.receiver import Receiver
from tests.pipeline.together import together


def work(office: Office, stage: str, entity: int, status: str, parent: int | None = None) -> int:
    ended = None if status in ("Queued", "Processing") else "now"
    office.world.tenant = office.caller.tenant_id
    return office.world.insert(
        "work", stage=stage, entity_id=entity, status=status, parent_id=parent, finished_at=ended
    )


def search(office: Office, status: str = "Completed", child: str = "Completed") -> tuple[int, int]:
    """Add a search whose place was looked at; give its id and that of the place's work."""
    business = office.world.business()
    place = office.scene.one("SELECT place_id FROM local_businesses WHERE id = %s", business)["place_id"]
    search_id = office.world.search("dentists", business)
    root = work(office, "search", search_id, status)
    return search_id, work(office, "deep_scan", place, child, root)


def told(receiver: Receiver) -> list[tuple[int, str]]:
    return [(message.data["search_id"], message.data["status"]) for message in receiver.heard]


def finish(office: Office, work_id: int) -> None:
    office.scene.execute("UPDATE work SET status = 'Completed', finished_at = clock_timestamp() WHERE id = %s", work_id)


def test_a_search_is_told_of_when_its_last_work_has_ended(office: Office, receiver: Receiver) -> None:
    office.webhook("search.completed")
    search_id, place_work = search(office, child="Queued")
    assert office.tell()["searches_completed"] == 0
    finish(office, place_work)
    assert office.tell()["searches_completed"] == 1
    assert told(receiver) == [(search_id, "Completed")]
    (message,) = receiver.heard
    assert (message.type, message.data["what"], message.data["where"]) == ("search.completed", "dentists", "Austin, TX")
    assert message.data["places"] == 1
    assert message.data["stages"]["deep_scan"]["Completed"] == 1


def test_it_is_told_once(office: Office, receiver: Receiver) -> None:
    office.webhook("search.completed")
    search_id, _ = search(office)
    together(lambda _: completed_searches.tell(), 4)
    office.tell()
    office.tell()
    assert told(receiver) == [(search_id, "Completed")]


def test_a_search_that_is_run_again_is_told_of_again(office: Office, receiver: Receiver) -> None:
    office.webhook("search.completed")
    search_id, _ = search(office)
    office.tell()
    with transaction() as (_, connection):
        queue.add(connection, stage_named("search"), [search_id])
    office.tell()
    assert len(receiver.heard) == 1
    root = office.scene.one("SELECT id FROM work WHERE stage = 'search' AND entity_id = %s", search_id)["id"]
    finish(office, root)
    office.tell()
    office.tell()
    assert told(receiver) == [(search_id, "Completed")] * 2
    assert len({message.id for message in receiver.heard}) == 2


def test_a_search_that_failed_says_so(office: Office, receiver: Receiver) -> None:
    office.webhook("search.completed")
    search_id, _ = search(office, status="Error")
    office.tell()
    assert told(receiver) == [(search_id, "Error")]


def test_who_listens_later_is_not_told_of_what_was_over(office: Office, receiver: Receiver) -> None:
    search(office)
    office.webhook("search.completed")
    office.tell()
    assert receiver.heard == []


def test_nobody_hears_of_another_tenant_s_search(office: Office, receiver: Receiver) -> None:
    stranger = office.stranger()
    office.webhook("search.completed", caller=stranger)
    search(office)
    office.tell()
    assert receiver.heard == []


def test_a_search_that_was_deleted_meanwhile_is_not_told_of(office: Office, receiver: Receiver) -> None:
    office.webhook("search.completed")
    search_id, _ = search(office)
    completed_searches.tell()
    office.scene.execute("DELETE FROM searches WHERE id = %s", search_id)
    office.send()
    assert receiver.heard == []
    assert office.endings() == {"Filtered nothing-to-tell": 1}

"""Server-sent events over HTTP: progress, new contacts, the end; and what happens when somebody goes away."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from api import stream
from embedded import Servers
from embedded.processes import wait_until
from notices import watching
from notices.watching import Look, Wanted
from settings import settings
from tests.accounts.residents import value
from tests.api.people import People, Person
from tests.cli.terminal import PROGRAM, environment, free_port
from tests.pipeline.lead_world import LeadWorld

PATH = "/api/v3/events"
LATE = """
INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value)
SELECT tenant_id, domain_id, owner_key, kind, 'late@anna.example' FROM contacts WHERE id = %s RETURNING id"""
OLD = "created_at < clock_timestamp() - interval '2 seconds'"


@dataclass
class Event:
    """One event as it came; a comment has no name."""

    name: str
    data: dict[str, Any]
    id: str | None = None
    comment: str | None = None


class Scene:
    """A search with a site, some contacts, and work that can be ended."""

    def __init__(self) -> None:
        self.world = LeadWorld()
        self.site = self.world.domain()
        self.business = self.world.business(at=self.site)
        self.search = self.world.search("dentists", self.business)
        self.world.work("search", self.search, "Processing")

    def contact(self, value: str) -> int:
        """Store a contact that has settled."""
        return self.world.contact(self.site, value, created_at="2026-01-01")

    def finish(self) -> None:
        self.world.execute("UPDATE work SET status = 'Completed', finished_at = now()")


@pytest.fixture
def scene(url: str) -> Scene:
    return Scene()


@pytest.fixture
def followers(people: People) -> list[Person]:
    return [people.person("viewer") for _ in range(4)]


@contextmanager
def following(person: Person, search: int | None = None, **headers: str) -> Iterator[Iterator[Event]]:
    """Open a stream and give its events as they come."""
    params = {} if search is None else {"search": search}
    with person.client.stream("GET", PATH, params=params, headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        yield events_of(answer)


def events_of(answer: httpx.Response) -> Iterator[Event]:
    told: dict[str, str] = {}
    for line in answer.iter_lines():
        if line.startswith(":"):
            yield Event("", {}, comment=line)
        elif line:
            name, _, value = line.partition(": ")
            told[name] = value
        elif "event" in told:
            yield Event(told["event"], json.loads(told["data"]), told.get("id"))
            told = {}


def until(events: Iterator[Event], name: str) -> Event:
    return next(event for event in events if event.name == name)


def test_progress_is_told_at_once_and_when_something_changes(viewer: Person, scene: Scene) -> None:
    with following(viewer, scene.search) as events:
        first = next(events)
        assert (first.name, first.data["search_id"], first.data["status"]) == ("progress", scene.search, "InProgress")
        assert first.data["stages"]["search"]["Processing"] == 1
        assert {"contacts", "spent_usd", "workers", "places"} <= first.data.keys()
        scene.world.work("deep_scan", 1, "Queued")
        scene.world.execute(
            "UPDATE work SET parent_id = (SELECT id FROM work WHERE stage = 'search') WHERE stage = 'deep_scan'"
        )
        assert until(events, "progress").data["stages"]["deep_scan"]["Queued"] == 1


def test_new_contacts_are_told_with_their_ids_and_the_end_ends_it(viewer: Person, scene: Scene) -> None:
    scene.contact("info@anna.example")
    with following(viewer, scene.search) as events:
        first = until(events, "contact")
        assert (first.data["value"], first.id) == ("info@anna.example", str(first.data["id"]))
        second = scene.contact("anna@anna.example")
        assert until(events, "contact").id == str(second)
        scene.finish()
        rest = list(events)
    assert [event.name for event in rest] == ["progress", "completed"]
    assert rest[-1].data == {"search_id": scene.search, "status": "Completed"}


def test_whoever_comes_back_hears_what_they_missed_and_nothing_twice(viewer: Person, scene: Scene) -> None:
    ids = [scene.contact(f"n{number}@anna.example") for number in range(130)]
    scene.finish()
    with following(viewer, scene.search, **{"Last-Event-ID": str(ids[2])}) as events:
        heard = [int(event.id or 0) for event in events if event.name == "contact"]
    assert heard == ids[3:]
    with following(viewer, scene.search) as events:
        assert [int(event.id or 0) for event in events if event.name == "contact"] == ids[-10:]
    with following(viewer, scene.search, **{"Last-Event-ID": str(ids[-1])}) as events:
        assert [event.name for event in events] == ["progress", "completed"]


def test_who_is_suppressed_is_not_told_of(viewer: Person, scene: Scene) -> None:
    scene.contact("ann@anna.example")
    scene.contact("info@anna.example")
    scene.world.suppress("ann@anna.example")
    scene.finish()
    with following(viewer, scene.search) as events:
        assert [event.data["value"] for event in events if event.name == "contact"] == ["info@anna.example"]


def test_without_a_search_the_tenant_s_own_work_is_told(viewer: Person, stranger: Person, scene: Scene) -> None:
    with following(viewer) as events:
        assert next(events).data["stages"]["search"]["Processing"] == 1
    with following(stranger) as events:
        assert next(events).data["stages"]["search"]["Processing"] == 0


def test_another_tenant_s_search_does_not_exist(stranger: Person, scene: Scene) -> None:
    there = stranger.client.get(PATH, params={"search": scene.search})
    nowhere = stranger.client.get(PATH, params={"search": scene.search + 1000})
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert there.json()["detail"].replace(str(scene.search), "") == nowhere.json()["detail"].replace(
        str(scene.search + 1000), ""
    )


@pytest.mark.parametrize("last", ["x", "-1", "1e3", "9" * 30, "²"])
def test_a_last_event_that_is_none_of_ours_is_refused(viewer: Person, scene: Scene, last: str) -> None:
    headers = {b"Last-Event-ID": last.encode("latin-1")}
    answer = viewer.client.get(PATH, params={"search": scene.search}, headers=headers)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_stream_beats_and_ends_when_its_time_is_up(
    viewer: Person, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0.0)
    with viewer.client.stream("GET", PATH, params={"search": scene.search, "seconds": 2}) as answer:
        heard = list(events_of(answer))
    assert heard[0].name == "progress"
    assert heard[-1].comment == ": nothing new"


def test_no_contact_is_passed_over_because_its_transaction_takes_long(scene: Scene, db: str) -> None:
    wanted = Wanted(settings().default_tenant_id, scene.search)
    first = scene.contact("first@anna.example")
    with psycopg.connect(db) as slow:
        (late,) = slow.execute(LATE, (first,)).fetchone() or (0,)
        fast = scene.world.contact(scene.site, "fast@anna.example")
        assert wait_until(lambda: bool(value(f"SELECT {OLD} FROM contacts WHERE id = %s", fast)), 20)
        assert [row["id"] for row in watching.contacts(wanted, 0).rows] == [first]
        assert watching.contacts(wanted, None).last_id == first
    assert [row["id"] for row in watching.contacts(wanted, first).rows] == [late, fast]


def test_there_is_a_most_and_whoever_goes_away_makes_room(
    viewer: Person, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_STREAMS", 1)
    with following(viewer, scene.search) as events:
        next(events)
        refused = viewer.client.get(PATH)
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "60"
    assert wait_until(lambda: not stream._open, 20)
    with following(viewer, scene.search) as events:
        assert next(events).name == "progress"


def test_a_tenant_with_many_leaves_room_for_others(
    viewer: Person, stranger: Person, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_OF_A_TENANT", 1)
    with following(viewer, scene.search) as events:
        next(events)
        assert viewer.client.get(PATH).status_code == 503
        assert stranger.client.get(PATH, params={"seconds": 1}).status_code == 200


def test_many_who_follow_the_same_share_each_look(
    followers: list[Person], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    look = watching.look

    def counted(wanted: Wanted) -> Look:
        nonlocal looks
        looks += 1
        return look(wanted)

    monkeypatch.setattr(watching, "look", counted)
    opened = [following(person, scene.search) for person in followers]
    streams = [each.__enter__() for each in opened]
    for events in streams:
        next(events)
    before = looks
    scene.contact("info@anna.example")
    for events in streams:
        until(events, "contact")
    assert looks - before < len(streams) * 2
    scene.finish()
    for events, each in zip(streams, opened, strict=True):
        assert [event.name for event in events][-1] == "completed"
        each.__exit__(None, None, None)


def test_a_search_that_is_deleted_ends_its_stream(viewer: Person, scene: Scene) -> None:
    with following(viewer, scene.search) as events:
        next(events)
        scene.world.execute("DELETE FROM searches")
        assert until(events, "completed").data == {"search_id": scene.search, "status": None}


def test_a_stream_outlives_lost_connections_to_the_database(viewer: Person, scene: Scene, db: str) -> None:
    with following(viewer, scene.search) as events:
        next(events)
        with psycopg.connect(db, autocommit=True) as connection:
            connection.execute(b"""
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()""")
            connection.execute(b"UPDATE work SET status = 'Completed', finished_at = now()")
        assert until(events, "completed").data["status"] == "Completed"


def test_a_server_that_is_told_to_stop_ends_its_streams(db: str, servers: Servers, tmp_path: Path) -> None:
    port = free_port()
    given = environment(DATABASE_URL=db, REDIS_URL=servers.broker_url, WEB_PORT=port, DRAIN_SECONDS=30)
    process = subprocess.Popen([PROGRAM, "serve"], cwd=tmp_path, env=given, stderr=subprocess.PIPE)
    people = People(f"http://127.0.0.1:{port}", db)
    viewer = people.person("viewer")
    assert wait_until(lambda: _is_up(viewer.client), 60)
    with following(viewer) as events:
        next(events)
        process.send_signal(signal.SIGTERM)
        assert {event.name for event in events} <= {"", "progress"}  # it ends as a whole, not in its midst
    _, errors = process.communicate(timeout=60)
    people.close()
    assert process.returncode == 0
    assert b"Traceback" not in errors


def _is_up(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False

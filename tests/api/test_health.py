"""`GET /healthz` for anybody and `GET /readyz` for whoever has a key: the words, and what makes them change."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from embedded import Servers
from embedded.processes import wait_until
from operations import readiness
from pipeline.lease import Lease
from settings import settings
from tests.api.people import People, Person
from tests.cli.terminal import PROGRAM, environment, free_port, scrapersky

EVERY_STAGE = ["first", "second", "third", "fourth", "fifth"]
AWAY = "postgresql://me:hunter2@127.0.0.1:1/leads"


def parts(person: Person) -> tuple[int, str, dict[str, tuple[bool, str]]]:
    """Ask whether everything is there; give the status, the word, and each part."""
    answer = person.client.get("/readyz")
    said = answer.json()
    return answer.status_code, said["status"], {part["name"]: (part["ok"], part["says"]) for part in said["parts"]}


class Web:
    """A running `scrapersky serve`."""

    def __init__(self, place: Path, **given: Any) -> None:
        self.port = free_port()
        given = {"WEB_PORT": self.port, "JWT_SECRET_KEY": "a-secret-for-tests-that-is-long-enough", **given}
        self.process = subprocess.Popen(
            [PROGRAM, "serve"], cwd=place, env=environment(**given), stderr=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert wait_until(lambda: self.status("/healthz") == 200, 60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def status(self, path: str) -> int:
        try:
            return httpx.get(self.url + path, timeout=20).status_code
        except httpx.TransportError:
            return 0

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def viewer(web: Web, db: str) -> Iterator[Person]:
    """Somebody who asks the process, whose broker is a real one."""
    people = People(web.url, db)
    yield people.person("viewer")
    people.close()


@pytest.fixture
def web(db: str, servers: Servers, tmp_path: Path) -> Iterator[Web]:
    made = Web(tmp_path, DATABASE_URL=db, REDIS_URL=servers.broker_url)
    yield made
    made.close()


def test_anybody_may_ask_whether_the_process_lives(url: str) -> None:
    answer = httpx.get(f"{url}/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_readiness_is_told_to_whoever_has_a_key(url: str, people: People) -> None:
    assert httpx.get(f"{url}/readyz").status_code == 401
    asked = [people.person("viewer"), people.stranger("viewer"), people.person("admin", scopes=[])]
    assert [parts(person)[1] for person in asked] == ["not ready"] * 3


def test_it_is_ready_when_a_living_worker_serves_every_stage(viewer: Person) -> None:
    status, word, found = parts(viewer)
    assert (status, word) == (503, "not ready")
    assert found["worker"] == (False, "No worker is alive: start some with `scrapersky up`.")
    assert {name for name, (ok, _) in found.items() if ok} == {"database", "migrations", "broker", "invariants"}
    Lease(["sweeps"]).renew()
    assert parts(viewer)[2]["worker"][0] is False
    Lease(["first", "third"]).renew()
    assert parts(viewer)[2]["worker"][1].startswith("No living worker serves second, fourth, fifth: ")
    Lease(["second", "fourth", "fifth"]).renew()
    assert parts(viewer)[:2] == (200, "ready")


def test_a_broken_rule_makes_it_not_ready_and_is_named(viewer: Person, db: str) -> None:
    Lease(EVERY_STAGE).renew()
    with psycopg.connect(db, autocommit=True) as connection:
        connection.execute("INSERT INTO invariant_checks (name, violations) VALUES ('a-rule', 3), ('b-rule', 0)")
        assert parts(viewer)[2]["invariants"] == (False, "Broken: a-rule; `scrapersky doctor` says by what.")
        connection.execute("UPDATE invariant_checks SET violations = 0")
    assert parts(viewer)[0] == 200
    assert parts(viewer)[2]["invariants"][1].startswith("All 2 held when they were checked ")


def test_a_schema_that_is_behind_makes_it_not_ready(viewer: Person, db: str) -> None:
    with psycopg.connect(db, autocommit=True) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0009'")
    status, _, found = parts(viewer)
    assert status == 503
    assert found["database"][0] is True
    assert found["migrations"][0] is False
    assert "run `scrapersky db upgrade`" in found["migrations"][1]


def test_without_a_database_the_words_give_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", AWAY)
    settings.cache_clear()
    found = {part.name: part for part in readiness.check()}
    assert found["database"].says == "PostgreSQL does not answer: start it, or correct DATABASE_URL."
    assert [part.ok for part in found.values()][:2] == [False, False]
    assert found.keys() == {"database", "migrations", "broker"}
    assert not any("hunter2" in part.says or "127.0.0.1" in part.says for part in found.values())


def test_serve_answers_and_stops_when_asked(web: Web, tmp_path: Path) -> None:
    assert {web.status(path) for path in ("/docs", "/redoc", "/openapi.json", "/health/live")} == {404}
    second = scrapersky(tmp_path, "serve", WEB_PORT=web.port)
    assert second.returncode == 3
    assert second.stderr.startswith(f"The web process cannot listen on 127.0.0.1 port {web.port} (Address already in")
    web.process.send_signal(signal.SIGTERM)
    _, errors = web.process.communicate(timeout=30)
    assert web.process.returncode == 0
    assert b"GET /" not in errors


def test_serve_lives_without_its_servers_and_says_so(db: str, tmp_path: Path) -> None:
    lonely = Web(tmp_path, DATABASE_URL=AWAY, REDIS_URL="redis://127.0.0.1:1/0")
    answer = httpx.get(f"{lonely.url}/readyz", headers={"X-API-Key": "ssk_" + "x" * 43}, timeout=60)
    lonely.close()
    assert answer.status_code == 503
    assert answer.json()["detail"] == "The database does not answer at the moment: try again in a few seconds."
    deaf = Web(tmp_path, DATABASE_URL=db, REDIS_URL="redis://127.0.0.1:1/0")
    people = People(deaf.url, db)
    _, _, found = parts(people.person("viewer"))
    people.close()
    deaf.close()
    assert found["broker"] == (False, "The broker does not answer: start it, or correct BROKER_URL or REDIS_URL.")

"""`GET /api/v3/alarms`: what rings, for operators alone."""

from __future__ import annotations

import httpx
import psycopg

from operations import alarms
from scheduling.sweeper import sweeper_by_hand
from tests.api.people import Person


def test_an_operator_sees_what_rings_and_what_is_over(admin: Person, db: str) -> None:
    assert admin.client.get("/api/v3/alarms").json() == {"items": [], "watched_at": None}
    with psycopg.connect(db, autocommit=True) as connection:
        connection.execute("INSERT INTO invariant_checks (name, violations, detail) VALUES ('a-rule', 1, '7')")
        sweeper_by_hand("watch-alarms").run()
        ringing = admin.client.get("/api/v3/alarms").json()
        connection.execute("DELETE FROM invariant_checks")
        alarms.watch()
    (alarm,) = ringing["items"]
    assert (alarm["name"], alarm["subject"], alarm["ended_at"]) == ("invariant-broken", "a-rule", None)
    assert alarm["says"] == "a-rule is broken by 1: 7"
    assert ringing["watched_at"] is not None
    assert admin.client.get("/api/v3/alarms").json()["items"] == []
    (over,) = admin.client.get("/api/v3/alarms", params={"ended": True}).json()["items"]
    assert over["ended_at"] is not None
    assert over["began_at"] == alarm["began_at"]


def test_nobody_else_does(url: str, curator: Person, viewer: Person, stranger: Person) -> None:
    for person in (curator, viewer, stranger):
        assert person.client.get("/api/v3/alarms").status_code == 403
    assert httpx.get(f"{url}/api/v3/alarms").status_code == 401

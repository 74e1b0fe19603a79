"""The audit log on a page: who did what, found by its filters, page by page, and readable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dashboard.audit_words import LONGEST, lines_of
from dashboard.words import NOTHING
from tests.dashboard.browsers import Browser
from tests.entities.world import World

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def actions(browser: Browser, query: str = "") -> list[str]:
    page = browser.see(f"/audit?{query}")
    return [cell.text() for cell in page.css("main tbody td .badge")]


def test_changes_are_found_by_who_what_and_when(admin: Browser, world: World) -> None:
    mine, at = admin.person.user_id, "2026-03-01T12:00:00Z"
    world.insert("audit_entries", action="update", entity="contacts", entity_id=7, at=at, detail={"note": HOSTILE})
    world.insert("audit_entries", action="erase", entity="contacts", entity_id=8, at="2026-02-01T12:00:00Z")
    world.insert("audit_entries", action="pause", entity="schedules", entity_id=3, at=at, user_id=mine)
    assert actions(admin) == ["login", "pause", "update", "erase"]
    assert actions(admin, "entity=contacts") == ["update", "erase"]
    assert actions(admin, "action=erase") == ["erase"]
    assert actions(admin, "entity=contacts&entity_id=7") == ["update"]
    assert actions(admin, f"user={mine}") == ["login", "pause"]
    assert actions(admin, "since=2026-02-15T00:00&until=2026-03-02T00:00") == ["pause", "update"]
    assert actions(admin, "until=2026-02-01T12:00:00") == []
    page = admin.see("/audit")
    assert page.css("main script") == []
    assert HOSTILE in admin.text("/audit")
    assert page.css_first("a[href='/schedules/3']") is not None
    assert "No change fits what you ask for." in admin.text("/audit?action=nothing")


def test_older_changes_are_a_page_away_with_the_same_filter(admin: Browser, world: World) -> None:
    for nth in range(60):
        world.insert("audit_entries", action="update", entity="pages", entity_id=nth + 1)
    first = admin.see("/audit?entity=pages")
    following = first.css_first("a[rel=next]")
    assert following is not None
    second = admin.see(str(following.attributes["href"]))
    shown = [len(page.css("main tbody tr")) for page in (first, second)]
    assert shown == [50, 10]
    assert second.css_first("a[rel=next]") is None


def test_what_cannot_be_asked_is_refused_with_one_sentence(admin: Browser) -> None:
    numbers = ("entity_id=x", "entity_id=-1", "entity_id=" + "9" * 30)
    times = ("since=soon", "since=0001-01-01T00:00%2B14:00", "until=x")
    for query in (*numbers, *times, "user=x", "cursor=x", "action=" + "a" * 3000, "action=%00"):
        assert admin.client.get(f"/audit?{query}").status_code in (400, 422), query


def test_only_admins_read_it_and_only_their_tenants(curator: Browser, stranger: Browser, world: World) -> None:
    world.insert("audit_entries", action="secretly", entity="contacts")
    assert curator.client.get("/audit").status_code == 403
    assert actions(stranger) == ["login"]
    assert "secretly" not in stranger.client.get("/audit").text


@pytest.mark.parametrize(
    ("detail", "lines"),
    [
        ({}, []),
        ({"changed": {"role": ["viewer", "admin"]}}, [("Role", "viewer → admin")]),
        ({"before": {"url": "a"}, "after": {"url": None}}, [("Url", f"a → {NOTHING}")]),
        ({"before": {"enabled": True}}, [("Before: Enabled", "yes")]),
        ({"names": ["a", "b"], "nothing": None, "none": 0}, [("Names", "a, b"), ("None", "0")]),
        ({"error": "x" * 1000}, [("Error", "x" * (LONGEST - 1) + "…")]),
        ({"before": "gone", "after": {"a": 1}}, [("Before", "gone"), ("After: A", "1")]),
        ({"changed": {"role": "odd"}}, []),
    ],
)
def test_detail_is_written_in_lines(detail: dict[str, Any], lines: list[tuple[str, str]]) -> None:
    assert lines_of(detail) == lines

"""Schedules on pages: what is typed is stored and shown in words, ticks are previewed, and each tenant has its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from dashboard.schedule_words import cron_in_words, every, parts_of
from tests.api.doors import audited, rows
from tests.dashboard.browsers import Browser
from tests.entities.world import World

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def add(browser: Browser, search: int, **typed: Any) -> str:
    given: dict[str, Any] = {
        "name": "Mondays",
        "search": search,
        "cron": "0 9 * * 1",
        "timezone": "Europe/Berlin",
    } | typed
    answer = browser.send("/schedules", **given)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_schedule_that_is_typed_is_stored_and_shown_in_words(curator: Browser, world: World) -> None:
    search = world.search(what=HOSTILE, where_text="Austin")
    assert "There is no schedule yet." in curator.text("/schedules")
    assert f"{search}: {HOSTILE} near Austin" in curator.text("/schedules/new")
    path = add(curator, search, name=f"{HOSTILE} again", catch_up="all", grace=2, grace_unit="hours")
    page = curator.see(path)
    assert page.css_first("h1").text() == f"{HOSTILE} again"  # type: ignore[union-attr]
    assert page.css("main script") == []
    shown = curator.text(path)
    assert "Every Monday at 09:00" in shown
    assert "every missed tick, if late by less than 2 h" in shown
    assert len(page.css(".ticks li")) == 5
    assert "09:00 CE" in shown
    listed = curator.text("/schedules")
    assert f"Search again: {HOSTILE} near Austin" in listed
    assert "Every Monday at 09:00" in listed
    (row,) = rows("SELECT * FROM schedules")
    assert (row["cron"], row["timezone"], row["catch_up"]) == ("0 9 * * 1", "Europe/Berlin", "all")
    assert (row["misfire_grace_seconds"], row["entity_id"]) == (7200, search)
    assert audited(curator.person.tenant_id)[-1] == ("create", "schedules")


def test_a_change_stores_what_differs_and_a_cron_line_can_become_an_interval(curator: Browser, world: World) -> None:
    path = add(curator, world.search())
    form = curator.see(f"{path}/edit")
    same: dict[str, Any] = {
        str(field.attributes["name"]): field.attributes.get("value") or ""
        for field in form.css("main input[name]:not([name=by], [name=csrf])")
    }
    same |= {"catch_up": "last", "grace_unit": "hours", "unit": "days", "by": "cron"}
    before = rows("SELECT * FROM schedules")
    assert curator.send(f"{path}/edit", **same).status_code == 303
    assert rows("SELECT * FROM schedules") == before
    assert curator.send(f"{path}/edit", **same | {"by": "interval", "every": 2, "name": "Often"}).status_code == 303
    (row,) = rows("SELECT * FROM schedules")
    assert (row["name"], row["cron"], row["interval_seconds"]) == ("Often", None, 172_800)
    assert row["starts_at"] == before[0]["starts_at"]
    assert "Every 2 days" in curator.text(path)


def test_it_is_run_paused_resumed_and_removed_by_hand(curator: Browser, world: World) -> None:
    path = add(curator, world.search())
    assert curator.send(f"{path}/run").headers["location"] == path
    shown = curator.text(path)
    assert "It has queued 1 of work." in shown
    assert "hand" in shown
    assert curator.send(f"{path}/run").status_code == 303
    assert "still under way" in curator.text(path)
    assert rows("SELECT stage, status FROM work") == [{"stage": "search", "status": "Queued"}]
    curator.send(f"{path}/pause")
    assert "Nothing is due while it is paused." in curator.text(path)
    assert curator.see(path).css("form[action$='/pause']") == []
    curator.send(f"{path}/resume")
    assert rows("SELECT enabled FROM schedules") == [{"enabled": True}]
    assert curator.see(path).css_first("form[action$='/delete'][data-confirm]") is not None
    curator.send(f"{path}/delete")
    assert rows("SELECT id FROM schedules") == []
    assert [action for action, _ in audited(curator.person.tenant_id)] == [
        "login", "create", "run", "run", "pause", "resume", "delete",
    ]  # fmt: skip


PREVIEWED: list[tuple[dict[str, str], str]] = [
    ({"cron": "99 9 * * *"}, "is no cron line"),
    ({"cron": "0 0 30 2 *"}, "names no day that will ever come"),
    ({"timezone": "Europe/Atlantis"}, "There is no time zone"),
    ({"by": "interval", "every": "0"}, "An interval is from one minute to 366 days"),
    ({"by": "interval", "every": "1", "unit": "aeons"}, "There is no unit"),
    ({"starts_at": "9999-12-31T23:59"}, "between the year 2000 and ten years from now"),
    ({"starts_at": "yesterday"}, "is no moment"),
    ({"by": "interval", "every": "3", "unit": "hours"}, "Every 3 hours"),
    ({"cron": "*/15 * * * *"}, "Every 15 minutes"),
]


def test_ticks_are_previewed_while_one_types(viewer: Browser) -> None:
    for typed, says in PREVIEWED:
        query = "&".join(f"{name}={value}" for name, value in ({"cron": "0 9 * * 1"} | typed).items())
        assert says in viewer.text(f"/schedules/preview?{query}", htmx=True)


def test_what_cannot_be_is_refused_with_what_was_typed_still_there(curator: Browser, world: World) -> None:
    search = world.search()
    refused = curator.send("/schedules", name=HOSTILE, search=search, cron="every day")
    assert refused.status_code == 400
    assert "is no cron line" in refused.text
    assert HOSTILE not in refused.text
    assert "&lt;script&gt;" in refused.text
    nothing = curator.send("/schedules", name="x", cron="0 9 * * 1")
    assert (nothing.status_code, "Choose a search" in nothing.text) == (400, True)
    elsewhere = curator.send("/schedules", name="x", stage="deep_scan", entity_id=999, cron="0 9 * * 1")
    assert (elsewhere.status_code, "There is nothing numbered 999" in elsewhere.text) == (404, True)
    add(curator, search)
    twice = curator.send("/schedules", name="Mondays", search=search, cron="0 9 * * 1")
    assert (twice.status_code, "already: choose another name" in twice.text) == (409, True)
    assert curator.send("/schedules/0/run").status_code == 422
    assert curator.send("/schedules/999/run").status_code == 404


def test_who_may_not_start_searches_only_looks(viewer: Browser, curator: Browser, world: World) -> None:
    path = add(curator, world.search())
    assert viewer.see(path).css("main form") == []
    assert viewer.see("/schedules").css("main form") == []
    assert viewer.client.get("/schedules/new").status_code == 403
    for act in ("run", "pause", "resume", "delete", "edit"):
        assert viewer.send(f"{path}/{act}").status_code == 403
    assert rows("SELECT enabled FROM schedules") == [{"enabled": True}]


def test_another_tenant_sees_and_changes_nothing(stranger: Browser, curator: Browser, world: World) -> None:
    search = world.search(what="secret plans")
    path = add(curator, search)
    assert "Mondays" not in stranger.text("/schedules")
    assert "secret plans" not in stranger.text("/schedules/new")
    assert stranger.client.get(path).status_code == 404
    for act in ("run", "pause", "resume", "delete", "edit"):
        assert stranger.send(f"{path}/{act}").status_code == 404
    assert stranger.send("/schedules", name="x", search=search, cron="0 9 * * 1").status_code == 404
    assert rows("SELECT enabled FROM schedules") == [{"enabled": True}]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("* * * * *", "every minute"),
        ("*/5 * * * *", "every 5 minutes"),
        ("*/7 * * * *", None),
        ("17 * * * *", "every hour at minute 17"),
        ("5 */6 * * *", "every 6 hours at minute 5"),
        ("0 */5 * * *", None),
        ("30 9 * * *", "every day at 09:30"),
        ("0 9 * * 1-5", "Monday to Friday at 09:00"),
        ("0 9 * * mon,3,7", "every Monday, Wednesday and Sunday at 09:00"),
        ("0 6 1 * *", "on day 1 of every month at 06:00"),
        ("0 6 1 * 1", None),
        ("0 6 1 2 *", None),
        ("*/0 * * * *", None),
        ("nonsense", None),
    ],
)
def test_a_common_cron_line_is_said_in_words_and_no_other(line: str, words: str | None) -> None:
    assert cron_in_words(line) == words


def test_a_length_of_time_is_written_in_its_largest_whole_unit() -> None:
    assert [parts_of(seconds) for seconds in (86_400, 5400, 3600, 61)] == [
        (1, "days"), (90, "minutes"), (1, "hours"), (61, "seconds"),
    ]  # fmt: skip
    assert (every(86_400), every(5400)) == ("every day", "every 90 minutes")

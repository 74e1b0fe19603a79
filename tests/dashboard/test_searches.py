"""Searches on pages: listed with how each fares, and ordered with their cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.doors import audited, execute, rows
from tests.dashboard.browsers import Browser
from tests.dashboard.searched import HOSTILE, attribute, grown
from tests.entities.world import World

ORDER: dict[str, Any] = {
    "what": "dentists", "where": "Austin, TX", "provider": "openstreetmap", "mode": "auto", "max_places": "50",
    "budget_usd": "1.50",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _somebody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLER_CONTACT", "me@example.org")


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def test_the_form_offers_what_can_be_asked_here_and_says_why_the_rest_cannot(curator: Browser) -> None:
    page = curator.see("/searches/new")
    usable = {node.attributes["value"]: "disabled" not in node.attributes for node in page.css("[name=provider]")}
    assert usable == {"google": False, "openstreetmap": True, "sandbox": False}
    assert [node.attributes["value"] for node in page.css("[name=provider][checked]")] == ["openstreetmap"]
    text = curator.text("/searches/new")
    assert "set GOOGLE_MAPS_API_KEY" in text
    assert "set SANDBOX_ADDRESS" in text


def test_what_it_may_cost_is_said_before_anything_is_stored(curator: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    from settings import settings

    assert "Free" in curator.send("/searches/estimate", htmx=True, **ORDER).text
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "a-key")
    settings.cache_clear()
    google = ORDER | {"provider": "google"}
    assert "$0.312</span> at the most" in curator.send("/searches/estimate", htmx=True, **google).text
    tight = curator.send("/searches/estimate", htmx=True, **google | {"budget_usd": "0.01"}).text
    assert "does not suffice for the first places" in tight
    wrong = curator.send("/searches/estimate", htmx=True, **google | {"max_places": "0"})
    assert (wrong.status_code, "A search brings 1 to 10000 places" in wrong.text) == (200, True)
    begun = curator.send("/searches/estimate", htmx=True, **google | {"where": ""})
    assert "Say what and where" in begun.text
    whole = curator.send("/searches/estimate", **google).text
    assert "$0.312</span> at the most" in whole
    assert 'value="dentists"' in whole
    assert rows("SELECT 1 FROM searches UNION ALL SELECT 1 FROM audit_entries WHERE entity = 'searches'") == []


def test_a_search_is_started_noted_and_shown(curator: Browser) -> None:
    sent = curator.send("/searches", **ORDER | {"radius_km": "2.5"})
    (row,) = rows("SELECT * FROM searches")
    assert (sent.status_code, sent.headers["location"]) == (303, f"/searches/{row['id']}")
    assert (row["what"], row["where_text"], row["radius_meters"], row["max_places"]) == (
        "dentists", "Austin, TX", 2500, 50
    )  # fmt: skip
    assert (row["tenant_id"], row["created_by_id"]) == (curator.person.tenant_id, curator.person.user_id)
    assert [work["stage"] for work in rows("SELECT stage FROM work")] == ["search"]
    assert ("start", "searches") in audited(curator.person.tenant_id)
    text = curator.text(f"/searches/{row['id']}")
    assert "dentists" in text
    assert "Queued It waits for a worker to begin." in text
    assert "No worker runs" in text
    again = curator.see(f"/searches/new?again={row['id']}")
    typed = {node.attributes["name"]: node.attributes.get("value") for node in again.css("#order input:not([type])")}
    assert typed == {"what": "dentists", "where": "Austin, TX"}
    assert "The same was searched for" in (again.html or "")


def test_a_box_is_searched_instead_of_a_town(curator: Browser) -> None:
    edges = {"south": "30.1", "west": "-97.9", "north": "30.5", "east": "-97.5"}
    assert curator.send("/searches", **ORDER | {"where": ""} | edges).status_code == 303
    (row,) = rows("SELECT south, west, north, east, where_text FROM searches")
    assert row == {"south": 30.1, "west": -97.9, "north": 30.5, "east": -97.5, "where_text": None}


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"what": "  "}, "What and where are words"),
    ({"where": ""}, "Say where: either near a place"),
    ({"south": "30.1"}, "fill in all four, or none"),
    ({"south": "1", "west": "1", "north": "2", "east": "2"}, "Say where: either near a place"),
    ({"radius_km": "far"}, "A radius is a number of kilometres"),
    ({"radius_km": "NaN"}, "A radius is 0.05 to 200 kilometres"),
    ({"radius_km": "0.001"}, "A radius is 50m to 200km"),
    ({"provider": "google"}, "Google needs a key"),
    ({"provider": HOSTILE}, "There is no provider"),
    ({"mode": "wild"}, "There is no mode"),
    ({"max_places": "many"}, "Places are a whole number from 1 to 10,000"),
    ({"max_places": str(2**70)}, "Places are a whole number from 1 to 10,000"),
    ({"budget_usd": "much"}, "A budget is an amount of US dollars"),
    ({"budget_usd": "-1"}, "A budget is 0 to 100000 US dollars"),
)


def test_what_cannot_be_searched_comes_back_as_it_was_typed_with_one_sentence(curator: Browser) -> None:
    for wrong, sentence in WRONG:
        answer = curator.send("/searches", **ORDER | {"what": HOSTILE} | wrong)
        assert (answer.status_code, sentence in answer.text) == (400, True), wrong
        assert "<script>window" not in answer.text
        assert 'name="budget_usd"' in answer.text
        assert ('value="&lt;script&gt;' in answer.text) == ("what" not in wrong)
    assert rows("SELECT 1 FROM searches") == []


def test_the_list_shows_own_searches_newest_first_and_how_each_fares(
    curator: Browser, viewer: Browser, stranger: Browser, world: World
) -> None:
    assert "Start your first search" in curator.text("/searches")
    assert "New search" not in viewer.text("/searches")
    execute("UPDATE users SET name = 'Cora' WHERE id = %s", curator.person.user_id)
    oldest = grown(world, what=HOSTILE, created_by_id=curator.person.user_id)
    ids = [oldest, *(world.search(what=f"bakers {nth}") for nth in range(25))]
    page = curator.see("/searches")
    shown = [node.attributes["href"] for node in page.css("tbody th a")]
    assert shown == [f"/searches/{each}" for each in reversed(ids[1:])]
    more = attribute(page, "a[rel=next]", "href")
    last = curator.see(more)
    assert [node.attributes["href"] for node in last.css("tbody th a")] == [f"/searches/{oldest}"]
    assert "<script>window" not in (last.html or "")
    row = attribute(last, "tbody tr", "hx-get")
    answer = curator.client.get(row, headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith("<tr")
    for said in ("InProgress", "$0.50", "of $2.00", "50%", "by Cora"):
        assert said in answer.text
    assert "bakers" not in stranger.text("/searches")
    assert stranger.client.get(row).status_code == 404

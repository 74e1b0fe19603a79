"""Searches on pages: listed, ordered with their cost, looked at as they run, steered, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.api.doors import audited, execute, rows
from tests.dashboard.browsers import Browser
from tests.entities.world import World

ORDER: dict[str, Any] = {
    "what": "dentists", "where": "Austin, TX", "provider": "openstreetmap", "mode": "auto", "max_places": "50",
    "budget_usd": "1.50",
}  # fmt: skip
HOSTILE = "<script>window.hacked=1</script>\"'"


@pytest.fixture(autouse=True)
def _somebody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLER_CONTACT", "me@example.org")


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def grown(world: World, **columns: Any) -> int:
    """A search with two rectangles and three places: one with a contact, one that is closed, one that is to come."""
    box = {"south": 30.0, "west": -98.0, "north": 30.5, "east": -97.5}
    search = world.search(**{"what": "dentists", "budget_usd": 2, "spent_usd": 0.5, "calls": 3, "coverage": 0.5}
                          | box | columns)  # fmt: skip
    world.insert("search_areas", search_id=search, **box | {"north": 30.25}, is_full=False, found=3, searched_at="now")
    world.insert("search_areas", search_id=search, **box | {"south": 30.25}, is_full=True, found=20)
    root = world.work("search", search)
    places = [world.place(search, name=f"{HOSTILE} {nth}", latitude=30.1, longitude=-97.6) for nth in range(3)]
    scans = [
        world.work("deep_scan", places[0], parent_id=root),
        world.work("deep_scan", places[1], "Filtered", reason="closed", parent_id=root),
        world.work("deep_scan", places[2], "Queued", parent_id=root),
    ]
    business = world.business(places[0], name=HOSTILE)
    found = world.work("domain_extraction", business, parent_id=scans[0])
    domain = world.domain(business, name="acme.example")
    world.work("domain_metadata", domain, "Error", reason="timeout", error=HOSTILE, parent_id=found)
    world.page(domain, decision_reason="low-score")
    world.contact(domain, value="info@acme.example", person_name=HOSTILE, verdict="valid")
    return search


def attribute(page: LexborHTMLParser, where: str, name: str) -> str:
    return page.css(where)[0].attributes[name] or ""


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


def test_the_page_of_a_search_tells_status_progress_money_and_contacts(
    curator: Browser, viewer: Browser, world: World
) -> None:
    search = grown(world)
    page = curator.see(f"/searches/{search}")
    text = curator.text(f"/searches/{search}")
    for said in ("InProgress", "of at most 60", "1 email", "1 of 2 calls answered",
                 "$0.50", "of $2.00, 3 calls", "info@acme.example", "1 in deep scan: queued"):  # fmt: skip
        assert said in text, said
    (contact,) = rows("SELECT id FROM contacts")
    assert page.css_first(f'a[href="/contacts/{contact["id"]}"]') is not None
    (business,) = rows("SELECT id FROM local_businesses")
    assert page.css_first(f'a[href="/businesses/{business["id"]}"]') is not None
    assert "<script>window" not in (page.html or "")
    assert page.css_first("#pause") is not None
    looked_at = viewer.see(f"/searches/{search}")
    assert looked_at.css_first("#pause") is None
    assert looked_at.css_first("#limits") is None
    assert looked_at.css_first('form[action="/exports/leads"]') is None


def test_what_waits_for_money_or_for_a_decision_is_said_with_what_to_do(curator: Browser, world: World) -> None:
    search = grown(world, mode="curated")
    world.connection.execute("UPDATE work SET reason = 'budget' WHERE status = 'Queued'")
    world.place(search, name="one more")
    text = curator.text(f"/searches/{search}")
    assert "1 piece of work waits for money: raise the budget" in text
    assert "places wait for your decision before deep scan" in text
    page = curator.see(f"/searches/{search}")
    assert (
        attribute(page, "#decide-deep_scan", "href")
        == f"/curate/places?where=search%3D{search}&where=curation_status%3DNew"
    )


def test_the_map_draws_rectangles_and_places_and_says_the_same_in_words(curator: Browser, world: World) -> None:
    search = grown(world)
    page = curator.see(f"/searches/{search}/map", htmx=True)
    assert len(page.css(".tile-covered")) == 2  # one of them in the legend
    assert len(page.css(".map .tile-full")) == 1
    assert len(page.css(".map .dot")) == 3
    assert "holds more places than the provider lists, 20 places found" in page.css(".map .tile-full")[0].text()
    assert "<script>window" not in (page.html or "")
    words = page.css("figcaption")[0].text()
    assert "50% of it was searched to the end, 2 rectangles. 3 of 3 places are drawn" in words
    unknown = world.search()
    assert "The area is not known yet" in curator.text(f"/searches/{unknown}/map")


def test_who_runs_no_scripts_gets_every_part_as_a_page(viewer: Browser, world: World) -> None:
    search = grown(world)
    for part in ("now", "funnel", "endings", "map"):
        page = viewer.see(f"/searches/{search}/{part}")
        assert len(page.css("h1")) == 1
        assert "<script>window" not in (page.html or "")
        assert viewer.see(f"/searches/{search}/{part}", htmx=True).css("h1") == []


def test_how_work_ended_is_told_with_an_example(viewer: Browser, world: World) -> None:
    search = grown(world)
    page = viewer.see(f"/searches/{search}/endings", htmx=True)
    told = {row.css("td")[2].text(): row.css("td")[4] for row in page.css("tbody tr")}
    assert set(told) == {"closed", "timeout"}
    (failed,) = rows("SELECT id FROM work WHERE status = 'Error'")
    assert told["timeout"].css("a")[0].attributes["href"] == f"/journey/work/{failed['id']}"
    assert HOSTILE in told["timeout"].text()
    assert "<script>window" not in (page.html or "")


def test_a_search_is_paused_resumed_given_limits_and_cancelled(curator: Browser, world: World) -> None:
    search = grown(world)
    path = f"/searches/{search}"
    done = curator.send(f"{path}/pause", htmx=True)
    assert (done.status_code, done.headers["HX-Redirect"]) == (204, path)
    text = curator.text(path)
    assert "1 piece of work is held; what runs at this moment finishes first." in text
    assert "Paused It is held" in text
    assert curator.send(f"{path}/resume").headers["location"] == path
    assert "InProgress" in curator.text(path)
    execute("INSERT INTO stage_controls (stage, paused) VALUES ('deep_scan', true)")
    assert "Paused The stages that are next are paused for everybody" in curator.text(path)
    curator.send(f"{path}/limits", max_places="70", budget_usd="3.25")
    assert rows("SELECT max_places, budget_usd::text AS usd FROM searches") == [{"max_places": 70, "usd": "3.2500"}]
    curator.send(f"{path}/cancel")
    assert [row["status"] for row in rows("SELECT status FROM work WHERE reason = 'cancelled'")] == ["Cancelled"]
    noted = [action for action, entity in audited(curator.person.tenant_id) if entity == "searches"]
    assert noted == ["pause", "resume", "change", "cancel"]


LIMITS: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "Nothing is to be changed"),
    ({"max_places": "0"}, "A search brings 1 to 10000 places"),
    ({"max_places": "x"}, "Places are a whole number"),
    ({"budget_usd": "1e9"}, "A budget is 0 to 100000 US dollars"),
    ({"budget_usd": "x"}, "A budget is an amount of US dollars"),
)


def test_limits_that_cannot_be_are_refused_in_one_sentence(curator: Browser, world: World) -> None:
    search = world.search()
    before = rows("SELECT * FROM searches")
    for limits, sentence in LIMITS:
        for htmx in (False, True):
            answer = curator.send(f"/searches/{search}/limits", htmx=htmx, **limits)
            assert (answer.status_code, sentence in answer.text) == (400, True), limits
    assert rows("SELECT * FROM searches") == before


def test_nobody_else_sees_or_touches_a_search(viewer: Browser, stranger: Browser, world: World) -> None:
    search = grown(world)
    before = rows("SELECT * FROM work ORDER BY id"), rows("SELECT * FROM searches")
    for part in ("", "/now", "/events", "/funnel", "/endings", "/map", "/row"):
        assert stranger.client.get(f"/searches/{search}{part}").status_code == 404
    assert stranger.client.get(f"/searches/new?again={search}").status_code == 404
    assert stranger.client.get(f"/exports/leads?search={search}").status_code == 404
    for act in ("pause", "resume", "cancel", "limits"):
        assert stranger.send(f"/searches/{search}/{act}", max_places="5").status_code == 404
        assert viewer.send(f"/searches/{search}/{act}", max_places="5").status_code == 403
    assert viewer.client.get("/searches/new").status_code == 403
    assert viewer.send("/searches", **ORDER).status_code == 403
    assert viewer.send("/searches/estimate", **ORDER).status_code == 403
    assert viewer.client.get("/exports/leads").status_code == 403
    assert (rows("SELECT * FROM work ORDER BY id"), rows("SELECT * FROM searches")) == before


def test_an_odd_address_is_answered_in_words(curator: Browser) -> None:
    odd = ("/searches/0", "/searches/x", f"/searches/{2**63}", "/searches?cursor=x", "/searches/new?again=-1",
           "/exports/leads?format=pdf", "/exports/leads?where=city", "/exports/contacts?format=vcard&columns=brevo",
           f"/exports/leads?search={2**62}")  # fmt: skip
    for path in odd:
        answer = curator.client.get(path)
        assert 400 <= answer.status_code < 500, path
        assert "<h1>" in answer.text


def test_the_page_follows_by_itself_without_a_proof_of_anybodys_log_in(
    visit: Callable[..., Browser], world: World
) -> None:
    search = grown(world)
    curator = visit("curator")
    (domain,) = rows("SELECT id FROM domains")
    with curator.client.stream("GET", f"/searches/{search}/events") as stream:
        lines = stream.iter_lines()
        first = _drawn(lines)
        assert "info@acme.example" in first
        assert curator.csrf not in first
        assert "<script>window" not in first
        world.contact(domain["id"], value="new@acme.example")
        while "new@acme.example" not in _drawn(lines):
            pass


def _drawn(lines: Iterator[str]) -> str:
    """Read on to the end of the next drawing."""
    while next(lines) != "event: drawn":
        pass
    return "\n".join(iter(lambda: next(lines), ""))


def test_leads_and_contacts_of_one_search_are_taken_home_and_noted(curator: Browser, world: World) -> None:
    search = grown(world)
    other = world.domain(world.business(name="Elsewhere"), name="elsewhere.example")
    world.contact(other, value="info@elsewhere.example")
    leads = curator.client.get("/exports/leads", params={"search": search, "format": "csv"})
    assert leads.headers["content-disposition"].startswith('attachment; filename="leads-')
    assert "info@acme.example" in leads.text
    assert "elsewhere" not in leads.text
    contacts = curator.client.get("/exports/contacts", params={"search": search, "format": "jsonl"})
    assert contacts.text.count("\n") == 1
    crm = curator.client.get("/exports/leads", params={"search": search, "columns": "hubspot"})
    assert "Email" in crm.text.splitlines()[0]
    taken = [noted for noted in audited(curator.person.tenant_id) if noted[1] != "sessions"]
    assert taken == [("export", "leads"), ("exported", "leads"), ("export", "contacts"), ("exported", "contacts"),
                     ("export", "leads"), ("exported", "leads")]  # fmt: skip

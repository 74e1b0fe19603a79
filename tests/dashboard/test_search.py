"""One search on its page: looked at as it runs, steered, taken home, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.api.doors import audited, execute, rows
from tests.dashboard.browsers import Browser
from tests.dashboard.searched import HOSTILE, attribute, grown
from tests.entities.world import World

ORDER: dict[str, Any] = {"what": "dentists", "where": "Austin, TX"}


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


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

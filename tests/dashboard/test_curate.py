"""Curate: tables show the right rows and how their work stands; decisions do what they say and can be taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from dashboard.curate_tabs import TABS
from dashboard.curate_words import DECISIONS
from tests.dashboard.browsers import Browser
from tests.entities.world import World

HOSTILE = "<script>hacked()</script>\" onmouseover='x' {{ 7*7 }}"


@pytest.fixture
def world(db: str, url: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def lines(page: LexborHTMLParser) -> list[LexborNode]:
    return page.css("tr[data-id]")


def ids(page: LexborHTMLParser) -> list[int]:
    return [int(line.attributes["data-id"] or 0) for line in lines(page)]


def names(page: LexborHTMLParser) -> list[str]:
    return [" ".join(node.text().split()) for node in page.css("tbody th a[data-open]")]


def text(node: LexborNode | None) -> str:
    return " ".join(node.text().split()) if node else ""


def link(page: LexborHTMLParser, words: str) -> str:
    (found,) = [node for node in page.css("a") if text(node) == words]
    return found.attributes["href"] or ""


def hidden(page: LexborHTMLParser, inside: str = "") -> dict[str, Any]:
    """What a form sends besides what somebody types."""
    found = page.css(f"{inside}input[type=hidden]")
    return {node.attributes["name"] or "": node.attributes["value"] for node in found}


def decided(world: World, table: str = "places") -> dict[int, str]:
    return {row["id"]: row["curation_status"] for row in world.rows(f"SELECT id, curation_status FROM {table}")}


def test_every_tab_shows_its_rows_with_a_link_to_each_and_nobody_elses(
    curator: Browser, stranger: Browser, viewer: Browser, world: World
) -> None:
    made = {entity: world.fill(entity) for entity in TABS}
    assert curator.client.get("/curate").headers["location"] == "/curate/places"
    for entity, tab in TABS.items():
        page = curator.see(f"/curate/{entity}?limit=200")
        assert set(made[entity]) <= set(ids(page))
        pages = {node.attributes["href"] for node in page.css("tbody th a")}
        assert {tab.page.format(id=each) for each in made[entity]} <= pages
        assert ids(stranger.see(f"/curate/{entity}")) == []
        seen = viewer.see(f"/curate/{entity}?limit=200")
        assert ids(seen) == ids(page)
        assert seen.css("[name=ids], [data-decide], [data-undo-last]") == []
        assert "Decide on all that match" not in text(seen.body)


def test_a_table_is_filtered_sorted_and_paged_by_its_address(curator: Browser, world: World) -> None:
    for nth in range(7):
        world.place(name=f"Place {nth}", rating=nth % 5 + 0.5, curation_status="New" if nth else "Maybe")
    first = curator.see("/curate/places?sort=name&limit=3&where=curation_status%3DNew")
    assert names(first) == ["Place 1", "Place 2", "Place 3"]
    assert [text(node) for node in first.css("th[aria-sort=ascending]")] == ["Name ▲"]
    then = curator.see(link(first, "Next page"))
    assert names(then) == ["Place 4", "Place 5", "Place 6"]
    assert names(curator.see(link(then, "First page"))) == ["Place 1", "Place 2", "Place 3"]
    turned = curator.see(link(first, "Name ▲"))
    assert names(turned)[0] == "Place 6"
    assert "sort" not in dict(parse_qsl(urlsplit(link(turned, "Name ▼")).query))
    assert names(curator.see(link(first, "Maybe"))) == ["Place 0"]
    assert text(first.css_first(".chips li")).startswith("Curation status is New")
    free = curator.see(first.css(".chips a")[0].attributes["href"] or "")
    assert len(ids(free)) == 3
    assert text(curator.see("/curate/places/count", htmx=True).body) == "7 places"


def test_a_condition_is_put_together_typed_or_refused_in_one_sentence(curator: Browser, world: World) -> None:
    good, bad = world.place(name="Anna", rating=4.5), world.place(name="Berta", rating=1)
    base = "/curate/places/filter?where=provider%3Dsandbox&sort=name"
    for asked in ("column=rating&operator=%3E%3D&value=4", "condition=rating%3E%3D4"):
        answer = curator.client.get(f"{base}&{asked}", follow_redirects=True)
        page = LexborHTMLParser(answer.text)
        assert ids(page) == [good]
        assert len(page.css(".chips li:not(.bare-chip)")) == 2
    empty = curator.client.get(f"{base}&column=website&operator=empty", follow_redirects=True)
    assert ids(LexborHTMLParser(empty.text)) == [good, bad]
    refused = curator.client.get(f"{base}&condition=ratng%3E4", headers={"HX-Request": "true"})
    assert (refused.status_code, refused.headers["hx-retarget"]) == (400, "#notes")
    assert "Did you mean rating" in refused.text


def test_every_row_shows_last_error_attempts_and_next_try_of_its_furthest_work(curator: Browser, world: World) -> None:
    failed, retried, fine, held = (
        world.domain(name=f"{name}.example") for name in ("failed", "retried", "fine", "held")
    )
    world.work("domain_metadata", failed)
    world.work(
        "sitemap_analysis", failed, "Error", reason="timeout", error=f"no answer {HOSTILE} {'x' * 100}", attempts=5
    )
    world.work("domain_metadata", retried, "Queued", error="HTTP 500", attempts=2, due_at="2050-01-01T00:00:00Z")
    world.work("domain_metadata", held, "Queued", due_at="9999-01-01T00:00:00Z")
    page = curator.see("/curate/domains")
    told = {int(line.attributes["data-id"] or 0): text(line.css_first("td.work")) for line in lines(page)}
    assert re.match(r"Error sitemap analysis timeout 5 attempts, no next try no answer <script>", told[failed])
    assert re.fullmatch(r"Queued domain metadata 2 attempts, next try in \d+ y HTTP 500", told[retried])
    assert told[fine] == "Not queued"
    assert told[held].endswith("held by a person")
    assert page.css_first("td.work .reason[title]") is not None
    assert ids(curator.see(link(page, "Failed: sitemap analysis"))) == [failed]


def test_what_strangers_wrote_is_text_everywhere(curator: Browser, world: World) -> None:
    place = world.place(name=HOSTILE, address=HOSTILE, website="javascript:hacked()", categories=[HOSTILE])
    path = f"/curate/places?columns=address,website,categories&where={quote(f'name={HOSTILE}')}"
    answer = curator.client.get(path)
    page = LexborHTMLParser(answer.text)
    assert ids(page) == [place]
    assert names(page) == [" ".join(HOSTILE.split())]
    assert "<script>hacked" not in answer.text
    assert not re.search(r"<[^>]+\s(on\w+|style)=", re.sub(r'"[^"]*"', '""', answer.text))
    assert page.css('a[href^="javascript"]') == []


def test_columns_are_chosen_and_an_unknown_one_is_refused(curator: Browser, world: World) -> None:
    world.place(name="Anna", phone="+15125550100", rating=4.5)
    heads = [text(node) for node in curator.see("/curate/places?columns=phone&columns=rating").css("thead th")]
    assert heads == ["Name", "Phone", "Rating", "Decision", "Work"]
    assert curator.see("/curate/places?columns=phone,rating").css_first('input[value="phone"][checked]') is not None
    assert "has no column 'nonsense'" in curator.text("/curate/places?columns=nonsense", status=400)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/curate/nothing", 404),
        ("/curate/searches", 404),
        ("/curate/places?where=nonsense", 400),
        ("/curate/places?sort=nonsense", 400),
        ("/curate/places?cursor=nonsense", 400),
        ("/curate/places?limit=0", 422),
        ("/curate/places?limit=9999", 422),
        ("/curate/places?operation=4711", 404),
        ("/curate/places?operation=99999999999999999999", 422),
        ("/curate/places?where=name%3D%00", 422),
        ("/curate/places/count?where=a%00", 422),
        ("/curate/pages/matching?status=nonsense", 400),
        ("/curate/pages/matching?stage=nonsense", 400),
        ("/curate/places?view=4711", 200),
    ],
)
def test_a_bad_address_is_one_sentence(curator: Browser, path: str, status: int) -> None:
    page = curator.see(path, status=status)
    assert text(page.css_first("main"))


def test_a_decision_redraws_its_rows_queues_work_is_noted_and_undone_once(curator: Browser, world: World) -> None:
    chosen = [world.place(name=f"Place {nth}") for nth in range(3)]
    other = world.place(name="Another", curation_status="Maybe")
    answer = curator.send("/curate/places/decide", htmx=True, ids=chosen, status="Selected", columns="phone")
    part = LexborHTMLParser(answer.text)
    assert answer.status_code == 200
    assert ids(part) == chosen
    assert {text(line.css_first("[data-decision]")) for line in lines(part)} == {"Selected"}
    assert {text(line.css_first("td.work")) for line in lines(part)} == {"Queued 0 attempts, next try now"}
    assert text(part.css_first("[data-note] span")) == "3 places selected, 3 queued."
    assert decided(world) == {**dict.fromkeys(chosen, "Selected"), other: "Maybe"}
    operation = (part.css_first("[data-operation]") or part.css("p")[0]).attributes["data-operation"]
    (noted,) = world.rows("SELECT user_id, detail FROM audit_entries WHERE action = 'curate'")
    assert (noted["user_id"], str(noted["detail"]["operation_id"])) == (curator.person.user_id, operation)
    undone = curator.send(f"/curate/undo/{operation}", htmx=True, ids=chosen)
    assert "Undone: 3 places as before, 3 pieces of work cancelled." in undone.text
    assert set(decided(world).values()) == {"New", "Maybe"}
    assert world.rows("SELECT 1 FROM work") == []
    again = curator.send(f"/curate/undo/{operation}", htmx=True, ids=chosen)
    assert again.status_code == 409
    assert "can be undone once" in again.text


def test_without_scripts_a_form_decides_and_leads_back_to_the_table(curator: Browser, world: World) -> None:
    chosen = [world.place(name=f"Place {nth}") for nth in range(2)]
    back = "/curate/places?where=name%7EPlace&sort=name"
    done = curator.send("/curate/places/decide", ids=chosen[0], status="Not a Fit", back=back)
    assert done.status_code == 303
    page = curator.see(done.headers["location"])
    assert text(page.css_first("[data-said] span")) == "1 place marked as not a fit."
    assert ids(page) == chosen
    button = page.css_first("[data-said] button")
    undone = curator.send((button.attributes["formaction"] if button else "") or "", back=back)
    assert (undone.status_code, undone.headers["location"]) == (303, back)
    assert "Undone: 1 place as before." in curator.text(back)
    elsewhere = curator.send("/curate/places/decide", ids=chosen, status="Maybe", back="https://evil.example/")
    assert elsewhere.headers["location"].startswith("/curate/places?operation=")


def test_nobody_decides_who_may_not_or_on_what_is_not_theirs(
    curator: Browser, viewer: Browser, stranger: Browser, world: World
) -> None:
    place = world.place()
    done = curator.send("/curate/places/decide", htmx=True, ids=place, status="Maybe")
    operation = re.search(r'data-operation="(\d+)"', done.text)
    assert operation is not None
    tries = [
        (viewer.send("/curate/places/decide", ids=place, status="Archived"), 403),
        (viewer.send("/curate/places/matching", status="Archived", everything="true"), 403),
        (viewer.send(f"/curate/undo/{operation[1]}"), 403),
        (viewer.client.get("/curate/places/matching"), 403),
        (stranger.send("/curate/places/decide", ids=place, status="Archived"), 404),
        (stranger.send(f"/curate/undo/{operation[1]}"), 404),
        (curator.send("/curate/places/decide", htmx=True, ids=[place, 4711], status="Archived"), 404),
        (curator.send("/curate/places/decide", htmx=True, status="Archived"), 400),
        (curator.send("/curate/places/decide", htmx=True, ids=place, status="nonsense"), 400),
        (curator.send("/curate/places/decide", htmx=True, ids="nonsense", status="Maybe"), 422),
        (curator.send("/curate/nothing/decide", htmx=True, ids=place, status="Maybe"), 404),
        (curator.client.post("/curate/places/decide", data={"ids": place, "status": "Archived"}), 403),
    ]
    assert [answer.status_code for answer, _ in tries] == [status for _, status in tries]
    stranger.send("/curate/places/matching", status="Archived", everything="true")
    assert decided(world) == {place: "Maybe"}
    assert stranger.text("/curate/operations").count("Archived") == 1


def test_all_that_match_are_counted_first_then_decided_and_undone(curator: Browser, world: World) -> None:
    domain = world.domain()
    contacts = [world.page(domain, kind="contact") for _ in range(4)]
    blog = world.page(domain, kind="blog")
    world.work("page_curation", contacts[0], "Processing", attempts=1)
    where = "where=kind%3Dcontact"
    dialog = curator.see(f"/curate/pages/matching?{where}", htmx=True)
    assert dialog.css_first("dialog") is not None
    counted = curator.see(f"/curate/pages/matching/count?{where}&status=Selected", htmx=True)
    assert text(counted.css_first(".matching-says")) == "4 pages match; 3 would be queued."
    assert text(counted.css_first("button")) == "Set 4 pages to Selected"
    assert set(decided(world, "pages").values()) == {"New"}
    fields = hidden(counted)
    assert "everything" not in fields
    done = curator.send("/curate/pages/matching", **fields)
    page = curator.see(done.headers["location"])
    assert text(page.css_first("[data-said] span")) == "4 pages selected, 3 queued."
    assert decided(world, "pages") == {**dict.fromkeys(contacts, "Selected"), blog: "New"}
    operation = dict(parse_qsl(urlsplit(done.headers["location"]).query))["operation"]
    history = curator.text("/curate/operations")
    assert "kind=contact" in history
    undone = curator.send(f"/curate/undo/{operation}")
    assert undone.headers["location"] == "/curate/operations"
    assert "Undone: 4 pages as before, 3 pieces of work cancelled." in curator.text("/curate/operations")
    assert set(decided(world, "pages").values()) == {"New"}


def test_everything_is_decided_on_only_when_that_is_said(curator: Browser, world: World) -> None:
    domains = [world.domain() for _ in range(2)]
    page = curator.see("/curate/domains/matching?status=Archived")
    assert "every domain there is" in text(page.css_first("main"))
    fields = hidden(page, "#matching-count ")
    assert curator.send("/curate/domains/matching", **{**fields, "everything": "false"}).status_code == 400
    assert set(decided(world, "domains").values()) == {"New"}
    assert curator.send("/curate/domains/matching", **fields).status_code == 303
    assert decided(world, "domains") == dict.fromkeys(domains, "Archived")


def test_a_large_table_is_not_counted_to_its_end(curator: Browser, world: World) -> None:
    world.connection.execute(
        "INSERT INTO places (tenant_id, provider, provider_place_id)"
        " SELECT %s, 'sandbox', 'many ' || n FROM generate_series(1, 10001) AS n",
        (world.tenant_id,),
    )
    assert text(curator.see("/curate/places/count", htmx=True).body) == "more than 10,000 places"
    assert "hx-get" in (curator.see("/curate/places").css(".count")[0].html or "")


def test_every_decision_has_a_button_a_key_and_a_sentence(curator: Browser, world: World) -> None:
    world.place()
    page = curator.see("/curate/places")
    buttons = {node.attributes["value"]: node.attributes["data-decide"] for node in page.css("[data-decide]")}
    assert buttons == {status: key for status, _, key, _ in DECISIONS}
    assert len(set(buttons.values())) == len(buttons)
    assert page.css_first("#keys") is not None

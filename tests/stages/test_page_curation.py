"""page_curation: Page → Contact, on the disguises and the manners of the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import settings
from fetching.client import client
from sandbox import Served, serving
from sandbox.siteplan import SitePlan
from tests.stages.pages import STAGE, STAGES, Pages, plan_of
from tests.stages.scene import Scene
from tests.stages.sites import WORLD, Sites

KINDS = [
    "cloudflare-email", "at-spelling", "entities", "json-ld", "microdata", "script-email", "attribute-email",
    "hidden-address", "placeholder-address", "look-alikes", "wrong-charset", "latin-1", "utf-16", "invalid-html",
    "wordpress", "wix", "multi-language", "several-locations", "soft-404", "flaky", "rate-limited",
]  # fmt: skip
TABLES = ("pages", "contacts", "sightings", "work", "failures")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture
def pages(scene: Scene, served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    values = {
        "SANDBOX_ADDRESS": f"127.0.0.1:{served.address[1]}",
        "LANE_GAP_SECONDS": "0",
        "LANE_GAP_MAX_SECONDS": "0.01",
        "SATURATED_EMAILS": "1000",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    yield Pages(scene, Sites(scene, served))
    client().close()


def planted(plan: SitePlan, url: str) -> set[tuple[str, str]]:
    """Give what should be found on a page; emails are stored wholly in lower case."""
    path = "/" + url.partition("://")[2].partition("/")[2]
    return {(each.kind, each.value.lower() if each.kind == "email" else each.value) for each in plan.on(path)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_of_a_site_tells_its_contacts(pages: Pages, kind: str) -> None:
    ids = pages.add_site(kind)
    pages.run(*ids)
    plan = plan_of(kind)
    for page in ids:
        row, ending = pages.row(page), pages.ending(page)
        assert pages.found(page) == planted(plan, row["url"]), row["url"]
        assert ending[0] == "Completed"
        assert (ending[1] == "no-contact") == (not pages.found(page))
        assert row["fetched_at"] is not None
    assert pages.gone() == set()
    unjudged = "SELECT value FROM contacts WHERE kind IN ('email', 'phone') AND verdict IS NULL"
    assert pages.scene.rows(unjudged) == []


def test_what_a_page_says_of_itself_is_stored(pages: Pages) -> None:
    ids = pages.add_site("wordpress")
    pages.run(*ids)
    titles = {page.path: page.title for page in plan_of("wordpress").pages}
    for page in ids:
        row = pages.row(page)
        assert titles["/" + row["url"].split("/", 3)[3]] in row["title"]
        assert (row["status_code"], row["language"]) == (200, WORLD.with_kind("wordpress").town.language)
        assert row["word_count"] > 20
        assert None not in (row["etag"], row["last_modified"], row["content_hash"], row["has_contact_form"])


def test_contacts_have_their_proof(pages: Pages) -> None:
    ids = pages.add_site("several-locations")
    pages.run(*ids)
    rows = pages.scene.rows(
        "SELECT pages.url AS page, sightings.* FROM sightings LEFT JOIN pages ON pages.id = page_id"
    )
    assert rows
    assert all(row["page"] == row["url"] for row in rows)
    assert {row["extractor_version"] for row in rows} == {"0.1.0"}
    assert None not in {row["snippet"] for row in rows}
    lineage = pages.scene.rows(
        "SELECT parent.stage FROM work JOIN work parent ON parent.id = work.parent_id"
        " WHERE work.stage = 'contact_validation'"
    )
    assert {row["stage"] for row in lineage} == {STAGE}


def test_a_second_visit_adds_nothing_and_asks_only_what_has_changed(pages: Pages) -> None:
    ids = pages.add_site("wix")
    pages.run(*ids)
    before = [pages.scene.many(table) for table in TABLES]
    seen = {row["id"]: row["last_seen_at"] for row in pages.scene.rows("SELECT id, last_seen_at FROM contacts")}
    number = pages.sites.seen()
    pages.run(*ids)
    assert [pages.scene.many(table) for table in TABLES] == before
    assert {pages.ending(page) for page in ids} == {("Completed", "unchanged")}
    asked = pages.sites.requests(number, pages.row(ids[0])["domain_id"])
    assert len(asked) == len(ids)
    assert {status for _, status in asked} == {304}
    again = {row["id"]: row["last_seen_at"] for row in pages.scene.rows("SELECT id, last_seen_at FROM contacts")}
    assert all(again[contact] > seen[contact] for contact in seen)


def test_what_an_older_version_has_read_is_read_again(pages: Pages) -> None:
    (page, *_) = ids = pages.add_site("plain")
    pages.run(*ids)
    before = [pages.scene.many(table) for table in TABLES]
    pages.scene.execute("UPDATE pages SET content_hash = replace(content_hash, '0.1.0:', '0.0.9:')")
    number = pages.sites.seen()
    pages.run(*ids)
    assert {status for _, status in pages.sites.requests(number, pages.row(page)["domain_id"])} == {200}
    assert pages.row(page)["content_hash"].startswith("0.1.0:")
    assert [pages.scene.many(table) for table in TABLES] == before
    assert {pages.ending(page) for page in ids} <= {("Completed", "no-contact"), ("Completed", "no-new-children")}


def test_a_page_that_robots_deny_is_not_asked_for(pages: Pages) -> None:
    (denied,) = (page for page in pages.add_site("robots-deny-contact") if pages.row(page)["url"].endswith("/contact"))
    number = pages.sites.seen()
    pages.run(denied)
    assert pages.ending(denied) == ("Error", "robots-denied")
    assert [path for path, _ in pages.sites.requests(number, pages.row(denied)["domain_id"])] == ["/robots.txt"]
    assert pages.scene.many("contacts") == 0


def test_in_curated_mode_contacts_wait_for_a_person(pages: Pages) -> None:
    ids = pages.add_site("plain")
    pages.run(*ids, auto=False)
    assert pages.scene.many("contacts") > 0
    assert pages.scene.endings("contact_validation") == {}
    assert {pages.ending(page)[1] for page in ids} <= {None, "no-contact"}
    (email, *_) = pages.scene.rows("SELECT id FROM contacts WHERE kind = 'email'")
    pages.sites.run(STAGES[1:], email["id"])
    assert sum(pages.scene.endings("contact_validation").values()) == 1


WHOLE_WAY = ("domain_metadata", "sitemap_analysis", "sitemap_import", "page_ranking", *STAGES)


def asked(pages: Pages, since: int, domain: int) -> list[tuple[str, int]]:
    """Give path and status of the pages that the site was asked for, besides its homepage and its files."""
    requests = pages.sites.requests(since, domain)
    return [(path, status) for path, status in requests if path != "/" and not path.endswith((".txt", ".xml"))]


def test_a_domain_that_comes_round_again_is_asked_only_for_what_has_changed(pages: Pages) -> None:
    domain, before_all = pages.sites.add("wordpress"), pages.sites.seen()
    pages.sites.run(WHOLE_WAY, domain)
    paths = {page.path for page in plan_of("wordpress").pages}
    first = [path for path, _ in asked(pages, before_all, domain)]
    assert set(first) <= paths
    assert len(first) == len(set(first)) >= 4
    found = pages.sites.contacts(domain)
    assert {value for _, value in found} == {
        each.value.lower() if each.kind == "email" else each.value for each in plan_of("wordpress").planted
    }
    number, before = pages.sites.seen(), [pages.scene.many(table) for table in TABLES]
    pages.scene.execute("UPDATE work SET finished_at = finished_at - interval '40 days'")
    pages.scene.execute("UPDATE pages SET fetched_at = '2023-01-01' WHERE url LIKE %s", "%" + first[0])
    pages.sites.run(WHOLE_WAY, domain)
    assert asked(pages, number, domain) == [(first[0], 304)]
    assert [pages.scene.many(table) for table in TABLES] == before
    assert pages.sites.contacts(domain) == found
    pages.scene.execute("UPDATE work SET finished_at = finished_at - interval '40 days'")
    pages.sites.run(WHOLE_WAY, domain)
    assert pages.scene.endings("page_ranking") == {"Completed nothing-changed": 1}

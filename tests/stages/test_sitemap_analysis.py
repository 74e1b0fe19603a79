"""sitemap_analysis: Domain → SitemapFile, on every kind of site in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest

import reasons
import settings
from pipeline import run
from pipeline.stage import stage_named
from sandbox import Served, serving
from sandbox.kinds import BY_NAME
from sandbox.siteplan import site_plan
from sandbox.sites.site import Site
from sandbox.sites.site_sitemaps import announced, top
from tests.fetching.conftest import stranger
from tests.fetching.stranger import Script, answer, path_of
from tests.stages.scene import Scene
from tests.stages.sites import WITH_A_SITE, WORLD, Sites
from tests.stages.test_domain_metadata import HTML, Start, _short_limits

__all__ = ["_short_limits", "stranger"]

READ, STAGE = "domain_metadata", "sitemap_analysis"
GOES_ON = [
    name for name in WITH_A_SITE if BY_NAME[name].outcome is None and name != "redirect-elsewhere"
]  # that one's sitemaps are those of the domain it leads to
# Refused by their content, so these sites have none.
REFUSED = ("sitemap-entity-bomb", "sitemap-external-entity")
KINDS = {"index": "index", "nested": "index", "loop": "index", "wordpress": "index", "text": "text", "feed": "feed"}
TABLES = ("domains", "sitemap_files", "contacts", "work")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture
def sites(scene: Scene, served: Served, monkeypatch: pytest.MonkeyPatch) -> Sites:
    monkeypatch.setenv("SANDBOX_ADDRESS", f"127.0.0.1:{served.address[1]}")
    settings.settings.cache_clear()
    return Sites(scene, served)


def search(sites: Sites, kind: str) -> int:
    domain = sites.add(kind)
    sites.run([READ, STAGE], domain)
    return domain


def site_of(kind: str) -> Site:
    business = WORLD.with_kind(kind)
    return Site(site_plan(WORLD, business), WORLD.branches(business))


def expected(kind: str) -> tuple[str, str, str]:
    """Say which sitemap the site has: its path, kind and how it is found."""
    site = site_of(kind)
    style = site.plan.sitemap
    if style == "none" or kind in REFUSED:
        return "/", "text", "homepage_links"
    is_announced = announced(site) and kind != "robots-redirect"  # its robots.txt is another host's
    return top(site), KINDS.get(style, "standard"), "robots_txt" if is_announced else "common_path"


@pytest.mark.parametrize("kind", GOES_ON)
def test_every_kind_of_site_gives_its_sitemap_or_its_links_once(sites: Sites, kind: str) -> None:
    domain = search(sites, kind)
    assert sites.sitemaps(domain) == [expected(kind)]
    assert sites.ending(STAGE, domain) == ("Completed", None)
    assert sites.domain(domain)["sitemap_tries"] == {}
    work = sites.scene.rows("SELECT status, lane FROM work WHERE stage = 'sitemap_import'")
    assert work == [{"status": "Queued", "lane": sites.domain(domain)["name"]}]
    before = [sites.scene.many(table) for table in TABLES]
    sites.run([STAGE], domain)
    assert [sites.scene.many(table) for table in TABLES] == before
    assert sites.ending(STAGE, domain) == ("Completed", reasons.NO_NEW_CHILDREN)


@pytest.mark.parametrize("kind", ["no-sitemap", "soft-404"])
def test_a_site_without_a_sitemap_hands_on_the_links_of_its_homepage(sites: Sites, kind: str) -> None:
    domain = search(sites, kind)
    row = sites.scene.one("SELECT url, host, links FROM sitemap_files")
    assert (row["url"], row["host"]) == (sites.domain(domain)["final_url"], sites.domain(domain)["name"])
    assert row["links"][0] == row["url"]
    linked = {urlsplit(link).path for link in row["links"]}
    assert linked == {page.path for page in site_plan(WORLD, WORLD.with_kind(kind)).pages}


def test_robots_txt_is_not_asked_for_again_and_the_first_answer_is_enough(sites: Sites) -> None:
    domain = sites.add("sitemap-index")
    sites.run([READ], domain)
    number = sites.seen()
    sites.run([STAGE], domain)
    assert sites.requests(number, domain) == [("/sitemap.xml", 200)]


def test_a_stale_sitemap_is_imported_again(sites: Sites) -> None:
    domain = search(sites, "plain")
    aged = (
        "UPDATE work SET status = 'Completed', finished_at = now() - interval '31 days' WHERE stage = 'sitemap_import'"
    )
    sites.scene.execute(aged)
    sites.run([STAGE], domain)
    assert sites.scene.endings("sitemap_import") == {"Queued": 1}


def test_in_curated_mode_sitemaps_wait_for_a_person(sites: Sites) -> None:
    domain = sites.add("plain")
    sites.run([READ], domain, auto=False)
    sites.run([STAGE], domain, auto=False)
    assert len(sites.sitemaps(domain)) == 1
    assert sites.scene.endings("sitemap_import") == {}


SITEMAP = answer(
    b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    b"<url><loc>http://stranger.example/about</loc></url></urlset>",
    "Content-Type: application/xml",
)
HOME = answer(b'<html><title>Us</title><p>Hello<a href="/about">About</a><a href="/map/sitemap-x.xml">Map', HTML)


def analysed(scene: Scene, *stages: str) -> tuple[Sites, int]:
    """Run the stages, by default both, on a stranger."""
    made = Sites(scene, None)  # type: ignore[arg-type] # nobody asks this one for its log
    domain = made.add_domain("stranger.example")
    made.run(stages or (READ, STAGE), domain)
    return made, domain


def script(robots: str = "", pages: dict[str, bytes] | None = None) -> Script:
    """Answer by path: a homepage, a robots.txt, and what else there is."""
    known = {"/": HOME, "/robots.txt": answer(robots.encode())} | (pages or {})

    def respond(head: bytes) -> list[bytes]:
        return [known.get(path_of(head), answer(b"", status="404 Not Found"))]

    return respond


def test_all_that_robots_txt_names_is_kept_but_what_is_seen_to_be_none(scene: Scene, stranger: Start) -> None:
    lines = "\n".join(
        f"Sitemap: http://stranger.example/{name}.xml" for name in ("gone", "soft", "one", "two", "three")
    )
    server = stranger(script(lines, {"/soft.xml": HOME, "/one.xml": SITEMAP, "/two.xml": SITEMAP}))
    sites, domain = analysed(scene)
    assert [(path, method) for path, _, method in sites.sitemaps(domain)] == [
        ("/one.xml", "robots_txt"),
        ("/three.xml", "robots_txt"),
        ("/two.xml", "robots_txt"),
    ]
    assert "/two.xml" not in [path_of(head) for head in server.heard]


def test_what_the_homepage_links_comes_after_the_usual_places(scene: Scene, stranger: Start) -> None:
    server = stranger(script("", {"/map/sitemap-x.xml": SITEMAP}))
    sites, domain = analysed(scene)
    assert sites.sitemaps(domain) == [("/map/sitemap-x.xml", "standard", "html_link")]
    asked = [path_of(head) for head in server.heard]
    assert asked[:4] == ["/robots.txt", "/", "/sitemap.xml", "/sitemap_index.xml"]
    assert asked[-1] == "/map/sitemap-x.xml"


def test_an_empty_sitemap_is_none(scene: Scene, stranger: Start) -> None:
    empty = answer(b'<?xml version="1.0"?><urlset></urlset>', "Content-Type: application/xml")
    stranger(script("", {"/sitemap.xml": empty}))
    sites, domain = analysed(scene)
    assert [method for _, _, method in sites.sitemaps(domain)] == ["homepage_links"]


def test_a_redirected_sitemap_is_stored_where_it_was_found(scene: Scene, stranger: Start) -> None:
    moved = answer(b"", "Location: /all.xml", status="301 Moved Permanently")
    stranger(script("", {"/sitemap.xml": moved, "/all.xml": SITEMAP}))
    sites, domain = analysed(scene)
    assert sites.sitemaps(domain) == [("/all.xml", "standard", "common_path")]


def test_one_place_that_fails_does_not_hide_the_next(scene: Scene, stranger: Start) -> None:
    broken = answer(b"", status="500 Oops")
    stranger(script("", {"/sitemap.xml": broken, "/wp-sitemap.xml": SITEMAP}))
    sites, domain = analysed(scene)
    assert sites.sitemaps(domain) == [("/wp-sitemap.xml", "standard", "common_path")]
    assert scene.many("failures") == 0


def test_a_site_that_keeps_failing_is_tried_again_and_at_last_taken_by_its_links(scene: Scene, stranger: Start) -> None:
    server = stranger(lambda head: [HOME if path_of(head) == "/" else answer(b"", status=_status(head))])
    sites, domain = analysed(scene)
    assert [method for _, _, method in sites.sitemaps(domain)] == ["homepage_links"]
    assert [row["reason"] for row in scene.rows("SELECT reason FROM failures")] == ["server-error"] * 4
    assert len(server.heard) == 2 + 5 * 3


def _status(head: bytes) -> str:
    return "404 Not Found" if path_of(head) == "/robots.txt" else "500 Oops"


def test_a_slow_host_is_left_to_the_queue_and_asked_nothing_twice(scene: Scene, stranger: Start) -> None:
    """Ten seconds between requests: one place a turn, no attempt spent, until one answers."""
    server = stranger(script("User-agent: *\nCrawl-delay: 10\n", {"/wp-sitemap.xml": SITEMAP}))
    made, domain = analysed(scene)
    assert made.sitemaps(domain) == [("/wp-sitemap.xml", "standard", "common_path")]
    paths = [path_of(head) for head in server.heard]
    assert paths == [
        "/robots.txt",
        "/",
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/sitemap-index.xml",
        "/sitemap.xml.gz",
        "/wp-sitemap.xml",
    ]
    assert scene.one("SELECT attempts FROM work WHERE stage = %s", STAGE) == {"attempts": 1}
    assert scene.many("failures") == 0


def test_a_turn_whose_time_is_nearly_over_goes_on_in_the_next(scene: Scene, stranger: Start) -> None:
    stranger(script("", {"/sitemap_index.xml": SITEMAP}))
    made, domain = analysed(scene, READ)
    work = scene.one("SELECT id FROM work WHERE stage = %s AND entity_id = %s", STAGE, domain)
    turn = replace(scene.claim(work["id"], stage_named(STAGE)), deadline_at=datetime.now(UTC) + timedelta(seconds=1))
    outcome = run.perform(turn)
    assert (type(outcome).__name__, getattr(outcome, "reason", None)) == ("Snooze", reasons.MORE_TO_ASK)
    run.end(turn, outcome)
    made.run([STAGE], domain)
    assert made.sitemaps(domain) == [("/sitemap_index.xml", "standard", "common_path")]

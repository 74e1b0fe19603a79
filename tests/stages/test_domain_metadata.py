"""domain_metadata: Domain → Domain, on every kind of site in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import reasons
import settings
from fetching.client import client
from sandbox import Served, serving
from sandbox.hosts import companion_host
from sandbox.kinds import BY_NAME
from sandbox.siteplan import site_plan
from services.front_door import TELLING
from tests.fetching.conftest import stranger
from tests.fetching.stranger import Script, Stranger, answer, header_of, path_of
from tests.stages.scene import Scene
from tests.stages.sites import TIME_WASTERS, WITH_A_SITE, WORLD, Sites

__all__ = ["stranger"]

STAGE = "domain_metadata"
TABLES = ("domains", "local_business_domains", "contacts", "sightings", "work")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wait for nobody, and leave no connection open: the next test's stranger has the same name."""
    values = {
        "LANE_GAP_SECONDS": "0",
        "LANE_GAP_MAX_SECONDS": "0.01",
        "FETCH_READ_SECONDS": "2.5",
        "FETCH_TOTAL_SECONDS": "3",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    yield
    client().close()


@pytest.fixture
def sites(scene: Scene, served: Served, monkeypatch: pytest.MonkeyPatch) -> Sites:
    monkeypatch.setenv("SANDBOX_ADDRESS", f"127.0.0.1:{served.address[1]}")
    settings.settings.cache_clear()
    return Sites(scene, served)


def visit(sites: Sites, kind: str) -> int:
    domain = sites.add(kind)
    sites.run([STAGE], domain, skips_tries=kind in TIME_WASTERS)
    return domain


def expected(kind: str) -> tuple[str, str | None]:
    outcome = BY_NAME[kind].outcome
    if outcome is None or outcome.stage != STAGE:
        return "Completed", reasons.REDIRECTED if kind == "redirect-elsewhere" else None
    return outcome.status, outcome.reason


@pytest.mark.parametrize("kind", WITH_A_SITE)
def test_every_kind_of_site_ends_as_it_should_and_its_homepage_tells_its_contacts(sites: Sites, kind: str) -> None:
    domain = visit(sites, kind)
    assert sites.ending(STAGE, domain) == expected(kind)
    row = sites.domain(domain)
    assert row["fetched_at"] is not None
    assert row["blank_reason"] == expected(kind)[1]
    if kind == "closed-business":  # its contacts are real, but it is never visited
        return
    business = WORLD.with_kind(kind)
    planted = site_plan(WORLD, business).on("/") if business.host else ()
    if target := companion_host(kind, business.index):
        domain = sites.scene.one("SELECT id FROM domains WHERE name = %s", target)["id"]
    assert sites.contacts(domain) == {(each.kind, each.value) for each in planted}


def test_what_a_homepage_says_is_stored(sites: Sites) -> None:
    domain = visit(sites, "wordpress")
    business, row = WORLD.with_kind("wordpress"), sites.domain(domain)
    assert row["final_url"].removeprefix("http://").removeprefix("www.") == f"{business.host}/"
    assert (row["status_code"], row["language"]) == (200, business.town.language)
    assert row["title"].startswith(business.name)
    assert row["description"]
    assert (row["is_wordpress"], row["generator"].startswith("WordPress")) == (True, True)
    assert row["wordpress_version"] in row["generator"]
    assert "WordPress" in row["technologies"]
    assert row["favicon_url"].endswith("/favicon.ico")
    assert row["logo_url"].endswith("/images/logo.png")
    assert (row["etag"], row["last_modified"], row["content_hash"]) != (None, None, None)
    assert len(row["links"]) > 3
    work = sites.scene.rows("SELECT stage, status, lane FROM work WHERE stage <> %s ORDER BY stage DESC", STAGE)
    assert work[0] == {"stage": "sitemap_analysis", "status": "Queued", "lane": row["name"]}
    assert {each["stage"] for each in work[1:]} == {"contact_validation"}
    assert len(work) - 1 == sum(kind in ("email", "phone") for kind, _ in sites.contacts(domain))


def test_contacts_have_their_proof(sites: Sites) -> None:
    domain = visit(sites, "one-page")
    sightings = sites.scene.rows(
        "SELECT contacts.kind, value, label, url, method, snippet, extractor_version, page_id FROM sightings"
        " JOIN contacts ON contacts.id = contact_id"
    )
    assert {row["url"] for row in sightings} == {sites.domain(domain)["final_url"]}
    planted = site_plan(WORLD, WORLD.with_kind("one-page")).on("/")
    methods = {(row["kind"], row["value"], row["method"]) for row in sightings}
    assert methods >= {(each.kind, each.value, each.disguise) for each in planted if each.disguise in ("mailto", "tel")}
    assert {row["extractor_version"] for row in sightings} == {"0.1.0"}


@pytest.mark.parametrize("kind", ["plain", "wordpress", "parked", "redirect-elsewhere", "not-found", "one-page"])
def test_a_second_visit_adds_nothing(sites: Sites, kind: str) -> None:
    domain = visit(sites, kind)
    before, ending = [sites.scene.many(table) for table in TABLES], sites.ending(STAGE, domain)
    facts = sites.domain(domain)
    sites.run([STAGE], domain)
    assert [sites.scene.many(table) for table in TABLES] == before
    changing = {"fetched_at", "updated_at"}
    assert {k: v for k, v in sites.domain(domain).items() if k not in changing} == {
        k: v for k, v in facts.items() if k not in changing
    }
    again = sites.ending(STAGE, domain)
    assert again == (ending if ending[0] != "Completed" or ending[1] else ("Completed", reasons.UNCHANGED))


def test_an_unchanged_homepage_costs_one_conditional_request(sites: Sites) -> None:
    domain = visit(sites, "plain")
    seen_before = sites.scene.rows("SELECT id, last_seen_at FROM contacts ORDER BY id")
    number = sites.seen()
    sites.run([STAGE], domain)
    assert sites.requests(number, domain) == [("/", 304)]
    assert sites.ending(STAGE, domain) == ("Completed", reasons.UNCHANGED)
    seen_again = sites.scene.rows("SELECT id, last_seen_at FROM contacts ORDER BY id")
    assert all(now["last_seen_at"] > then["last_seen_at"] for now, then in zip(seen_again, seen_before, strict=True))


def test_what_follows_is_started_again_only_when_it_is_stale(sites: Sites) -> None:
    domain = visit(sites, "plain")
    for age, ending in (("10 days", "Completed"), ("31 days", "Queued")):
        aged = (
            "UPDATE work SET status = 'Completed', finished_at = now() - %s::interval WHERE stage = 'sitemap_analysis'"
        )
        sites.scene.execute(aged, age)
        sites.run([STAGE], domain)
        assert sites.ending("sitemap_analysis", domain)[0] == ending


def test_the_domain_that_it_moved_to_carries_on_for_its_businesses(sites: Sites) -> None:
    domain = visit(sites, "redirect-elsewhere")
    target = sites.scene.one("SELECT * FROM domains WHERE id <> %s", domain)
    assert sites.domain(domain)["redirects_to_id"] == target["id"]
    assert sites.ending(STAGE, target["id"]) == ("Completed", None)
    assert (target["blank_reason"], target["status_code"], target["title"] is not None) == (None, 200, True)
    links = sites.scene.rows("SELECT domain_id, website FROM local_business_domains ORDER BY domain_id")
    website = WORLD.with_kind("redirect-elsewhere").website
    assert links == [{"domain_id": domain, "website": website}, {"domain_id": target["id"], "website": website}]
    stages = sites.scene.rows("SELECT entity_id FROM work WHERE stage = 'sitemap_analysis'")
    assert stages == [{"entity_id": target["id"]}]


def test_an_error_keeps_the_facts_of_an_earlier_visit_and_says_so(sites: Sites) -> None:
    domain = sites.add("not-found")
    sites.scene.execute("UPDATE domains SET title = 'Before', etag = 'x', content_hash = 'y'")
    sites.run([STAGE], domain)
    row = sites.domain(domain)
    assert (row["title"], row["blank_reason"], row["status_code"]) == ("Before", "not-found", 404)
    assert (row["etag"], row["content_hash"]) == (None, None)


def test_in_curated_mode_a_domain_that_was_decided_on_goes_on(sites: Sites) -> None:
    domain = sites.add("plain")
    sites.run([STAGE], domain, auto=False)
    assert sites.ending(STAGE, domain) == ("Completed", None)
    assert sites.scene.endings("sitemap_analysis") == {"Queued": 1}


def test_in_curated_mode_the_target_of_a_redirect_waits_for_a_person(sites: Sites) -> None:
    domain = sites.add("redirect-elsewhere")
    sites.run([STAGE], domain, auto=False)
    assert sites.scene.many("domains") == 2
    assert sites.scene.many("work") == 1


def test_every_word_of_a_visit_is_known() -> None:
    assert set(TELLING) <= set(reasons.MEANINGS)


Start = Callable[[Script], Stranger]
HTML = "Content-Type: text/html"


def domain_at(scene: Scene, name: str = "stranger.example") -> Sites:
    made = Sites(scene, None)  # type: ignore[arg-type] # nobody asks this one for its log
    domain = made.add_domain(name)
    made.run([STAGE], domain)
    return made


def by_url(pages: dict[str, bytes]) -> Script:
    """Answer by host and path; nothing else is there."""

    def script(head: bytes) -> list[bytes]:
        return [pages.get(f"{header_of(head, 'host')}{path_of(head)}", answer(b"", status="404 Not Found"))]

    return script


def moved(to: str) -> bytes:
    return answer(b"", f"Location: {to}", status="301 Moved Permanently")


def test_www_is_tried_where_the_bare_name_has_nothing(scene: Scene, stranger: Start) -> None:
    server = stranger(
        by_url({"www.stranger.example/": answer(b"<html><title>Hello there</title><p>We are here", HTML)})
    )
    sites = domain_at(scene)
    row = scene.one("SELECT final_url, title, blank_reason FROM domains")
    assert row == {"final_url": "http://www.stranger.example/", "title": "Hello there", "blank_reason": None}
    asked = [f"{header_of(head, 'host')}{path_of(head)}" for head in server.heard]
    assert asked == [
        f"{host}{path}" for host in ("stranger.example", "www.stranger.example") for path in ("/robots.txt", "/")
    ]
    assert sites.scene.endings(STAGE) == {"Completed": 1}


def test_a_meta_refresh_within_the_site_is_followed_once(scene: Scene, stranger: Start) -> None:
    def refresh(path: str) -> bytes:
        return answer(f'<html><meta http-equiv="refresh" content="0; url={path}"><title>Wait</title>'.encode(), HTML)

    pages = {"/": refresh("/en/"), "/en/": refresh("/more/"), "/more/": answer(b"<html><title>Too far", HTML)}
    stranger(by_url({f"stranger.example{path}": page for path, page in pages.items()}))
    domain_at(scene)
    assert scene.one("SELECT final_url, title FROM domains") == {
        "final_url": "http://stranger.example/en/",
        "title": "Wait",
    }


def test_a_meta_refresh_to_another_domain_is_a_redirect(scene: Scene, stranger: Start) -> None:
    away = b'<html><meta http-equiv="refresh" content="0; url=http://other.example/">'
    stranger(by_url({"stranger.example/": answer(away, HTML), "other.example/": answer(b"<html><p>Here we are", HTML)}))
    domain_at(scene)
    assert scene.endings(STAGE) == {"Completed": 1, "Completed redirected": 1}
    assert scene.one("SELECT count(redirects_to_id) AS many FROM domains") == {"many": 1}


def test_domains_that_lead_to_each_other_say_so(scene: Scene, stranger: Start) -> None:
    pages = {"stranger.example/": moved("http://other.example/"), "other.example/": moved("http://stranger.example/")}
    stranger(by_url(pages))
    domain_at(scene)
    assert scene.endings(STAGE) == {"Completed redirected": 1, "Error too-many-redirects": 1}
    assert {row["blank_reason"] for row in scene.rows("SELECT blank_reason FROM domains")} == {
        "redirected",
        "too-many-redirects",
    }


def test_a_site_that_is_only_a_profile_elsewhere_keeps_it_as_a_contact(scene: Scene, stranger: Start) -> None:
    stranger(by_url({"stranger.example/": moved("https://www.facebook.com/annadental/?ref=page_internal")}))
    sites = domain_at(scene)
    assert scene.endings(STAGE) == {"Filtered shared-host": 1}
    domain = scene.one("SELECT id, blank_reason FROM domains")
    assert domain["blank_reason"] == "shared-host"
    assert sites.contacts(domain["id"]) == {("social", "https://www.facebook.com/annadental")}


def test_an_address_that_is_no_name_is_refused_by_the_guard(scene: Scene, stranger: Start) -> None:
    stranger(by_url({"stranger.example/": moved("http://192.168.0.1/")}))
    domain_at(scene)
    assert scene.endings(STAGE) == {"Error unsafe-address": 1}


def test_text_of_strangers_is_stored_safely(scene: Scene, stranger: Start) -> None:
    page = "<html><title>a\x00b \ud800 é</title><p>x".encode("utf-8", "surrogatepass")
    stranger(by_url({"stranger.example/": answer(page, HTML, 'ETag: "\xff"')}))
    domain_at(scene)
    assert scene.endings(STAGE) == {"Completed": 1}
    assert scene.one("SELECT title FROM domains")["title"].startswith("a")


def test_contacts_of_a_site_that_is_not_there_yet_are_validated_too(scene: Scene, stranger: Start) -> None:
    soon = b"<html><title>Coming soon</title><h1>Our new website is coming soon</h1><p>info@stranger.example"
    stranger(by_url({"stranger.example/": answer(soon, HTML)}))
    domain_at(scene)
    assert scene.endings(STAGE) == {"Filtered under-construction": 1}
    scene.play("contact_validation")
    assert scene.one("SELECT value, verdict IS NULL AS is_unjudged FROM contacts") == {
        "value": "info@stranger.example",
        "is_unjudged": False,
    }


def test_what_a_homepage_no_longer_shows_is_gone(scene: Scene, stranger: Start) -> None:
    pages = {
        "stranger.example/": answer(b"<html><title>Inn</title><p>anna@stranger.example, bob@stranger.example", HTML)
    }
    stranger(by_url(pages))
    sites = domain_at(scene)
    domain = scene.one("SELECT id FROM domains")["id"]
    gone = "SELECT value FROM contacts WHERE gone_at IS NOT NULL ORDER BY value"
    pages["stranger.example/"] = answer(b"<html><title>Inn</title><p>anna@stranger.example", HTML)
    sites.run([STAGE], domain)
    assert [row["value"] for row in scene.rows(gone)] == ["bob@stranger.example"]
    pages["stranger.example/"] = answer(b"", status="500 Oh")
    sites.run([STAGE], domain, skips_tries=True)
    assert [row["value"] for row in scene.rows(gone)] == ["bob@stranger.example"]
    del pages["stranger.example/"]
    sites.run([STAGE], domain)
    assert [row["value"] for row in scene.rows(gone)] == ["anna@stranger.example", "bob@stranger.example"]

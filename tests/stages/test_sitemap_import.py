"""sitemap_import: SitemapFile → Page, streamed in chunks, whatever the file, its order and the number of tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import settings
from fetching.client import client
from pipeline import page_store
from sandbox import Served, serving
from tests.stages.scene import Scene
from tests.stages.sitemaps import WORLD, Sitemaps, listed_by, site_of

READABLE = [
    "sitemap-index", "sitemap-nested", "sitemap-loop", "sitemap-gz", "sitemap-text", "sitemap-broken",
    "sitemap-wrong-namespace", "sitemap-cdata", "wordpress", "wix", "blog-heavy",
]  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as running:
        yield running


@pytest.fixture
def sitemaps(scene: Scene, served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sitemaps]:
    monkeypatch.setenv("SANDBOX_ADDRESS", f"127.0.0.1:{served.address[1]}")
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    settings.settings.cache_clear()
    yield Sitemaps(scene)
    client().close()


@pytest.fixture
def set_to(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def set_values(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name.upper(), str(value))
        settings.settings.cache_clear()

    return set_values


@pytest.mark.parametrize("kind", READABLE)
def test_every_page_of_a_readable_sitemap_is_stored(sitemaps: Sitemaps, kind: str) -> None:
    site = site_of(kind)
    sitemaps.run(sitemaps.add_site(kind))
    assert sitemaps.paths() == listed_by(site.plan, is_catalogue=site.is_catalogue)
    assert sitemaps.scene.endings("page_ranking") == {"Completed": 1}
    assert {row["host"] for row in sitemaps.scene.rows("SELECT DISTINCT host FROM pages")} == {site.host}
    best = sitemaps.paths("decision_reason = 'chosen'")
    assert best >= {page.path for page in site.plan.pages if page.kind in ("home", "contact", "legal")}
    assert sitemaps.scene.many("pages WHERE decision_reason IS NULL") == 0


def test_a_feed_gives_its_pages(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-feed")
    sitemaps.run(sitemap)
    assert sitemaps.paths() >= {page.path for page in site_of("sitemap-feed").plan.pages}
    assert sitemaps.row(sitemap)["kind"] == "feed"


@pytest.mark.parametrize("kind", ["sitemap-entity-bomb", "sitemap-external-entity"])
def test_hostile_xml_is_refused(sitemaps: Sitemaps, kind: str) -> None:
    sitemap = sitemaps.add_site(kind)
    sitemaps.run(sitemap)
    assert sitemaps.scene.endings("sitemap_import") == {"Filtered hostile-xml": 1}
    assert sitemaps.scene.many("pages") == 0
    assert sitemaps.row(sitemap)["truncated"]


def test_a_page_that_answers_for_everything_is_no_sitemap(sitemaps: Sitemaps) -> None:
    sitemaps.run(sitemaps.add(f"http://{site_of('soft-404').host}/sitemap.xml"))
    assert sitemaps.scene.endings("sitemap_import") == {"Filtered not-a-sitemap": 1}


def test_a_damaged_file_is_read_as_far_as_it_goes(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-broken")
    sitemaps.run(sitemap)
    assert sitemaps.scene.endings("sitemap_import") == {"Completed truncated": 1}
    row = sitemaps.row(sitemap)
    assert row["truncated"]
    assert (row["etag"], row["content_hash"], row["imported_at"]) == (None, None, None)
    assert row["url_count"] == sitemaps.scene.many("pages")


def test_facts_of_the_file_are_kept(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-gz")
    sitemaps.run(sitemap)
    row = sitemaps.row(sitemap)
    assert row["kind"] == "standard"
    assert row["status_code"] == 200
    assert row["url_count"] == len(site_of("sitemap-gz").plan.pages)
    assert row["size_bytes"] > 0
    assert row["etag"]
    assert len(row["content_hash"]) == 64
    assert not row["truncated"]


def test_links_of_a_homepage_need_no_request(sitemaps: Sitemaps, served: Served) -> None:
    before = len(served.log())
    links = '["http://quiet.example/contact", "/about", "http://elsewhere.example/", "mailto:a@b.example", 7]'
    sitemap = sitemaps.add("http://quiet.example/", method="homepage_links", kind="text", links=links)
    sitemaps.run(sitemap)
    assert sitemaps.paths() == {"/contact", "/about", "/7"}
    assert sitemaps.row(sitemap)["left_out"] == {"other-domain": 1}
    assert len(served.log()) == before


def test_a_sitemap_of_another_site_gives_nothing_and_says_so(sitemaps: Sitemaps) -> None:
    plan = site_of("sitemap-gz").plan
    sitemap = sitemaps.add(f"http://{plan.host}/sitemap.xml.gz", host="mine.example")
    sitemaps.run(sitemap)
    assert sitemaps.scene.endings("sitemap_import") == {"Filtered other-domain": 1}
    assert sitemaps.row(sitemap)["left_out"] == {"other-domain": len(plan.pages)}


def test_an_empty_list_is_filtered(sitemaps: Sitemaps) -> None:
    sitemaps.run(sitemaps.add("http://empty.example/", method="homepage_links", kind="text"))
    assert sitemaps.scene.endings("sitemap_import") == {"Filtered empty-sitemap": 1}


def test_a_sitemap_that_is_not_there_is_an_error(sitemaps: Sitemaps) -> None:
    sitemaps.run(sitemaps.add(f"http://{site_of('plain').host}/no-such-sitemap.xml"))
    assert sitemaps.scene.endings("sitemap_import") == {"Error not-found": 1}


def test_no_more_addresses_are_read_than_allowed(sitemaps: Sitemaps, set_to: Callable[..., None]) -> None:
    set_to(sitemap_max_urls=100)
    sitemap = sitemaps.add_site("sitemap-50k")
    sitemaps.run(sitemap)
    assert sitemaps.scene.endings("sitemap_import") == {"Completed too-many-urls": 1}
    assert sitemaps.scene.many("pages") == 100
    assert sitemaps.row(sitemap)["truncated"]


def test_no_more_bytes_are_read_than_allowed(sitemaps: Sitemaps, set_to: Callable[..., None]) -> None:
    set_to(sitemap_max_bytes=64 * 1024)
    sitemaps.run(sitemaps.add_site("sitemap-50k"))
    assert sitemaps.scene.endings("sitemap_import") == {"Completed truncated": 1}
    assert 0 < sitemaps.scene.many("pages") < 1000


def test_indexes_that_name_each_other_end(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-loop")
    sitemaps.run(sitemap)
    assert sitemaps.scene.many("sitemap_files") == 4
    assert sum(sitemaps.scene.endings("sitemap_import").values()) == 4
    sitemaps.run(sitemap)
    assert sitemaps.scene.many("sitemap_files") == 4
    assert sitemaps.scene.endings("sitemap_import") == {"Completed unchanged": 4}


def test_no_more_sitemaps_are_followed_than_allowed(sitemaps: Sitemaps, set_to: Callable[..., None]) -> None:
    set_to(sitemap_max_files=2)
    sitemap = sitemaps.add_site("blog-heavy")
    sitemaps.run(sitemap)
    assert sitemaps.scene.many("sitemap_files") == 2
    assert sitemaps.row(sitemap)["left_out"]["too-many-sitemaps"] >= 1


def test_indexes_are_not_followed_too_deep(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-nested")
    sitemaps.scene.execute("UPDATE sitemap_files SET depth = 4")
    sitemaps.run(sitemap)
    deepest = sitemaps.scene.one("SELECT * FROM sitemap_files ORDER BY depth DESC LIMIT 1")
    assert (deepest["depth"], deepest["left_out"]) == (5, {"too-deep": 1})
    assert sitemaps.scene.endings("sitemap_import") == {"Completed": 1, "Completed too-deep": 1}


def test_an_unchanged_sitemap_costs_one_conditional_request(sitemaps: Sitemaps, served: Served) -> None:
    sitemap = sitemaps.add_site("sitemap-gz")
    sitemaps.run(sitemap)
    picture, before = sitemaps.picture(), len(served.log())
    sitemaps.run(sitemap)
    assert [(entry["path"], entry["status"]) for entry in served.log()[before:]] == [("/sitemap.xml.gz", 304)]
    assert sitemaps.scene.endings("sitemap_import") == {"Completed unchanged": 1}
    assert sitemaps.picture() == picture


def test_a_whole_tree_that_has_not_changed_costs_a_request_for_each_file(sitemaps: Sitemaps, served: Served) -> None:
    sitemap = sitemaps.add_site("sitemap-nested")
    sitemaps.run(sitemap)
    before = len(served.log())
    sitemaps.run(sitemap)
    assert [entry["status"] for entry in served.log()[before:]] == [304] * 4


def test_what_is_no_longer_listed_has_vanished_and_comes_back(sitemaps: Sitemaps) -> None:
    one = sitemaps.add("http://site.example/", method="homepage_links", links='["/", "/contact", "/about"]')
    two = sitemaps.add("http://site.example/2", method="homepage_links", links='["/contact", "/team"]')
    sitemaps.run(one, two)
    sitemaps.scene.execute("""UPDATE sitemap_files SET links = '["/", "/new"]' WHERE id = %s""", one)
    sitemaps.run(one)
    assert sitemaps.paths("vanished_at IS NOT NULL") == {"/about"}
    assert sitemaps.paths("decision_reason = 'vanished'") == {"/about"}
    assert sitemaps.paths("decision_reason = 'chosen'") == {"/", "/new", "/contact", "/team"}
    sitemaps.scene.execute("UPDATE sitemap_files SET links = '[\"/about\"]' WHERE id = %s", two)
    sitemaps.run(two)
    assert sitemaps.paths("vanished_at IS NOT NULL") == {"/contact", "/team"}
    assert sitemaps.paths("decision_reason = 'chosen'") == {"/", "/new", "/about"}


def test_a_sitemap_that_has_gone_takes_its_pages_along(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-gz")
    sitemaps.run(sitemap)
    many = sitemaps.scene.many("pages")
    sitemaps.scene.execute("UPDATE sitemap_files SET url = replace(url, 'sitemap.xml', 'gone.xml')")
    sitemaps.run(sitemap)
    assert sitemaps.scene.endings("sitemap_import") == {"Completed not-found": 1}
    assert sitemaps.scene.many("pages WHERE vanished_at IS NOT NULL AND decision_reason = 'vanished'") == many
    assert sitemaps.scene.endings("page_ranking") == {"Filtered no-pages": 1}


def test_a_damaged_file_lets_nothing_vanish(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-broken")
    sitemaps.run(sitemap)
    sitemaps.scene.execute(
        "WITH page AS (INSERT INTO pages (tenant_id, domain_id, url, host) SELECT tenant_id, domain_id,"
        " 'http://' || host || '/beyond-the-break', host FROM sitemap_files RETURNING id, tenant_id)"
        " INSERT INTO sitemap_pages SELECT %s, id, tenant_id, now() - interval '1 day' FROM page",
        sitemap,
    )
    sitemaps.run(sitemap)
    assert sitemaps.paths("vanished_at IS NOT NULL") == set()


def test_the_persons_decision_stays(sitemaps: Sitemaps) -> None:
    sitemap = sitemaps.add_site("sitemap-text")
    sitemaps.run(sitemap)
    sitemaps.scene.execute("UPDATE pages SET curation_status = 'Not a Fit', lastmod = NULL")
    sitemaps.scene.execute("UPDATE sitemap_files SET etag = NULL, last_modified = NULL, content_hash = NULL")
    sitemaps.run(sitemap)
    assert sitemaps.scene.many("pages WHERE curation_status <> 'Not a Fit'") == 0
    assert sitemaps.scene.endings("page_ranking") == {"Filtered no-pages": 1}


def test_a_curated_run_stores_and_ranks_but_queues_no_further_sitemap(sitemaps: Sitemaps) -> None:
    sitemaps.run(sitemaps.add_site("sitemap-index"), auto=False)
    assert sitemaps.scene.many("work") == 1
    assert sitemaps.scene.many("sitemap_files") == 2
    sitemaps.run(sitemaps.add_site("sitemap-text"), auto=False)
    assert sitemaps.scene.endings("page_ranking") == {"Completed": 1}


def test_a_chunk_is_stored_only_while_the_work_is_ours(sitemaps: Sitemaps, monkeypatch: pytest.MonkeyPatch) -> None:
    sitemap = sitemaps.add_site("sitemap-gz")
    stored = page_store.store

    def rescued_meanwhile(run: page_store.Run, pages: list[page_store.FoundPage]) -> int:
        sitemaps.scene.execute("UPDATE work SET token = token + 1 WHERE id = %s", run.turn.work_id)
        return stored(run, pages)

    monkeypatch.setattr(page_store, "store", rescued_meanwhile)
    sitemaps.scene.start("sitemap_import", sitemap)
    sitemaps.scene.play("sitemap_import")
    assert sitemaps.scene.many("pages") == 0
    assert sitemaps.scene.many("work WHERE status = 'Processing'") == 1

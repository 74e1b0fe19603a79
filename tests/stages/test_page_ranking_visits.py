"""page_ranking: which of the chosen pages are visited, now and when the domain comes round again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import settings
from pipeline import page_choice, searches
from pipeline.curation import curate
from pipeline.database import statement
from pipeline.stage import stage_named
from tests.stages.scene import Scene
from tests.stages.sitemaps import Sitemaps

RANKING, VISIT = "page_ranking", "page_curation"
SITE = "http://site.example"
PATHS = ["/contact", "/about-us", "/team"]
NOW = datetime.now(UTC)


@pytest.fixture
def sitemaps(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Sitemaps:
    monkeypatch.setenv("LANE_GAP_SECONDS", "0")
    settings.settings.cache_clear()
    return Sitemaps(scene)


def import_pages(sitemaps: Sitemaps, *paths: str, auto: bool = True) -> None:
    """Import one sitemap that lists these paths, and choose."""
    sitemap = sitemaps.add(f"{SITE}/1.txt", method="homepage_links")
    sitemaps.scene.execute("UPDATE sitemap_files SET links = %s::jsonb", json.dumps(list(paths)))
    sitemaps.run(sitemap, auto=auto)


def visited(sitemaps: Sitemaps, *, days_ago: float = 40, read: bool = True, **columns: Any) -> None:
    """Let the visits of all pages have ended so long ago."""
    at = NOW - timedelta(days=days_ago)
    sitemaps.scene.execute(
        "UPDATE work SET status = 'Completed', finished_at = %s, sent_at = NULL WHERE stage = %s", at, VISIT
    )
    columns |= {"fetched_at": at} if read else {}
    for name, value in columns.items():
        sitemaps.scene.execute(f"UPDATE pages SET {name} = %s", value)


def queued(sitemaps: Sitemaps) -> set[str]:
    """Give the paths of the pages that are to be visited."""
    rows = sitemaps.scene.rows(
        "SELECT url FROM pages JOIN work ON entity_id = pages.id WHERE stage = %s AND status = 'Queued'", VISIT
    )
    return {row["url"].removeprefix(SITE) for row in rows}


def test_the_chosen_pages_are_visited(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS, "/shop/chairs/chair-1")
    assert sitemaps.scene.endings(RANKING) == {"Completed": 1}
    assert queued(sitemaps) == sitemaps.paths("decision_reason = 'chosen'") >= set(PATHS)
    assert {row["lane"] for row in sitemaps.scene.rows("SELECT lane FROM work WHERE stage = %s", VISIT)} == {
        "site.example"
    }


def test_choosing_again_while_pages_wait_changes_nothing(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS)
    import_pages(sitemaps, *PATHS)
    assert sitemaps.scene.endings(RANKING) == {"Completed no-new-children": 1}
    assert queued(sitemaps) == set(PATHS)


@pytest.mark.parametrize(
    ("lastmod", "days_ago", "is_due"),
    [
        (NOW - timedelta(days=1), 5, True),  # changed since
        (NOW - timedelta(days=50), 40, False),  # not changed since, however long ago
        (None, 40, True),  # nothing is said of it, and it was long ago
        (None, 5, False),
        (NOW - timedelta(days=40, hours=6), 40, True),  # of the very day on which it was read
        (NOW - timedelta(days=5, hours=6), 5, False),
        (NOW + timedelta(days=900), 5, False),  # from the future: nothing is said
        (NOW + timedelta(days=900), 40, True),
    ],
)
def test_a_page_is_visited_again_when_it_may_have_changed(
    sitemaps: Sitemaps, lastmod: datetime | None, days_ago: float, is_due: bool
) -> None:
    import_pages(sitemaps, *PATHS)
    visited(sitemaps, days_ago=days_ago, lastmod=lastmod)
    import_pages(sitemaps, *PATHS)
    assert queued(sitemaps) == (set(PATHS) if is_due else set())
    assert sitemaps.scene.endings(RANKING) == {"Completed" if is_due else "Completed nothing-changed": 1}


def test_a_page_that_could_not_be_read_is_tried_again_when_its_domain_comes_round(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS)
    visited(sitemaps, days_ago=5, read=False, lastmod=NOW - timedelta(days=50))
    import_pages(sitemaps, *PATHS)
    assert queued(sitemaps) == set()
    visited(sitemaps, days_ago=40, read=False)
    import_pages(sitemaps, *PATHS)
    assert queued(sitemaps) == set(PATHS)


def read_homepage(sitemaps: Sitemaps, final_url: str) -> None:
    sitemaps.domain("site.example")
    sitemaps.scene.execute("UPDATE domains SET final_url = %s, content_hash = 'x'", final_url)


@pytest.mark.parametrize("final_url", ["https://www.site.example/", f"{SITE}/"])
def test_the_homepage_that_was_read_is_not_visited_again(sitemaps: Sitemaps, final_url: str) -> None:
    read_homepage(sitemaps, final_url)
    import_pages(sitemaps, "/", *PATHS)
    assert queued(sitemaps) == set(PATHS)
    assert sitemaps.paths("decision_reason = 'homepage-read'") == {"/"}
    (home,) = sitemaps.scene.rows("SELECT id FROM pages WHERE decision_reason = 'homepage-read'")
    curate(stage_named(VISIT), [home["id"]], "Selected")
    assert queued(sitemaps) == {"/", *PATHS}
    import_pages(sitemaps, "/", *PATHS)
    assert sitemaps.paths("decision_reason = 'homepage-read'") == {"/"}


def test_a_site_of_one_page_says_that_it_was_read(sitemaps: Sitemaps) -> None:
    read_homepage(sitemaps, f"{SITE}/")
    import_pages(sitemaps, "/")
    assert sitemaps.scene.endings(RANKING) == {"Completed homepage-read": 1}
    assert queued(sitemaps) == set()


def test_a_homepage_that_nobody_has_read_is_visited(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, "/", *PATHS)
    assert queued(sitemaps) == {"/", *PATHS}


def see_contact_on(sitemaps: Sitemaps, path: str) -> None:
    sitemaps.scene.execute(
        "WITH contact AS (INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value)"
        "                 SELECT tenant_id, id, 'domain:' || id, 'email', 'info@site.example' FROM domains RETURNING *)"
        " INSERT INTO sightings (tenant_id, contact_id, page_id, url, method)"
        " SELECT contact.tenant_id, contact.id, pages.id, pages.url, 'text' FROM contact, pages WHERE pages.url = %s",
        SITE + path,
    )


def test_a_vanished_page_with_contacts_is_visited_once_more(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS)
    see_contact_on(sitemaps, "/team")
    visited(sitemaps, days_ago=5, lastmod=NOW - timedelta(days=50))
    import_pages(sitemaps, "/contact")
    assert sitemaps.paths("decision_reason = 'vanished'") == {"/about-us", "/team"}
    assert queued(sitemaps) == {"/team"}
    sitemaps.scene.execute(
        "UPDATE work SET status = 'Error', reason = 'timeout', finished_at = now() WHERE stage = %s", VISIT
    )
    import_pages(sitemaps, "/contact")
    assert queued(sitemaps) == set()


def test_in_curated_mode_the_chosen_pages_wait_for_a_person(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS, "/shop/chairs/chair-1", auto=False)
    assert queued(sitemaps) == set()
    assert sitemaps.scene.endings(RANKING) == {"Completed": 1}


def test_a_curated_search_shows_the_chosen_pages_and_the_new_contacts_as_waiting(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS, "/shop/chairs/chair-1", auto=False)
    see_contact_on(sitemaps, "/team")
    scene = sitemaps.scene
    search = scene.search(auto=False)
    scene.execute(
        "WITH place AS (INSERT INTO places (tenant_id, provider, provider_place_id)"
        "               SELECT tenant_id, 'list', 'x' FROM domains RETURNING *),"
        " found AS (INSERT INTO search_places (tenant_id, search_id, place_id) SELECT tenant_id, %s, id FROM place),"
        " business AS (INSERT INTO local_businesses (tenant_id, place_id) SELECT tenant_id, id FROM place RETURNING *)"
        " INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id)"
        " SELECT business.tenant_id, business.id, domains.id FROM business, domains",
        search,
    )
    waiting = searches.one(search).progress.waiting
    assert (waiting[VISIT], waiting["contact_validation"]) == (len(PATHS), 1)
    chair = scene.one("SELECT id FROM pages WHERE decision_reason <> 'chosen'")["id"]
    curate(stage_named(VISIT), [chair], "Selected")
    assert searches.one(search).progress.counts[VISIT]["Queued"] == 1


def scans(plan: dict[str, Any]) -> set[tuple[str, str]]:
    """Give node type and table of every scan in a plan."""
    own = {(plan["Node Type"], plan["Relation Name"])} if "Relation Name" in plan else set()
    return own.union(*map(scans, plan.get("Plans", ())))


def test_choosing_reads_no_table_whole(sitemaps: Sitemaps) -> None:
    import_pages(sitemaps, *PATHS)
    see_contact_on(sitemaps, "/team")
    scene = sitemaps.scene
    other = sitemaps.domain("other.example")
    for sql in (
        "INSERT INTO pages (tenant_id, domain_id, url, host, score, decision_reason)"
        " SELECT tenant_id, domain_id, 'http://site.example/' || number, host, 0.2, 'over-budget'"
        " FROM sitemap_files, generate_series(1, 20000) number",
        "INSERT INTO work (tenant_id, stage, entity_id, status) SELECT tenant_id, 'page_curation', id, 'Completed'"
        " FROM pages ON CONFLICT DO NOTHING",
        "INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value)"
        " SELECT tenant_id, id, 'domain:' || id, 'email', number || '@other.example'"
        f" FROM domains, generate_series(1, 20000) number WHERE id = {other}",
        "ANALYZE pages, work, contacts, sightings",
    ):
        scene.execute(sql)
    values: dict[str, Any] = {"id": 0, "token": 0, "worker": settings.settings().default_tenant_id, "most": 25}
    values |= {"domain": sitemaps.domain("site.example"), "homepages": [f"{SITE}/"], "old": timedelta(days=15)}
    with statement() as connection:
        ((plans,),) = connection.execute(b"EXPLAIN (FORMAT JSON) " + page_choice.CHOOSE, values).fetchall()
    whole = {table for kind, table in scans(plans[0]["Plan"]) if kind == "Seq Scan"}
    assert whole & {"pages", "work", "contacts"} == set()

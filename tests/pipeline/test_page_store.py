"""The page store: whole chunks behind the fence, one row a page, and nothing lost when two store at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from errors import LateFinish
from pipeline import page_store
from pipeline.database import statement
from pipeline.lease import Lease
from pipeline.page_store import FoundPage, Run
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

URL = "https://site.example"


@pytest.fixture
def domain(stagehand: Stagehand) -> Iterator[int]:
    sql = "INSERT INTO domains (tenant_id, name) VALUES (%s, 'site.example') RETURNING id"
    yield int(stagehand.rows(sql, settings().default_tenant_id)[0]["id"])
    stagehand.execute("DELETE FROM domains")


def page(path: str, score: float = 0.5, lastmod: datetime | None = None, kind: str = "other") -> FoundPage:
    return FoundPage(URL + path, kind, score, path.count("/"), lastmod)


def begin(stagehand: Stagehand, worker: Lease, domain: int, name: str = "sitemap.xml") -> Run:
    """Begin to read a sitemap of the domain, new or known, under work that is ours."""
    sitemap = stagehand.rows(
        "INSERT INTO sitemap_files (tenant_id, domain_id, url, host) VALUES (%s, %s, %s, 'site.example')"
        " ON CONFLICT (domain_id, url) DO UPDATE SET updated_at = now() RETURNING id",
        settings().default_tenant_id,
        domain,
        f"{URL}/{name}",
    )[0]["id"]
    turn = stagehand.hold(f"reads {name} {uuid4()}")
    return page_store.begin(turn, sitemap, domain)


def urls(stagehand: Stagehand, where: str = "true") -> set[str]:
    return {row["url"].removeprefix(URL) for row in stagehand.rows(f"SELECT url FROM pages WHERE {where}")}


def test_pages_are_stored_once_and_counted_once(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    run = begin(stagehand, worker, domain)
    assert page_store.store(run, [page("/"), page("/a"), page("/a")]) == 2
    assert page_store.store(run, [page("/a"), page("/b")]) == 1
    assert urls(stagehand) == {"/", "/a", "/b"}


def test_any_address_and_date_comes_back_as_it_was(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    when = datetime(2024, 5, 17, 8, 30, 1, 250_000, tzinfo=UTC)
    odd = ["/a,b", "/{x}", "/null", "/it's", "/%22quoted%22", "/a?b=c&d={e}", "/ü"]
    page_store.store(begin(stagehand, worker, domain), [page(path, lastmod=when) for path in odd])
    assert urls(stagehand) == set(odd)
    assert stagehand.rows("SELECT DISTINCT lastmod FROM pages")[0]["lastmod"] == when


def test_a_chunk_of_work_that_is_not_ours_is_not_stored(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    run = begin(stagehand, worker, domain)
    page_store.store(run, [page("/first")])
    stagehand.execute("UPDATE work SET token = token + 1")
    with pytest.raises(LateFinish):
        page_store.store(run, [page("/second")])
    assert urls(stagehand) == {"/first"}


def test_what_is_known_is_not_written_again(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    page_store.store(begin(stagehand, worker, domain), [page("/a"), page("/b")])
    stagehand.execute("UPDATE pages SET updated_at = '2000-01-01'")
    page_store.store(begin(stagehand, worker, domain), [page("/a"), page("/b", score=0.6)])
    assert urls(stagehand, "updated_at = '2000-01-01'") == {"/a"}


def test_the_latest_date_and_the_first_sitemap_stay_in_any_order(
    stagehand: Stagehand, worker: Lease, domain: int
) -> None:
    early, late = datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    one, two = begin(stagehand, worker, domain, "1.xml"), begin(stagehand, worker, domain, "2.xml")
    page_store.store(two, [page("/a", lastmod=late), page("/b", lastmod=early), page("/c")])
    page_store.store(one, [page("/a", lastmod=early), page("/b", lastmod=late), page("/c", lastmod=early)])
    rows = stagehand.rows("SELECT sitemap_file_id, lastmod FROM pages ORDER BY url")
    assert [(row["sitemap_file_id"], row["lastmod"]) for row in rows] == [
        (one.sitemap_id, late),
        (one.sitemap_id, late),
        (one.sitemap_id, early),
    ]


def test_two_that_store_the_same_pages_at_once_both_list_them(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    runs = [begin(stagehand, worker, domain, f"{at}.xml") for at in range(4)]
    pages = [page(f"/{number}") for number in range(500)]
    together(lambda at: page_store.store(runs[at], pages if at % 2 else pages[::-1]), 4)
    assert len(urls(stagehand)) == 500
    listed = stagehand.rows("SELECT sitemap_file_id, count(*) AS many FROM sitemap_pages GROUP BY 1")
    assert [row["many"] for row in listed] == [500] * 4


def test_a_page_vanishes_when_no_sitemap_lists_it(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    page_store.store(begin(stagehand, worker, domain, "1.xml"), [page("/both"), page("/one")])
    two = begin(stagehand, worker, domain, "2.xml")
    page_store.store(two, [page("/both")])
    again = begin(stagehand, worker, domain, "1.xml")
    page_store.store(again, [page("/new")])
    assert page_store.unlist(again) == 2
    assert urls(stagehand, "vanished_at IS NOT NULL") == {"/one"}
    assert urls(stagehand, f"sitemap_file_id = {two.sitemap_id}") == {"/both"}
    back = begin(stagehand, worker, domain, "1.xml")
    page_store.store(back, [page("/one")])
    assert urls(stagehand, "vanished_at IS NOT NULL") == set()


def test_one_lists_a_page_while_the_other_forgets_it(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    pages = [page(f"/{number}") for number in range(200)]
    for turn in range(5):
        page_store.store(begin(stagehand, worker, domain, "1.xml"), pages)
        forgets = begin(stagehand, worker, domain, "1.xml")
        lists = begin(stagehand, worker, domain, f"2-{turn}.xml")
        together(lambda at, f=forgets, x=lists: page_store.store(x, pages) if at else page_store.unlist(f))  # type: ignore[misc]
        assert urls(stagehand, "vanished_at IS NOT NULL") == set()
        stagehand.execute("DELETE FROM pages")


def test_what_lists_a_deleted_page_or_sitemap_goes_along(stagehand: Stagehand, worker: Lease, domain: int) -> None:
    run = begin(stagehand, worker, domain)
    page_store.store(run, [page("/a"), page("/b")])
    stagehand.execute("DELETE FROM pages WHERE url = %s", f"{URL}/a")
    assert stagehand.rows("SELECT count(*) AS many FROM sitemap_pages")[0]["many"] == 1
    stagehand.execute("DELETE FROM sitemap_files")
    with statement() as connection:
        assert connection.execute(b"SELECT count(*) FROM sitemap_pages").fetchone() == (0,)
    assert urls(stagehand, "sitemap_file_id IS NULL") == {"/b"}

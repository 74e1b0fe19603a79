"""Lists of sitemaps: each address is stored once, below its own domain, and started once."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from models import Domain, SitemapFile
from pipeline import batches, curation, stage
from pipeline.import_sitemaps import SITEMAPS
from pipeline.imports import Imported, import_list
from pipeline.stage import Done, Stage, stage_named
from tests.pipeline.doors import add_domain, declared, empty_tables, insert
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

LONGEST = "https://long.example/" + "x" * (2048 - len("https://long.example/"))


@pytest.fixture
def hand(stagehand: Stagehand) -> Iterator[Stagehand]:
    empty_tables()
    with declared(domain_metadata=Domain):
        stage._registry["sitemap_import"] = Stage(
            "sitemap_import", SitemapFile, work=lambda entity, turn: Done(), lane="host"
        )
        yield stagehand
    empty_tables()


def bring(text: str, *, auto: bool = True, dry_run: bool = False, **chosen: str) -> Imported:
    return import_list(SITEMAPS, io.BytesIO(text.encode()), name="list.csv", chosen=chosen, auto=auto, dry_run=dry_run)


def items(hand: Stagehand, imported: Imported) -> list[tuple[int, str, str | None]]:
    rows = hand.rows("SELECT * FROM batch_items WHERE batch_id = %s ORDER BY row_number", imported.batch_id)
    return [(row["row_number"], row["result"], row["reason"]) for row in rows]


def test_sitemaps_are_stored_below_their_domains_and_rung(hand: Stagehand) -> None:
    anna = add_domain("anna.example")
    imported = bring("HTTPS://Anna.Example:443/a.xml#top\nhttp://shop.bob.co.uk/b.xml\nhttp://bob.co.uk/c.xml\n")
    assert (imported.of("added"), imported.queued) == (3, 3)
    rows = hand.rows(
        "SELECT url, host, method, kind, depth, domain_id, domains.name FROM sitemap_files"
        " JOIN domains ON domains.id = domain_id ORDER BY url DESC"
    )
    assert [(row["url"], row["host"], row["name"]) for row in rows] == [
        ("https://anna.example/a.xml", "anna.example", "anna.example"),
        ("http://shop.bob.co.uk/b.xml", "bob.co.uk", "bob.co.uk"),
        ("http://bob.co.uk/c.xml", "bob.co.uk", "bob.co.uk"),
    ]
    assert {(row["method"], row["kind"], row["depth"]) for row in rows} == {("manual", "standard", 0)}
    assert (rows[0]["domain_id"], len(hand.rows("SELECT id FROM domains"))) == (anna, 2)
    work = hand.rows("SELECT * FROM work ORDER BY lane")
    assert [(row["stage"], row["lane"], row["auto"]) for row in work] == [
        ("sitemap_import", "anna.example", True),
        ("sitemap_import", "bob.co.uk", True),
        ("sitemap_import", "bob.co.uk", True),
    ]
    assert {ring.stage for ring in hand.bells.take()} == {"sitemap_import"}
    assert hand.rows("SELECT kind FROM batches") == [{"kind": "sitemap_file"}]


def test_the_same_address_again_is_a_duplicate_and_starts_nothing(hand: Stagehand) -> None:
    bring("https://anna.example/a.xml\n")
    hand.bells.take()
    before = hand.rows("SELECT * FROM sitemap_files"), hand.rows("SELECT * FROM work")
    again = bring("https://ANNA.example/a.xml\nhttps://anna.example/b.xml\nhttps://anna.example/x/../b.xml\n")
    assert items(hand, again) == [(1, "duplicate", "known-already"), (2, "added", None), (3, "duplicate", "repeated")]
    assert again.queued == 1
    kept = "url = 'https://anna.example/a.xml'"
    assert hand.rows(f"SELECT * FROM sitemap_files WHERE {kept}") == before[0]
    assert hand.rows(f"SELECT * FROM work WHERE entity_id = (SELECT id FROM sitemap_files WHERE {kept})") == before[1]


def test_a_file_that_another_site_announced_is_still_new_for_its_own(hand: Stagehand) -> None:
    url = "https://cdn.example/s.xml"
    add_domain("cdn.example")
    other = insert("sitemap_files", domain_id=add_domain("anna.example"), url=url, host="cdn.example")
    assert bring(f"{url}\n", dry_run=True).of("added") == 1
    imported = bring(f"{url}\n")
    assert items(hand, imported) == [(1, "added", None)]
    (item,) = hand.rows("SELECT entity_id FROM batch_items")
    assert item["entity_id"] != other


def test_rejected_rows_keep_their_line_and_reason_and_leave_no_domain(hand: Stagehand) -> None:
    faults = {
        "anna.example/sitemap.xml": "bad-url",
        "ftp://anna.example/s.xml": "bad-url",
        "http://": "bad-url",
        f"{LONGEST}x": "bad-url",
        "http://localhost/s.xml": "bad-website",
        "http://192.168.0.1/s.xml": "bad-website",
        "http://[::1]/s.xml": "bad-website",
        "https://co.uk/s.xml": "bad-website",
        "https://www.facebook.com/sitemap.xml": "shared-host",
        "https://www.google.com/url?q=https://anna.example/": "shared-host",
    }
    imported = bring("\n".join(["sitemap", *faults]))
    assert items(hand, imported) == [(nth, "rejected", word) for nth, word in enumerate(faults.values(), start=2)]
    assert (hand.rows("SELECT 1 FROM domains"), hand.rows("SELECT 1 FROM sitemap_files")) == ([], [])


def test_the_longest_address_is_stored_whole(hand: Stagehand) -> None:
    assert bring(f"{LONGEST}\n").of("added") == 1
    assert hand.rows("SELECT url FROM sitemap_files") == [{"url": LONGEST}]


def test_the_column_is_found_by_header_choice_or_content(hand: Stagehand) -> None:
    assert bring("name,Sitemap URL\nAnna,https://anna.example/a.xml\n").of("added") == 1
    assert bring("name,where\nAnna,https://anna.example/b.xml\n", url="where").of("added") == 1
    assert bring("Anna,https://anna.example/c.xml\n").of("added") == 1


def test_curated_sitemaps_wait_for_a_person(hand: Stagehand) -> None:
    imported = bring("https://anna.example/a.xml\nhttps://bob.example/b.xml\n", auto=False)
    assert (imported.queued, hand.rows("SELECT * FROM work"), hand.bells.take()) == (0, [], [])
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("ManualReview", {"sitemap_import": 2})
    ids = [row["id"] for row in hand.rows("SELECT id FROM sitemap_files ORDER BY id")]
    curation.curate(stage_named("sitemap_import"), ids[:1], "Selected")
    curation.curate(stage_named("sitemap_import"), ids[1:], "Not a Fit")
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("Queued", {})


def test_a_dry_run_says_the_same_and_writes_nothing(hand: Stagehand) -> None:
    bring("https://anna.example/a.xml\n")
    text = "https://anna.example/a.xml\nhttps://bob.example/b.xml\nhttps://bob.example/b.xml\nnowhere\n"
    tables = "batches", "batch_items", "domains", "sitemap_files", "work"
    before = [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables]
    judged = bring(text, dry_run=True)
    assert [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables] == before
    assert bring(text).counts == judged.counts


def test_the_same_list_brought_by_several_at_once_is_stored_once(hand: Stagehand) -> None:
    text = "".join(f"https://site-{nth % 50}.example/{nth}.xml\n" for nth in range(200))
    done = together(lambda _: bring(text), times=3)
    assert sum(imported.of("added") for imported in done) == 200
    counts = [hand.rows(f"SELECT count(*)::int AS n FROM {table}") for table in ("sitemap_files", "work", "domains")]
    assert counts == [[{"n": 200}], [{"n": 200}], [{"n": 50}]]

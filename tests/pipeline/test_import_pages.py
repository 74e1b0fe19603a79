"""Lists of pages: each address is stored once, below its own domain, judged, and started once."""

from __future__ import annotations

import io
from collections.abc import Iterator
from uuid import uuid4

import pytest

from models import Domain, Page
from pipeline import batches, curation, stage
from pipeline.import_pages import PAGES
from pipeline.imports import Imported, import_list
from pipeline.owner import Owner
from pipeline.stage import Done, Stage, stage_named
from tests.pipeline.doors import add_domain, declared, empty_tables
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together


@pytest.fixture
def hand(stagehand: Stagehand) -> Iterator[Stagehand]:
    empty_tables()
    stagehand.execute("DELETE FROM pages")
    with declared(domain_metadata=Domain):
        stage._registry["page_curation"] = Stage("page_curation", Page, work=lambda entity, turn: Done(), lane="host")
        yield stagehand
    empty_tables()


def bring(text: str, *, auto: bool = True, dry_run: bool = False, owner: Owner | None = None) -> Imported:
    stream = io.BytesIO(text.encode())
    return import_list(PAGES, stream, name="list.csv", chosen={}, auto=auto, dry_run=dry_run, owner=owner)


def items(hand: Stagehand, imported: Imported) -> list[tuple[int, str, str | None]]:
    rows = hand.rows("SELECT * FROM batch_items WHERE batch_id = %s ORDER BY row_number", imported.batch_id)
    return [(row["row_number"], row["result"], row["reason"]) for row in rows]


def test_pages_are_stored_below_their_domains_judged_and_rung(hand: Stagehand) -> None:
    anna = add_domain("anna.example")
    imported = bring("page\nhttps://www.anna.example/contact?utm_source=x#top\nhttp://shop.bob.co.uk/blog/2024/05/a\n")
    assert (imported.of("added"), imported.queued) == (2, 2)
    rows = hand.rows(
        "SELECT url, host, kind, score, depth, domain_id, sitemap_file_id, decision_reason FROM pages ORDER BY id"
    )
    assert [(row["url"], row["host"], row["kind"]) for row in rows] == [
        ("https://www.anna.example/contact", "anna.example", "contact"),
        ("http://shop.bob.co.uk/blog/2024/05/a", "bob.co.uk", rows[1]["kind"]),
    ]
    assert rows[0]["score"] > rows[1]["score"]
    assert {(row["sitemap_file_id"], row["decision_reason"]) for row in rows} == {(None, "brought")}
    assert rows[0]["domain_id"] == anna
    work = hand.rows("SELECT stage, lane, auto FROM work ORDER BY lane")
    assert [(row["stage"], row["lane"], row["auto"]) for row in work] == [
        ("page_curation", "anna.example", True),
        ("page_curation", "bob.co.uk", True),
    ]
    assert {ring.stage for ring in hand.bells.take()} == {"page_curation"}
    assert batches.one(imported.batch_id or 0).status == "Queued"


def test_the_same_address_again_is_a_duplicate_and_starts_nothing(hand: Stagehand) -> None:
    bring("https://anna.example/a\n")
    before = hand.rows("SELECT * FROM pages"), hand.rows("SELECT * FROM work")
    again = bring("https://ANNA.example/a#x\nhttps://anna.example/b\nhttps://anna.example/x/../b\n")
    assert items(hand, again) == [(1, "duplicate", "known-already"), (2, "added", None), (3, "duplicate", "repeated")]
    assert again.queued == 1
    assert hand.rows("SELECT * FROM pages WHERE url = 'https://anna.example/a'") == before[0]
    assert hand.rows("SELECT * FROM work ORDER BY id LIMIT 1") == before[1]


def test_rejected_rows_keep_their_reason_and_leave_no_domain(hand: Stagehand) -> None:
    faults = {
        "anna.example/contact": "bad-url",
        "ftp://anna.example/": "bad-url",
        "http://192.168.0.1/contact": "bad-website",
        "https://www.facebook.com/anna": "shared-host",
        f"https://long.example/{'x' * 2048}": "bad-url",
    }
    imported = bring("\n".join(["page url", *faults]))
    assert items(hand, imported) == [(nth, "rejected", word) for nth, word in enumerate(faults.values(), start=2)]
    assert (hand.rows("SELECT 1 FROM domains"), hand.rows("SELECT 1 FROM pages")) == ([], [])


def test_curated_pages_wait_for_a_person(hand: Stagehand) -> None:
    imported = bring("https://anna.example/a\nhttps://anna.example/b\n", auto=False)
    found = batches.one(imported.batch_id or 0)
    assert (imported.queued, found.status, found.progress.waiting) == (0, "ManualReview", {"page_curation": 2})
    ids = [row["id"] for row in hand.rows("SELECT id FROM pages ORDER BY id")]
    curation.curate(stage_named("page_curation"), ids[:1], "Selected")
    curation.curate(stage_named("page_curation"), ids[1:], "Not a Fit")
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("Queued", {})


def test_a_dry_run_says_the_same_and_writes_nothing(hand: Stagehand) -> None:
    bring("https://anna.example/a\n")
    text = "https://anna.example/a\nhttps://bob.example/b\nhttps://bob.example/b\nnowhere\n"
    tables = "batches", "batch_items", "domains", "pages", "work"
    before = [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables]
    judged = bring(text, dry_run=True)
    assert [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables] == before
    assert bring(text).counts == judged.counts


def test_two_tenants_bring_the_same_page_and_each_has_its_own(hand: Stagehand) -> None:
    other = uuid4()
    hand.execute("INSERT INTO tenants (id, name) VALUES (%s, 'other')", other)
    mine, theirs = bring("https://anna.example/a\n"), bring("https://anna.example/a\n", owner=Owner(other))
    assert (mine.of("added"), theirs.of("added")) == (1, 1)
    owners = hand.rows("SELECT DISTINCT tenant_id FROM pages")
    assert len(owners) == len(hand.rows("SELECT DISTINCT tenant_id FROM work")) == 2


def test_the_same_list_brought_by_several_at_once_is_stored_once(hand: Stagehand) -> None:
    text = "".join(f"https://site-{nth % 20}.example/{nth}\n" for nth in range(100))
    done = together(lambda _: bring(text), times=3)
    assert sum(imported.of("added") for imported in done) == 100
    counts = [hand.rows(f"SELECT count(*)::int AS n FROM {table}") for table in ("pages", "work", "domains")]
    assert counts == [[{"n": 100}], [{"n": 100}], [{"n": 20}]]

"""Imports: every row of a list ends added, duplicate or rejected, and nothing is stored or started twice."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from errors import BadInput
from pipeline import batches, curation, imports
from pipeline.import_kinds import BUSINESSES, DOMAINS, Kind
from pipeline.imports import Imported, import_list
from pipeline.stage import stage_named
from tests.pipeline.doors import add_work, declare_domains, declared, empty_tables
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

TWO = """Name,Website,Phone,Street,City,State,Zip,Country
Anna's Dental,https://www.anna.example/,(512) 477-0100,1 Main St,Austin,TX,78701,US
Bob and Sons,bob.example,,,Dallas,TX,,USA
"""
SITES = "domain\nanna.example\nhttps://www.bob.example/contact?x=1\n"


@pytest.fixture
def hand(stagehand: Stagehand) -> Iterator[Stagehand]:
    empty_tables()
    with declared():
        yield stagehand
    empty_tables()


def bring(text: str, kind: Kind = BUSINESSES, *, auto: bool = True, dry_run: bool = False, **chosen: str) -> Imported:
    return import_list(kind, io.BytesIO(text.encode()), name="list.csv", chosen=chosen, auto=auto, dry_run=dry_run)


def bring_domains(text: str, **options: Any) -> Imported:
    return bring(text, DOMAINS, **options)


def counts(imported: Imported) -> tuple[int, int, int]:
    return imported.of("added"), imported.of("duplicate"), imported.of("rejected")


def items(hand: Stagehand, batch_id: int | None) -> list[tuple[int, str, str | None]]:
    rows = hand.rows("SELECT * FROM batch_items WHERE batch_id = %s ORDER BY row_number", batch_id)
    return [(row["row_number"], row["result"], row["reason"]) for row in rows]


def test_businesses_become_places_and_businesses_whose_work_is_rung(hand: Stagehand) -> None:
    imported = bring(TWO)
    assert (counts(imported), imported.queued) == ((2, 0, 0), 2)
    anna, bob = hand.rows("SELECT * FROM local_businesses ORDER BY id")
    assert [anna[name] for name in ("name", "website", "phone", "street", "city", "country_code")] == [
        "Anna's Dental", "https://www.anna.example/", "+15124770100", "1 Main St", "Austin", "US"
    ]  # fmt: skip
    assert (bob["formatted_address"], bob["country_code"], bob["phone"]) == ("Dallas, TX", "US", None)
    assert (anna["expires_at"], anna["field_sources"]["phone"]) == (None, {"source": "list", "expires_at": None})
    assert "phone" not in bob["field_sources"]
    places = hand.rows("SELECT * FROM places ORDER BY id")
    assert [(row["provider"], row["name"]) for row in places] == [("list", "Anna's Dental"), ("list", "Bob and Sons")]
    assert places[0]["raw"]["phone"] == "(512) 477-0100"
    work = hand.rows("SELECT * FROM work ORDER BY id")
    assert [(row["stage"], row["entity_id"], row["auto"]) for row in work] == [
        ("domain_extraction", anna["id"], True), ("domain_extraction", bob["id"], True)
    ]  # fmt: skip
    assert [ring.work_id for ring in hand.bells.take()] == [row["id"] for row in work]
    assert items(hand, imported.batch_id) == [(2, "added", None), (3, "added", None)]


def test_the_same_list_again_adds_nothing_and_starts_nothing(hand: Stagehand) -> None:
    bring(TWO)
    hand.bells.take()
    before = hand.rows("SELECT * FROM work ORDER BY id"), hand.rows("SELECT * FROM local_businesses ORDER BY id")
    again = bring(TWO.replace("https://www.anna.example/", "http://anna.example"))
    assert (counts(again), again.queued) == ((0, 2, 0), 0)
    assert again.counts == {("duplicate", "known-already"): 2}
    assert hand.bells.take() == []
    assert (
        hand.rows("SELECT * FROM work ORDER BY id"),
        hand.rows("SELECT * FROM local_businesses ORDER BY id"),
    ) == before
    rows = hand.rows("SELECT entity_id, stage FROM batch_items WHERE batch_id = %s", again.batch_id)
    assert {row["entity_id"] for row in rows} == {row["id"] for row in before[1]}


def test_a_row_that_stands_twice_in_a_list_is_stored_once_and_told_apart_from_one_known_before(
    hand: Stagehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "ROWS_AT_A_TIME", 2)
    bring_domains("known.example\n")
    imported = bring_domains("a.example\nA.example\nknown.example\nb.example\nwww.a.example\n")
    assert items(hand, imported.batch_id) == [
        (1, "added", None),
        (2, "duplicate", "repeated"),
        (3, "duplicate", "known-already"),
        (4, "added", None),
        (5, "duplicate", "repeated"),
    ]
    assert [row["name"] for row in hand.rows("SELECT name FROM domains ORDER BY name")] == [
        "a.example", "b.example", "known.example"
    ]  # fmt: skip


def test_rejected_rows_keep_their_line_reason_and_text(hand: Stagehand) -> None:
    imported = bring_domains("domain,note\n\nanna.example,ok\n192.168.0.1,inside\nfacebook.com/anna,page\n,none\n")
    assert items(hand, imported.batch_id) == [
        (3, "added", None),
        (4, "rejected", "bad-website"),
        (5, "rejected", "shared-host"),
        (6, "rejected", "no-website"),
    ]
    found = batches.rejected(imported.batch_id or 0, 2)
    assert [(row["row_number"], row["raw"]) for row in found] == [
        (4, "192.168.0.1,inside"),
        (5, "facebook.com/anna,page"),
    ]
    assert [item.row.line for item in imported.rejected] == [4, 5, 6]


def test_a_business_without_name_and_website_or_with_too_long_a_row_is_rejected(hand: Stagehand) -> None:
    imported = bring(f"name,city\n,Austin\n{'x' * 70_000},Austin\nAnna,Austin\n")
    assert items(hand, imported.batch_id) == [
        (2, "rejected", "no-name-or-website"), (3, "rejected", "row-too-long"), (4, "added", None)
    ]  # fmt: skip
    assert max(row["n"] for row in hand.rows("SELECT length(raw) AS n FROM batch_items")) == imports.LONGEST_RAW


@pytest.mark.parametrize("kind", [BUSINESSES, DOMAINS])
def test_a_dry_run_says_the_same_and_writes_nothing(hand: Stagehand, kind: Kind) -> None:
    bring("name,website\nAnna,anna.example\n", kind)
    hand.bells.take()
    text = "name,website\nAnna,anna.example\nBob,bob.example\nBob,bob.example\n,\nCarl,10.0.0.1\n"
    tables = "batches", "batch_items", "places", "local_businesses", "domains", "work"
    before = [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables]
    judged = bring(text, kind, dry_run=True)
    assert [hand.rows(f"SELECT * FROM {table} ORDER BY id") for table in tables] == before
    assert (judged.batch_id, hand.bells.take()) == (None, [])
    assert bring(text, kind).counts == judged.counts


def test_curated_rows_wait_for_a_person(hand: Stagehand) -> None:
    imported = bring(TWO, auto=False)
    assert (imported.queued, hand.rows("SELECT * FROM work"), hand.bells.take()) == (0, [], [])
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("ManualReview", {"domain_extraction": 2})
    ids = [row["id"] for row in hand.rows("SELECT id FROM local_businesses ORDER BY id")]
    curation.curate(stage_named("domain_extraction"), ids[:1], "Selected")
    curation.curate(stage_named("domain_extraction"), ids[1:], "Not a Fit")
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("Queued", {})


def test_domains_wait_until_a_stage_goes_on_with_them(hand: Stagehand) -> None:
    imported = bring_domains(SITES)
    assert (imported.queued, imported.of("added")) == (0, 2)
    found = batches.one(imported.batch_id or 0)
    assert (found.status, found.progress.waiting) == ("Completed", {"domain_metadata": 2})
    with declare_domains():
        assert bring_domains("carl.example\n").queued == 1
    assert [row["stage"] for row in hand.rows("SELECT stage FROM work")] == ["domain_metadata"]


def test_progress_is_that_of_the_items_and_what_descends_from_them(hand: Stagehand) -> None:
    one = bring(TWO).batch_id or 0
    two = bring("name,website\nCarl,carl.example\n").batch_id or 0
    works = [row["id"] for row in hand.rows("SELECT id FROM work ORDER BY id")]
    hand.execute("UPDATE work SET status = 'Completed' WHERE id = %s", works[0])
    hand.execute("UPDATE work SET status = 'Filtered', reason = 'no-website' WHERE id = %s", works[1])
    add_work("domain_metadata", 1, "Completed", parent=works[0])
    found = batches.one(one)
    told = {stage: {k: v for k, v in own.items() if v} for stage, own in found.progress.counts.items()}
    assert told == {"domain_extraction": {"Completed": 1, "Filtered": 1}, "domain_metadata": {"Completed": 1}}
    assert (found.status, found.counts) == ("Completed", {"added": 2, "duplicate": 0, "rejected": 0})
    assert [(row["reason"], row["many"], row["name"]) for row in batches.reasons_given(one)] == [
        ("no-website", 1, "Bob and Sons")
    ]
    assert (batches.one(two).status, batches.still_open(one)) == ("Queued", [])
    assert [batch.row["id"] for batch in batches.newest(5)] == [two, one]


@pytest.mark.parametrize(
    ("text", "chosen", "sentence"),
    [
        ("", {}, "'list.csv' holds no rows"),
        ("name,website\n", {}, "'list.csv' holds no rows"),
        ("city,phone\nAustin,1\n", {}, "no column for name or website: say which it is, as in name=HEADER"),
        ("name\nAnna\n", {"shoe": "name"}, "A list of businesses has no 'shoe'"),
        ("name\nAnna\n", {"name": "Trading as"}, "no column 'Trading as': its columns are name."),
    ],
)
def test_lists_that_cannot_be_read_are_refused_and_leave_nothing(
    hand: Stagehand, text: str, chosen: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as refused:
        bring(text, **chosen)
    assert sentence in str(refused.value)
    assert hand.rows("SELECT 1 FROM batches") == []


def test_hostile_cells_are_stored_as_the_text_they_are(hand: Stagehand) -> None:
    nasty = '=HYPERLINK("x")\'; DROP TABLE domains; --\x00\x1b[31m\ud800'.encode("utf-8", "surrogatepass")
    stream = io.BytesIO(b"name\tcity\n" + nasty + b"\tAustin\n")
    imported = import_list(BUSINESSES, stream, name="a\x00b.csv", chosen={}, auto=True)
    assert imported.of("added") == 1
    (row,) = hand.rows("SELECT name FROM local_businesses")
    assert row["name"].startswith('=HYPERLINK("x")\'; DROP TABLE domains; --')
    assert "\x1b" not in row["name"]
    assert hand.rows("SELECT name FROM batches") == [{"name": "ab.csv"}]


def test_a_list_that_broke_off_is_simply_brought_again(hand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    class Breaks(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 2000:
                raise OSError("the disk is gone")
            return super().read(300)

    monkeypatch.setattr(imports, "ROWS_AT_A_TIME", 10)
    text = "".join(f"site-{nth}.example\n" for nth in range(200)).encode()
    with pytest.raises(OSError, match="the disk is gone"):
        import_list(DOMAINS, Breaks(text), name="list.csv", chosen={}, auto=True)
    (stored,) = hand.rows("SELECT count(*)::int AS n FROM domains")
    assert 0 < stored["n"] < 200
    assert counts(bring_domains(text.decode())) == (200 - stored["n"], stored["n"], 0)


def test_the_same_list_brought_by_several_at_once_is_stored_once(hand: Stagehand) -> None:
    text = "name,website\n" + "".join(f"B{nth},site-{nth}.example\n" for nth in range(200))
    done = together(lambda _: bring(text), times=3)
    assert sum(imported.of("added") for imported in done) == 200
    assert sum(imported.of("duplicate") for imported in done) == 400
    assert hand.rows("SELECT count(*)::int AS n FROM local_businesses") == [{"n": 200}]
    assert hand.rows("SELECT count(*)::int AS n FROM work") == [{"n": 200}]


def test_a_longer_list_needs_no_more_memory(hand: Stagehand) -> None:
    bring("".join(f"Warm {nth},warm.example\n" for nth in range(600)))
    few, many = _peak_of(1000), _peak_of(4000)
    assert many < few * 1.3
    assert hand.rows("SELECT count(*)::int AS n FROM batch_items") == [{"n": 5600}]


def _peak_of(rows: int) -> int:
    stream = io.BytesIO("".join(f"Business {nth} of {rows},b.example\n" for nth in range(rows)).encode())
    tracemalloc.start()
    assert import_list(BUSINESSES, stream, name="list.csv", chosen={}, auto=True).of("added") == rows
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak

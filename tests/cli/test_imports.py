"""`scrapersky import businesses | domains | sitemaps | list | show`, on the product's own stages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from embedded import Servers
from errors import BadInput
from tests.cli.conftest import NASTY
from tests.cli.terminal import assert_one_sentence, run_here, scrapersky
from tests.cli.test_search import scene
from tests.stages.scene import Scene

__all__ = ["scene"]

Write = Callable[..., str]

BUSINESSES = """Company;Web;Telefon;Ort;Land;Shoe size
Anna's Dental;https://www.anna.example/;0221 4704000;Köln;de;43
Bob and Sons;https://facebook.com/bob.and.sons;;Köln;de;44
Carl;;;Köln;de;45
;;0221 1;Köln;de;46
anna's dental;anna.example;02214704000;Köln;de;43
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and give its name."""

    def write(text: str, name: str = "list.csv", encoding: str = "utf-8") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return str(path)

    return write


def shown(batch_id: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run_here("import", "show", str(batch_id), "--json"))
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_businesses_run_from_the_file_to_domains(scene: Scene, write: Write, encoding: str) -> None:
    said = run_here("import", "businesses", write(BUSINESSES, encoding=encoding))
    assert "Import 1: 3 added, 1 known or repeated, 1 rejected." in said
    assert "\n1 duplicate: repeated\n" in said
    assert re.search(r"5\s+no-name-or-website\s+;;0221 1;Köln;de;46", said)
    assert "Not used: the columns Shoe size." in said
    assert "3 queued at domain_extraction: see `scrapersky import show 1`." in said
    assert shown()["status"] == "Queued"
    scene.play()
    assert [row["name"] for row in scene.rows("SELECT name FROM domains")] == ["anna.example"]
    found = shown()
    assert (found["status"], found["added"], found["duplicate"], found["rejected"]) == ("InProgress", 3, 1, 1)
    counts = found["stages"]["domain_extraction"]
    assert (counts["discovered"], counts["completed"], counts["filtered"]) == (3, 1, 2)
    assert {row["reason"] for row in found["reasons"]} == {"no-website", "shared-host"}
    told = run_here("import", "show", "1")
    assert re.search(r"domain_extraction\s+3\s+0\s+0\s+1\s+2\s+0\s+0", told)
    assert re.search(r"domain_extraction\s+Filtered\s+no-website\s+1\s+work \d+ \(Carl\)", told)
    assert re.search(r"rejected\s+no-name-or-website\s+1", told)
    assert scene.rows("SELECT city FROM local_businesses GROUP BY city") == [{"city": "Köln"}]


def test_the_same_file_again_adds_nothing_and_says_so(scene: Scene, write: Write) -> None:
    file = write(BUSINESSES)
    run_here("import", "businesses", file)
    scene.play()
    before = scene.rows("SELECT * FROM work ORDER BY id")
    said = run_here("import", "businesses", file)
    assert "Import 2: 0 added, 4 known or repeated, 1 rejected." in said
    assert "Nothing was added: every row was there already or was rejected." in said
    assert scene.rows("SELECT * FROM work ORDER BY id") == before
    assert shown(2)["status"] == "Completed"


def test_a_dry_run_tells_the_same_and_writes_nothing(scene: Scene, write: Write) -> None:
    said = run_here("import", "businesses", write(BUSINESSES), "--dry-run")
    assert said.startswith("This would be 3 added, 1 known or repeated, 1 rejected.\n")
    assert "started" not in said
    tables = "batches UNION ALL SELECT 1 FROM batch_items UNION ALL SELECT 1 FROM places UNION ALL SELECT 1 FROM work"
    assert scene.rows(f"SELECT 1 FROM {tables}") == []


def test_domains_are_stored_and_their_faults_kept_by_line(scene: Scene, write: Write) -> None:
    file = write("anna.example\nlocalhost\nhttps://bob.example/x\nyelp.com/biz/x\nANNA.example\n", "sites.txt")
    said = run_here("import", "domains", file)
    assert "Import 1: 2 added, 1 known or repeated, 2 rejected." in said
    assert scene.endings("domain_metadata") == {"Queued": 2}
    assert [row["name"] for row in scene.rows("SELECT name FROM domains ORDER BY id")] == [
        "anna.example",
        "bob.example",
    ]
    rejected = [json.loads(line) for line in run_here("import", "show", "1", "--rejected", "--json").splitlines()]
    assert rejected == [
        {"line": 2, "reason": "bad-website", "row": "localhost"},
        {"line": 4, "reason": "shared-host", "row": "yelp.com/biz/x"},
    ]
    told = run_here("import", "show", "1", "--rejected", "--limit", "1")
    assert re.search(r"2\s+bad-website\s+localhost", told)
    assert "There are more than these 1" in told
    assert re.search(r"domain_metadata\s+2\s+2\s+0", run_here("import", "show", "1"))


def test_curated_rows_wait_for_a_decision(scene: Scene, write: Write) -> None:
    said = run_here("import", "businesses", write("Anna,anna.example\nBob,bob.example\n"), "--curated")
    assert "They wait for you: see `scrapersky import show 1`." in said
    assert scene.many("work") == 0
    assert shown()["status"] == "ManualReview"
    assert "2 wait for your decision before domain_extraction." in run_here("import", "show", "1")


def test_columns_can_be_chosen(scene: Scene, write: Write) -> None:
    file = write("Kunde,Marke,Adresse im Netz\nAnna GmbH,Anna's,anna.example\n")
    run_here("import", "businesses", file, "--column", "name=Marke", "--column", "website=3")
    assert scene.rows("SELECT name, website FROM local_businesses") == [{"name": "Anna's", "website": "anna.example"}]


def test_a_list_may_come_through_a_pipe(scene: Scene) -> None:
    result = CliRunner().invoke(app, ["import", "domains", "-"], input=b"domain\nanna.example\n")
    assert (result.exit_code, result.exception) == (0, None)
    assert scene.rows("SELECT name FROM batches") == [{"name": "the input"}]
    assert scene.rows("SELECT name FROM domains") == [{"name": "anna.example"}]


def test_a_list_without_a_header_is_told_how_it_was_read(scene: Scene, write: Write) -> None:
    said = run_here("import", "businesses", write("512-555-0100,Anna,anna.example\n"), "--dry-run")
    columns = "column 1 was read as phone, column 2 was read as name, column 3 was read as website"
    assert f"The list has no header: {columns}; choose others with --column." in said
    assert "no header" not in run_here("import", "businesses", write(BUSINESSES), "--dry-run")


def test_what_is_no_text_is_refused_through_a_pipe_too(scene: Scene) -> None:
    result = CliRunner().invoke(app, ["import", "domains", "-"], input=bytes(range(256)))
    assert str(result.exception) == "'the input' is not text: save it as CSV or XLSX and import that."
    assert scene.rows("SELECT 1 FROM batches") == []


def test_domains_that_are_curated_start_nothing(scene: Scene, write: Write) -> None:
    run_here("import", "domains", write("anna.example\nbob.example\n"), "--curated")
    assert (scene.many("domains"), scene.many("work")) == (2, 0)
    assert "2 wait for your decision before domain_metadata." in run_here("import", "show", "1")
    run_here("import", "domains", write("carl.example\n"), "--auto")
    assert scene.endings("domain_metadata") == {"Queued": 1}


def test_a_sitemap_may_come_through_a_pipe_and_is_started_once(scene: Scene) -> None:
    for said in ("1 queued at sitemap_import", "Nothing was added"):
        result = CliRunner().invoke(app, ["import", "sitemaps", "-"], input=b"https://www.anna.example/s.xml\n")
        assert (result.exit_code, result.exception) == (0, None)
        assert said in result.output
    assert scene.rows("SELECT url, host, method FROM sitemap_files") == [
        {"url": "https://www.anna.example/s.xml", "host": "anna.example", "method": "manual"}
    ]
    assert scene.rows("SELECT stage, status, lane FROM work") == [
        {"stage": "sitemap_import", "status": "Queued", "lane": "anna.example"}
    ]


def test_curated_sitemaps_wait_and_their_faults_are_kept_by_line(scene: Scene, write: Write) -> None:
    file = write("Site,Where\nAnna,https://anna.example/s.xml\nBob,bob\n")
    arguments = ("import", "sitemaps", file, "--column", "url=Where", "--curated")
    assert run_here(*arguments, "--dry-run").startswith("This would be 1 added, 0 known or repeated, 1 rejected.\n")
    assert (scene.many("sitemap_files"), scene.many("domains")) == (0, 0)
    said = run_here(*arguments)
    assert re.search(r"3\s+bad-url\s+Bob,bob", said)
    assert "They wait for you" in said
    assert (scene.many("sitemap_files"), scene.many("work")) == (1, 0)
    assert shown()["status"] == "ManualReview"
    assert "1 wait for your decision before sitemap_import." in run_here("import", "show", "1")


def test_list_shows_the_newest_first(scene: Scene, write: Write) -> None:
    assert "Nothing has been imported yet" in run_here("import", "list")
    run_here("import", "domains", write("anna.example\n10.0.0.1\n", "one.csv"))
    run_here("import", "businesses", write("Anna,anna.example\n", "two.csv"))
    lines = [line.split() for line in run_here("import", "list").splitlines()]
    rows = [line[:-1] for line in lines if line and line[0].isdigit()]
    assert rows == [
        ["2", "local_business", "two.csv", "auto", "Queued", "1", "0", "0"],
        ["1", "domain", "one.csv", "auto", "Queued", "1", "0", "1"],
    ]
    said = [json.loads(line) for line in run_here("import", "list", "--json", "--limit", "5").splitlines()]
    assert [row["id"] for row in said] == [2, 1]


def test_what_a_list_holds_can_neither_colour_nor_forge_lines(scene: Scene, write: Write) -> None:
    cell = NASTY.replace("\n", " ")
    run_here("import", "businesses", write(f'name,website,city\n"{cell}",,\n,,"{cell}"\n', "li\x1b[31mst.csv"))
    scene.play()
    for arguments in (["show", "1"], ["show", "1", "--rejected"], ["list"]):
        said = run_here("import", *arguments)
        assert "\x1b" not in said
        assert "\u202e" not in said
    assert "[bold]\\x1b[31mred" in run_here("import", "show", "1", "--rejected")


@pytest.mark.parametrize(
    ("content", "arguments", "sentence"),
    [
        ("", [], "'list.csv' holds no rows"),
        ("city;zip\nAustin;78701\n", [], "The list has no column for name or website"),
        ("name\nAnna\n", ["--column", "name"], "'name' names no column"),
        ("name\nAnna\n", ["--column", "size=name"], "A list of businesses has no 'size'"),
        ("name\nAnna\n", ["--column", "name=Firm"], "The file has no column 'Firm': its columns are name"),
        ("city," + ",".join(f"column {nth}" * 9 for nth in range(90)), [], "column 1column 1column 1column 1column 1…"),
        ("PK\x03\x04rest", [], "'list.csv' cannot be read as a spreadsheet: it is damaged or no workbook."),
        ("".join(map(chr, range(256))), [], "'list.csv' is not text: save it as CSV or XLSX and import that."),
    ],
)
def test_files_that_cannot_be_read_are_refused(
    scene: Scene, write: Write, content: str, arguments: list[str], sentence: str
) -> None:
    with pytest.raises(BadInput) as refused:
        run_here("import", "businesses", write(content), *arguments)
    assert sentence in str(refused.value)
    assert len(str(refused.value)) < 1500
    assert scene.rows("SELECT 1 FROM batches") == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["domains", "nowhere.csv"], "'nowhere.csv' cannot be read: No such file or directory."),
        (["domains", "-"], "'the input' holds no rows."),
        (["domains", "."], "'.' cannot be read: Is a directory."),
        (["show", "7"], "There is no batch 7"),
        (["show", "7", "--rejected"], "There is no batch 7"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_two(
    tmp_path: Path, db: str, servers: Servers, arguments: list[str], sentence: str
) -> None:
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    result = scrapersky(tmp_path, "import", *arguments, **given)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert sentence in result.stderr


def test_ten_thousand_rows(scene: Scene, write: Write) -> None:
    rows = "".join(f"Business {nth};site-{nth % 8000}.example;Austin\n" for nth in range(10_000))
    said = run_here("import", "businesses", write(f"name;website;city\n{rows}"))
    assert "Import 1: 10000 added, 0 known or repeated, 0 rejected." in said
    assert (scene.many("local_businesses"), scene.many("work"), scene.many("batch_items")) == (10_000,) * 3
    assert shown()["stages"]["domain_extraction"]["queued"] == 10_000

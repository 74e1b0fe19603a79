"""`scrapersky import pages`, and lists that are spreadsheets, on the product's own stages."""

from __future__ import annotations

from pathlib import Path

import pytest
import xlsxwriter

from errors import BadInput
from tests.cli.terminal import run_here
from tests.cli.test_search import scene
from tests.stages.scene import Scene

__all__ = ["scene"]


def workbook(path: Path, *rows: list[object], sheet: str = "Sheet1") -> str:
    with xlsxwriter.Workbook(str(path), {"strings_to_urls": False}) as book:
        book.add_worksheet("Notes").write(0, 0, "nothing")
        page = book.add_worksheet(sheet)
        for number, row in enumerate(rows):
            page.write_row(number, 0, row)
    return str(path)


def test_pages_are_stored_below_their_domains_and_started(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "pages.txt"
    file.write_text("https://anna.example/contact\nhttps://anna.example/contact#map\nanna.example/x\n")
    said = run_here("import", "pages", str(file))
    assert "Import 1: 1 added, 1 known or repeated, 1 rejected." in said
    assert "1 queued at page_curation: see `scrapersky import show 1`." in said
    assert scene.endings("page_curation") == {"Queued": 1}
    assert scene.rows("SELECT url, kind, decision_reason FROM pages") == [
        {"url": "https://anna.example/contact", "kind": "contact", "decision_reason": "brought"}
    ]
    assert "Status Queued" in run_here("import", "show", "1")


def test_a_spreadsheet_is_read_like_the_same_list_as_text(scene: Scene, tmp_path: Path) -> None:
    rows: list[list[object]] = [["Company", "Web", "PLZ"], ["Anna", "anna.example", 50667], ["Bob", "bob.example", 1]]
    file = workbook(tmp_path / "list.xlsx", *rows, sheet="Leads")
    said = run_here("import", "businesses", file, "--sheet", "leads", "--curated")
    assert "Import 1: 2 added, 0 known or repeated, 0 rejected." in said
    assert scene.rows("SELECT name, postal_code FROM local_businesses ORDER BY id") == [
        {"name": "Anna", "postal_code": "50667"},
        {"name": "Bob", "postal_code": "1"},
    ]


def test_a_sheet_that_is_not_there_is_refused(scene: Scene, tmp_path: Path) -> None:
    file = workbook(tmp_path / "list.xlsx", ["domain"], ["anna.example"])
    with pytest.raises(BadInput, match="it has no sheet 'Three', only Notes, Sheet1"):
        run_here("import", "domains", file, "--sheet", "Three")
    assert scene.rows("SELECT 1 FROM batches") == []

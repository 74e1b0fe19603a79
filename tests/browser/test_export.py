"""Leads are exported from the page of their search, and the file opens as what it says it is."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.accounts.residents import value

# Whoever was decided against is no lead.
LEADS = "SELECT count(*) FROM local_businesses WHERE curation_status NOT IN ('Not a Fit', 'Archived')"


@pytest.fixture
def export(enter: Callable[..., Page], town: None, tmp_path: Path) -> Callable[[str], Path]:
    """Choose a format on the page of the first search, and give the file that comes."""
    page = enter("curator")
    page.goto("/searches/1")

    def download(format_name: str) -> Path:
        page.get_by_label("File").select_option(label=format_name)
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Export leads").click()
        kept = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(kept)
        return kept

    return download


def test_the_files_open_and_hold_every_lead(export: Callable[[str], Path]) -> None:
    many = value(LEADS)
    table = export("CSV")
    with table.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert table.suffix == ".csv"
    assert len({row["id"] for row in rows}) == many
    assert any("@" in row["email"] for row in rows)
    # A spreadsheet that opens it calculates nothing.
    assert not [cell for row in rows for cell in row.values() if cell and cell.startswith("=")]

    with zipfile.ZipFile(export("Excel (XLSX)")) as sheet:
        assert sheet.testzip() is None
        assert "xl/workbook.xml" in sheet.namelist()

    lines = export("JSON lines").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)["id"] for line in lines}) == many

    cards = export("vCard").read_text(encoding="utf-8")
    assert cards.startswith("BEGIN:VCARD")
    assert cards.count("BEGIN:VCARD") == cards.count("END:VCARD")

    assert value("SELECT count(*) FROM audit_entries WHERE action = 'export'") == 4

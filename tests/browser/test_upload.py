"""A list is brought: a file with odd columns, seen before it is stored, put right, and its result downloaded."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.residents import value
from tests.browser.town_found import HACK

# Nobody calls a website "Where they live", so somebody has to say what it is.
ROWS = [
    ("Firm", "Where they live", "Remark"),
    ("Acme Dental", "acme.example", "call first"),
    (HACK, "https://second.example/", HACK),
    ("Third", "not a site at all", ""),
    ("Acme again", "https://www.acme.example/", ""),
]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    with (tmp_path / "fair.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(ROWS)
    return tmp_path / "fair.csv"


def test_a_file_is_seen_put_right_and_stored(enter: Callable[..., Page], sheet: Path, tmp_path: Path) -> None:
    page = enter("curator")
    page.goto("/batches")
    page.get_by_role("link", name="Bring a list").first.click()
    page.get_by_role("radio", name="Domains").check()
    page.get_by_label("A file").set_input_files(sheet)
    page.get_by_role("button", name="Preview", exact=True).click()
    preview = page.locator("#preview")
    preview.get_by_label("The first row is").select_option(label="a header")
    expect(preview).to_contain_text("The list has no column for domain")
    place = preview.get_by_label("Domain")
    place.select_option(place.locator("option", has_text="Where they live").get_attribute("value"))
    expect(preview.get_by_role("cell", name="acme.example", exact=True)).to_be_visible()
    assert value("SELECT count(*) FROM domains") == 0  # a look stores nothing
    expect(preview.get_by_text("not a site at all").first).to_be_visible()
    page.get_by_role("button", name="Bring 2 rows").click()
    expect(page).to_have_url(re.compile(r"/batches/\d+$"))
    assert value("SELECT string_agg(name, ' ' ORDER BY name) FROM domains") == "acme.example second.example"
    assert page.evaluate("window.hacked") is None
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download the result of every row").click()
    kept = tmp_path / "result.csv"
    downloading.value.save_as(kept)
    with kept.open(newline="", encoding="utf-8-sig") as file:
        results = [row["result"] for row in csv.DictReader(file)]
    assert results == ["added", "added", "rejected", "duplicate"]

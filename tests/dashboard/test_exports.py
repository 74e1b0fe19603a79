"""Exports from Curate: what was picked leaves as a file, and the form is there for those alone who may take it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

import pytest

from tests.dashboard.browsers import Browser
from tests.entities.world import World


@pytest.fixture
def world(db: str, url: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def test_what_was_selected_is_exported_from_its_table(curator: Browser, viewer: Browser, world: World) -> None:
    for status in ("Selected", "Maybe", "Archived"):
        world.business(world.place(world.search()), name=f"{status} Dental", curation_status=status)
    form = curator.see("/curate/local_businesses").css_first('form[action="/exports/leads"]')
    assert form is not None
    choices = [option.attributes["value"] for option in form.css("select[name=where] option")]
    assert choices == ["curation=Selected", "curation=Maybe", "curation=New", ""]
    assert _exported(curator, choices[0]) == ["Selected Dental"]
    assert sorted(_exported(curator, choices[-1])) == ["Maybe Dental", "Selected Dental"]
    assert curator.see("/curate/contacts").css_first('form[action="/exports/contacts"]') is not None
    assert curator.see("/curate/pages").css_first('form[action^="/exports/"]') is None
    assert viewer.see("/curate/local_businesses").css_first('form[action^="/exports/"]') is None


def _exported(browser: Browser, where: str | None) -> list[str]:
    answer = browser.client.get("/exports/leads", params={"where": where or "", "format": "csv", "columns": "plain"})
    assert answer.status_code == 200
    return [row["name"] for row in csv.DictReader(StringIO(answer.text.lstrip("\ufeff")))]

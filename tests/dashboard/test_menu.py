"""Menu: it marks the page that somebody is on, also where the address says it otherwise."""

from __future__ import annotations

import pytest

from dashboard.menu import GROUPS


@pytest.mark.parametrize(
    ("here", "marked"),
    [
        ("/", ["Flow"]),
        ("/stages/deep_scan", ["Flow"]),
        ("/curate/pages", ["Curate"]),
        ("/businesses/7", ["Curate"]),
        ("/contacts/7/suppress", ["Curate"]),
        ("/suppressions", ["Users and keys"]),
        ("/searches", ["Searches"]),
        ("/searchesque", []),
    ],
)
def test_the_menu_marks_where_somebody_is(here: str, marked: list[str]) -> None:
    assert [entry.name for _, entries in GROUPS for entry in entries if entry.covers(here)] == marked

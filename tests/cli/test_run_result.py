"""The last line of a run: a search that did not end well is a failure, whatever it found before."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.run_result import finish
from errors import UserError
from pipeline import search_control
from pipeline.search_view import look
from tests.cli.test_search import AUSTIN, scene, start
from tests.pipeline.lead_world import LeadWorld
from tests.stages.scene import Scene

__all__ = ["scene"]


def ending(search_id: int, output: Path) -> str:
    with pytest.raises(UserError) as failure:
        finish(look(search_id), output)
    return str(failure.value).replace(f"{output.parent}/", "")


def test_what_was_found_before_a_search_failed_is_kept_and_told(scene: Scene, tmp_path: Path) -> None:
    world, output = LeadWorld(), tmp_path / "leads.csv"
    search_id = world.search("dentists", world.business())
    world.work("search", search_id, "Completed")
    world.insert("work", stage="deep_scan", entity_id=1, status="Error", reason="timeout", error="Slow.\n\x1b[31m")
    world.insert("work", stage="search_area", entity_id=1, status="Error", reason="dns", error="maps.example: unknown.")
    world.execute("UPDATE work SET parent_id = (SELECT min(id) FROM work) WHERE stage <> 'search'")

    assert ending(search_id, output) == (
        f"Search {search_id} failed: search_area, maps.example: unknown; what it found before is in leads.csv"
        " (rows: 1). Put that right, and run the same command to try again."
    )
    assert "Anna's Bakery" in output.read_text("utf-8-sig")


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (search_control.pause, "is Paused; there are no leads, so leads.csv was not written. Put right what is said"),
        (
            search_control.cancel,
            "is Cancelled; there are no leads, so leads.csv was not written. The same command begins",
        ),
    ],
)
def test_a_search_that_others_stopped_is_no_success(scene: Scene, tmp_path: Path, act: object, sentence: str) -> None:
    search_id, output = start("dentists", *AUSTIN), tmp_path / "leads.csv"
    output.write_text("older")
    assert callable(act)
    act(search_id)
    assert sentence in ending(search_id, output)
    assert output.read_text() == "older"

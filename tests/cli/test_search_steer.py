"""`scrapersky search pause | resume | cancel`: a search with everything below it, said in sentences."""

from __future__ import annotations

import pytest

from errors import BadInput
from tests.cli.terminal import run_here
from tests.cli.test_search import AUSTIN, scene, start
from tests.stages.scene import Scene

__all__ = ["scene"]


def begin() -> str:
    return str(start("dentists", *AUSTIN, "--provider", "google"))


def test_a_search_is_paused_and_resumed(scene: Scene) -> None:
    search = begin()
    assert f"Search {search} is paused: 1 piece of work held" in run_here("search", "pause", search)
    assert "Status Paused" in run_here("search", "show", search)
    assert "when it is resumed" in run_here("search", "show", search)
    assert "nothing to hold: it is Paused" in run_here("search", "pause", search)
    assert f"Search {search} goes on: 1 piece of work let go" in run_here("search", "resume", search)
    assert "was held: it is Queued" in run_here("search", "resume", search)


def test_a_search_is_cancelled_only_when_that_is_meant(scene: Scene) -> None:
    search = begin()
    with pytest.raises(BadInput, match="say --yes"):
        run_here("search", "cancel", search)
    assert "Status Queued" in run_here("search", "show", search)
    said = run_here("search", "cancel", search, "--yes")
    assert f"Search {search}: 1 piece of work cancelled, what was found stays. It is Cancelled." in said


def test_a_search_that_is_not_there_is_named_in_one_sentence(scene: Scene) -> None:
    for word in ("pause", "resume", "cancel"):
        with pytest.raises(BadInput, match="There is no search 4711"):
            run_here("search", word, "4711")

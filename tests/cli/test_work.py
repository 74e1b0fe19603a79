"""`scrapersky work list | show | retry | cancel`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cli.text import duration, read_duration, safe
from embedded import Servers
from errors import BadInput
from tests.cli.terminal import PROGRAM, environment, run_here, scrapersky
from tests.pipeline.stagehand import Stagehand


def test_list_filters_by_stage_status_reason_error_and_age(house: Stagehand) -> None:
    assert _ids(run_here("work", "list", "--json")) == list(range(11, 0, -1))
    assert _ids(run_here("work", "list", "--json", "--stage", "second")) == [6]
    assert _ids(run_here("work", "list", "--json", "--status", "ERROR")) == [4, 3]
    assert _ids(run_here("work", "list", "--json", "--reason", "not-wanted")) == [2]
    assert _ids(run_here("work", "list", "--json", "--error", "NEVER again")) == [3]
    assert _ids(run_here("work", "list", "--json", "--older-than", "1h")) == []
    assert _ids(run_here("work", "list", "--json", "--limit", "2")) == [11, 10]


def test_list_prints_a_line_each_and_says_when_there_is_more(house: Stagehand) -> None:
    said = run_here("work", "list", "--limit", "3")
    assert "There is more than these 3" in said
    assert [line.split()[0] for line in said.splitlines() if "first" in line] == ["11", "10"]
    assert run_here("work", "list", "--reason", "never-heard") == "No work matches.\n"


def test_scraped_text_can_neither_colour_nor_forge_lines(house: Stagehand) -> None:
    for arguments in (["work", "list"], ["work", "show", "4"]):
        said = run_here(*arguments)
        assert "[bold]\\x1b[31mred\\x1b[0m forged line \\u202e[/nope]" in said
        assert "\x1b" not in said
        assert "\u202e" not in said


def test_show_gives_row_entity_failures_and_lineage(house: Stagehand) -> None:
    said = run_here("work", "show", "8")
    assert "Work 8" in said
    assert "puppets 1" in said
    assert "anna.example" in said
    assert "Nothing has gone wrong with it." in said
    comes_from, led_to = said.split("Comes from")[1].split("Led to")
    assert [word for word in comes_from.split() if word in {"first", "second", "third", "fourth", "fifth"}] == [
        "first", "second", "third"
    ]  # fmt: skip
    assert "fifth" in led_to


def test_show_tells_the_history_of_failures(house: Stagehand) -> None:
    said = run_here("work", "show", "3")
    assert "What went wrong" in said
    assert ["final", "refused", "never", "again"] in [line.split()[-4:] for line in said.splitlines()]


def test_show_without_its_entity_or_its_stage(house: Stagehand) -> None:
    house.execute("UPDATE work SET entity_id = 999 WHERE id = 2")
    house.execute("UPDATE work SET stage = 'sixth' WHERE id = 3")
    assert "puppets 999 no longer exists." in run_here("work", "show", "2")
    assert "Stage sixth is not declared" in run_here("work", "show", "3")


def test_retry_by_id_acts_at_once(house: Stagehand) -> None:
    assert run_here("work", "retry", "3", "4") == "Queued anew: 2 pieces of work.\n"
    assert house.work(3)["status"] == house.work(4)["status"] == "Queued"
    assert {ring.work_id for ring in house.bells.take()} >= {3, 4}


def test_retry_of_what_waits_changes_nothing_and_says_why(house: Stagehand) -> None:
    assert run_here("work", "retry", "11") == "Nothing to retry: work 11 is Queued.\n"


def test_a_dry_run_only_counts(house: Stagehand) -> None:
    assert run_here("work", "retry", "--reason", "refused", "--dry-run") == "This would retry 2 pieces of work.\n"
    assert run_here("work", "cancel", "--all", "--dry-run") == "This would cancel 2 pieces of work.\n"
    assert house.counts()["first Error"] == 2


def test_bulk_actions_need_yes_without_a_terminal(house: Stagehand) -> None:
    with pytest.raises(BadInput, match="This would retry 2 pieces of work: add --yes"):
        run_here("work", "retry", "--all")
    assert house.counts()["first Error"] == 2
    assert run_here("work", "retry", "--all", "--yes") == "Queued anew: 2 pieces of work.\n"
    assert run_here("work", "retry", "--all", "--yes") == "Nothing to retry: no such work matches.\n"


def test_cancel_ends_what_waits_and_what_runs(house: Stagehand) -> None:
    assert run_here("work", "cancel", "--stage", "first", "--yes") == "Cancelled: 2 pieces of work.\n"
    assert house.counts()["first Cancelled"] == 3


@pytest.mark.parametrize(("answer", "errors_left"), [("n", 2), ("y", 0)])
def test_a_person_is_asked_first(
    house: Stagehand, tmp_path: Path, db: str, servers: Servers, answer: str, errors_left: int
) -> None:
    said = _at_a_terminal(
        tmp_path, answer, "work", "retry", "--status", "error", DATABASE_URL=db, REDIS_URL=servers.broker_url
    )
    assert "This will retry 2 pieces of work. Go on?" in said
    assert house.counts().get("first Error", 0) == errors_left


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["list", "--stage", "firts"], "There is no stage 'firts'. Did you mean first?"),
        (["list", "--stage", ""], "There is no stage ''."),
        (["list", "--status", "broken"], "There is no work status 'broken'."),
        (["list", "--older-than", "soon"], "'soon' is no length of time"),
        (["list", "--older-than", "99999999999d"], "longer than a century"),
        (["show", "999"], "There is no work 999"),
        (["retry", "1", "999"], "There is no work 999"),
        (["cancel", "9223372036854775807"], "There is no work 9223372036854775807"),
        (["retry"], "This would touch all work"),
        (["cancel", "--yes"], "This would touch all work"),
    ],
)
def test_wrong_words_are_refused(house: Stagehand, arguments: list[str], sentence: str) -> None:
    before = house.counts()
    with pytest.raises(BadInput) as refused:
        run_here("work", *arguments)
    assert sentence in str(refused.value)
    assert house.counts() == before


def test_bytes_that_are_no_text_match_nothing(house: Stagehand, tmp_path: Path, db: str) -> None:
    result = scrapersky(tmp_path, "work", "list", "--reason", os.fsdecode(b"\xff\x1b"), DATABASE_URL=db)
    assert (result.returncode, result.stdout) == (0, "No work matches.\n")


def test_a_reader_that_leaves_early_is_no_fault(house: Stagehand, tmp_path: Path, db: str) -> None:
    command = f"{PROGRAM} work list --json | true"
    result = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment(DATABASE_URL=db), capture_output=True, check=False
    )
    assert result.stderr == b""


def test_lengths_of_time_are_read_and_written() -> None:
    assert [duration(read_duration(text)) for text in ("90s", "2h", "1d12h", "1w", "1 h 5 m")] == [
        "1m 30s", "2h", "1d 12h", "7d", "1h 5m"
    ]  # fmt: skip
    assert (duration(0), duration(-90), duration(None)) == ("0s", "in 1m 30s", None)
    assert safe("a" * 20, 10) == "a" * 9 + "…"


def _ids(output: str) -> list[int]:
    return [json.loads(line)["id"] for line in output.splitlines() if line.startswith("{")]


def _at_a_terminal(cwd: Path, answer: str, *arguments: str, **given: object) -> str:
    """Run the command with a terminal as its input, and type the answer."""
    ours, theirs = os.openpty()
    try:
        os.write(ours, f"{answer}\n".encode())
        result = subprocess.run(
            [PROGRAM, *arguments],
            cwd=cwd,
            env=environment(**given),
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert result.returncode == 0, result.stderr
    return result.stdout

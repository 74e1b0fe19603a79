"""Tables: no word breaks in a narrow terminal, and nothing is cut in a pipe."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest

from cli.progress_report import print_reasons, print_stages
from cli.text import print_table
from pipeline.progress import Progress
from reasons import MEANINGS

EMAIL, PHONE = "hello@bluebonnet-orthodontics.example", "+15125550100"
LEAD = [90, "Bluebonnet Orthodontics of South Austin", EMAIL, PHONE]
WHERE = "https://bluebonnet-orthodontics.example/contact"
ZEROS = dict.fromkeys(("Queued", "Processing", "Completed", "Filtered", "Error", "Cancelled"), 0)
LONG_ERROR = f"{'a long way round, ' * 10}set CRAWLER_CONTACT to an email address"
END = "that is all"
COLOUR = re.compile(r"\x1b\[[\d;]*m")


Shown = Callable[..., str]


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Call something that prints, and give what a terminal of 80 columns shows of it."""
    monkeypatch.setenv("COLUMNS", "80")

    def show(what: Callable[..., None], *arguments: object, **options: object) -> str:
        ours, theirs = os.openpty()
        with (
            os.fdopen(ours, "rb", buffering=0) as screen,
            os.fdopen(theirs, "w") as terminal,
            redirect_stdout(terminal),
        ):
            what(*arguments, **options)
            terminal.write(END)
            terminal.flush()
            said = ""
            while END not in said:
                said += screen.read(65536).decode()
            return COLOUR.sub("", said.partition(END)[0])

    return show


def row(status: str, reason: str, error: str | None = None) -> dict[str, object]:
    return {"stage": "page_curation", "status": status, "reason": reason, "many": 7, "work_id": 1, "name": None} | {
        "error": error
    }


def test_addresses_and_numbers_can_be_copied_from_a_narrow_terminal(at_a_terminal: Shown) -> None:
    headers = ("score", "business", "email", "phone", "seen at")
    said = at_a_terminal(print_table, headers, [[*LEAD, WHERE]], spare=("seen at",))
    assert EMAIL in said
    assert PHONE in said
    assert WHERE not in said
    assert max(map(len, said.splitlines())) <= 80


def test_the_heads_of_counts_do_not_break_and_what_is_left_out_counts_nothing(
    at_a_terminal: Shown,
) -> None:
    counts = ZEROS | {"Completed": 141, "Filtered": 3}
    said = at_a_terminal(print_stages, Progress(counts={"contact_validation": counts}))
    head = said.splitlines()[2].split()
    assert set(head) <= {"stage", "discovered", *map(str.lower, ZEROS)}
    assert {"completed", "filtered"} <= set(head)
    assert len(head) < 8


def test_a_title_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("a",), [[1]], title="A title that is wider than its table")
    assert capsys.readouterr().out.startswith("A title that is wider than its table\n")


def test_what_ended_well_does_not_stand_among_what_did_not_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    print_reasons([row("Completed", "unchanged"), row("Error", "blocked")])
    ended, _, well = capsys.readouterr().out.partition("What was noted about completed work")
    assert "Why it did not go on" in ended
    assert "blocked" in ended
    assert MEANINGS["blocked"] in ended
    assert "unchanged" not in ended
    assert "unchanged" in well
    print_reasons([row("Completed", "unchanged")])
    assert "did not go on" not in capsys.readouterr().out


def test_a_long_reason_is_whole_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_reasons([row("Error", "contact-needed", LONG_ERROR * 4)])
    assert LONG_ERROR * 4 in capsys.readouterr().out


def test_a_long_reason_is_folded_but_keeps_its_end_in_a_terminal(at_a_terminal: Shown) -> None:
    said = at_a_terminal(print_reasons, [row("Error", "contact-needed", LONG_ERROR)])
    assert "CRAWLER_CONTACT" in said
    assert MEANINGS["contact-needed"] not in " ".join(said.split())

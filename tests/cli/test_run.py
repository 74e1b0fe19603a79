"""`scrapersky run` refuses what cannot work before it starts anything: no server, no search, no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import assert_one_sentence, scrapersky

AUSTIN = ("run", "dentists", "--near", "Austin, TX")


def refused(folder: Path, *arguments: str) -> str:
    """Run it where nobody has said who asks, and give the sentence it ended with."""
    data = folder / "data"
    result = scrapersky(folder, *arguments, SCRAPERSKY_DIR=data, STAGE_MODULES="actors")
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert list(folder.iterdir()) == []
    return result.stderr


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("leads.docx", "'leads.docx' names no format that can be written: let it end in .csv, .xlsx, .jsonl or .vcf."),
        ("-", "'-' names no format"),
        ("missing/leads.xlsx", "'missing/leads.xlsx' cannot be written: No such file or directory."),
        (".", "'.' cannot be written: Is a directory."),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path, output: str, sentence: str) -> None:
    assert sentence in refused(tmp_path, *AUSTIN, "--output", output)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (AUSTIN, "set CRAWLER_CONTACT to your email address or URL."),
        ((*AUSTIN, "--mode", "careful"), "There is no mode 'careful'"),
        ((*AUSTIN, "--max", "0"), "A search brings 1 to 10000 places, not 0."),
        ((*AUSTIN, "--budget", "-5"), "A budget is 0 to 100000 US dollars, not -5."),
        ((*AUSTIN, "--output", "leads.docx"), "'leads.docx' names no format"),
        (("run", "dentists"), "Say where: either near a place"),
    ],
)
def test_what_was_typed_is_judged_before_what_is_not_set(
    tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refused(tmp_path, *arguments)

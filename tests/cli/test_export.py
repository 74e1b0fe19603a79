"""`scrapersky export`: files that are whole or not there, a line beside them that says what they hold."""

from __future__ import annotations

import csv
import os
import pty
import signal
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from embedded import Servers
from errors import BadInput
from pipeline.database import statement
from settings import settings
from tests.cli.terminal import PROGRAM, assert_one_sentence, environment, scrapersky
from tests.pipeline.lead_world import LeadWorld
from tests.pipeline.test_exports import MANY

NASTY = '=cmd|"x"!A1\x1b[31m\n\u202e'


@pytest.fixture
def world(configured: str) -> LeadWorld:
    """A business with an email, and one with nothing but a hostile name."""
    world = LeadWorld()
    site = world.domain()
    world.business("Anna's Bakery", at=site, phone="+15125550100")
    world.business(NASTY)
    world.contact(site)
    return world


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["export", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_leads_go_to_the_output_and_the_summary_beside_it(world: LeadWorld) -> None:
    result = run("leads")
    lines = result.stdout_bytes.decode("utf-8-sig").split("\r\n")
    assert lines[0].startswith("id,name,category,")
    assert len(lines) == 4
    assert result.stderr == "exported: rows=2 suppressed=0 file=-\n"


def test_a_file_holds_what_was_asked_for_and_nothing_hostile(world: LeadWorld, tmp_path: Path) -> None:
    target = tmp_path / "leads.csv"
    world.suppress("+15125550100")
    result = run("leads", "--output", str(target), "--where", "score>=0", "--where", "city~aus")
    anna, nasty = read(target)
    assert (anna["email"], anna["phone"]) == ("info@anna.example", "")
    assert (nasty["name"], nasty["email_blank_reason"]) == ('\'=cmd|"x"!A1 [31m', "not-started")
    assert "exported: rows=2 suppressed=1 file=" in result.stderr
    assert result.stdout == ""
    assert names(tmp_path) == ["leads.csv"]


def test_every_format_can_be_read_by_its_own_reader(world: LeadWorld, tmp_path: Path) -> None:
    for format_ in ("xlsx", "jsonl", "vcard"):
        run("contacts", "--format", format_, "-o", str(tmp_path / format_))
    assert zipfile.is_zipfile(tmp_path / "xlsx")
    assert (tmp_path / "jsonl").read_text().startswith('{"id": ')
    assert "EMAIL;TYPE=INTERNET,WORK:info@anna.example" in (tmp_path / "vcard").read_text()


def test_the_name_of_a_file_says_its_format(world: LeadWorld, tmp_path: Path) -> None:
    for name in ("a.XLSX", "a.jsonl", "a.vcf", "a.csv"):
        run("leads", "-o", str(tmp_path / name))
    assert zipfile.is_zipfile(tmp_path / "a.XLSX")
    assert (tmp_path / "a.jsonl").read_text().startswith('{"id": ')
    assert (tmp_path / "a.vcf").read_text().startswith("BEGIN:VCARD")
    assert read(tmp_path / "a.csv")


def test_what_a_crm_cannot_take_is_counted(world: LeadWorld) -> None:
    result = run("leads", "--for", "brevo")
    assert "1 rows lack what brevo requires (an email) and were left out." in result.stderr
    assert "exported: rows=1" in result.stderr


def test_nothing_found_is_a_header_and_a_sentence(world: LeadWorld) -> None:
    result = run("leads", "--where", "city=Nowhere", "--for", "hubspot")
    assert result.stdout_bytes.count(b"\r\n") == 1
    assert "No leads match, so there is nothing but the header" in result.stderr
    assert "exported: rows=0 suppressed=0 file=-" in result.stderr


def test_an_older_file_is_replaced_and_what_killed_exports_left_is_cleared_away(
    world: LeadWorld, tmp_path: Path
) -> None:
    target, link = tmp_path / "leads.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    dead = subprocess.Popen(["true"])
    dead.wait()
    mine, theirs = tmp_path / f".leads.csv.{dead.pid}.part", tmp_path / f".other.csv.{dead.pid}.part"
    mine.write_text("half")
    theirs.write_text("half")
    run("leads", "-o", str(link))
    assert len(read(target)) == 2
    assert link.is_symlink()
    assert (mine.exists(), theirs.exists()) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["leads", "--where", "cty=Austin"], "There is no field 'cty'. Did you mean city or country? Fields are cat"),
        (["leads", "--where", "score>=x\x1b[31m"], "score is compared with a number"),
        (["leads", "--format", "pdf"], "There is no format 'pdf': use one of csv, xlsx, jsonl, vcard."),
        (["leads", "--format", "vcard", "--for", "brevo"], "A vCard has fields of its own"),
        (["contacts", "--search", "99"], "There is no search 99."),
        (["leads", "-o", "missing/leads.csv"], "'missing/leads.csv' cannot be written: No such file or directory."),
        (["leads", "-o", "."], "'.' cannot be written: Is a directory."),
        (["leads", "-o", "~nobody-of-this-name/x"], "cannot be written: Could not determine home directory."),
        (["leads", "-o", "x" * 300 + ".csv"], "cannot be written: File name too long."),
        (["leads", "-o", "/dev/full"], "'/dev/full' cannot be written: No space left on device."),
        (["leads", "-o", "leads.docx"], "'leads.docx' names no format that can be written: let it end in .csv"),
        (["leads", "-o", "leads"], "'leads' names no format that can be written: let it end in .csv"),
        (["leads", "-o", "a.xlsx", "--format", "csv"], "'a.xlsx' is the name of a xlsx file, and the format"),
    ],
)
def test_what_cannot_be_done_is_explained_and_leaves_nothing(
    world: LeadWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as refused:
        run(*arguments)
    assert sentence in str(refused.value)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--where", "score>=\x1b[31m"], "and '\\x1b[31m' is none."),
        (["--format", "xlsx", "-o", "/dev/full"], "'/dev/full' cannot be written: No space left on device."),
        (["--limit", "0"], "see `scrapersky export leads --help`."),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_two(
    world: LeadWorld, servers: Servers, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    given = {"DATABASE_URL": settings().database_url, "REDIS_URL": servers.broker_url}
    result = scrapersky(tmp_path, "export", "leads", *arguments, **given)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert sentence in result.stderr


def test_a_terminal_is_spared_a_spreadsheet(world: LeadWorld, servers: Servers, tmp_path: Path) -> None:
    given = environment(DATABASE_URL=settings().database_url, REDIS_URL=servers.broker_url)
    ours, theirs = pty.openpty()
    command = [PROGRAM, "export", "leads", "--format", "xlsx"]
    result = subprocess.run(command, cwd=tmp_path, env=given, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    os.close(ours)
    assert result.returncode == 2
    assert result.stderr == b"XLSX is nothing to read in a terminal: name a file with --output.\n"


@pytest.fixture
def many(world: LeadWorld) -> None:
    with statement() as connection:
        connection.execute(MANY.encode(), {"tenant": world.tenant, "many": 6_000, "total": 6_000})


@pytest.fixture
def halfway(many: None, servers: Servers, tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Start an export, and give it once a part of its file is there."""
    started: list[subprocess.Popen[bytes]] = []

    def start(format_: str) -> subprocess.Popen[bytes]:
        given = environment(DATABASE_URL=settings().database_url, REDIS_URL=servers.broker_url)
        command = [PROGRAM, "export", "leads", "--format", format_, "--output", "leads"]
        process = subprocess.Popen(command, cwd=tmp_path, env=given, stderr=subprocess.PIPE)
        started.append(process)
        until = time.monotonic() + 60
        while not any(tmp_path.glob(".leads.*.part")):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("number", "format_", "code"),
    [(signal.SIGINT, "csv", 130), (signal.SIGTERM, "csv", 143), (signal.SIGINT, "xlsx", 130)],
)
def test_an_interrupted_export_leaves_nothing(
    halfway: Callable[[str], subprocess.Popen[bytes]], tmp_path: Path, number: int, format_: str, code: int
) -> None:
    process = halfway(format_)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code
    assert b"exported:" not in said
    assert b"Traceback" not in said
    assert names(tmp_path) == []


def test_a_killed_export_leaves_the_older_file_and_no_half_one(
    halfway: Callable[[str], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    (tmp_path / "leads").write_text("old")
    process = halfway("csv")
    process.kill()
    process.wait(timeout=60)
    assert (tmp_path / "leads").read_text() == "old"
    run("leads", "--limit", "1", "--format", "csv", "-o", str(tmp_path / "leads"))
    assert names(tmp_path) == ["leads"]
    assert len(read(tmp_path / "leads")) == 1


def test_a_reader_that_has_had_enough_ends_the_export(many: None, servers: Servers, tmp_path: Path) -> None:
    given = environment(DATABASE_URL=settings().database_url, REDIS_URL=servers.broker_url)
    process = subprocess.Popen(
        [PROGRAM, "export", "leads"], cwd=tmp_path, env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith("\ufeffid,".encode())
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 1
    assert said == b""

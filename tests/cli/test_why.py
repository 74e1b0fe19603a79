"""`scrapersky why`: the sentence first, then the way; hostile text is shown, not obeyed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import database
from reasons import MEANINGS
from settings import settings
from tests.cli.conftest import NASTY
from tests.cli.terminal import assert_one_sentence, run_here, scrapersky
from tests.pipeline.journeys import EMAIL, SITE, URL, Archive, Whole


@pytest.fixture
def archive(configured: str, monkeypatch: pytest.MonkeyPatch, product_stages: None) -> Iterator[Archive]:
    monkeypatch.setenv("STAGE_MODULES", "actors")
    settings.cache_clear()
    yield Archive()
    database.use(None)


def test_why_begins_with_the_answer_and_tells_every_hop(archive: Archive) -> None:
    whole = Whole(archive)
    archive.insert(
        "failures",
        work_id=whole.work["deep_scan"],
        attempt=1,
        kind="passing",
        reason="timeout",
        error="no answer in 10 s",
    )
    said = run_here("why", EMAIL)
    assert said.splitlines()[0] == f"{EMAIL} of {SITE} was found at {URL} by text; it is valid (role)."
    for word in (*whole.work, "dentists near Austin, TX", "Acme Dental", "robots_txt", MEANINGS["chosen"]):
        assert word in said, word
    assert "no answer in 10 s" in said
    assert "2.00s" in said


def test_why_of_a_domain_counts_what_ended_and_what_waits(archive: Archive) -> None:
    domain = archive.domain()
    archive.work("domain_metadata", domain)
    archive.work("page_curation", archive.page(domain), "Error", reason="blocked")
    archive.page(domain, url=f"{URL}/2", decision="over-budget")
    said = run_here("why", SITE)
    assert said.startswith("No contact was found because 1 of 1 page ended Error: blocked")
    assert "Pages that were not visited" in said
    assert MEANINGS["over-budget"] in " ".join(said.split())
    archive.page(domain, url=f"https://{SITE}/", decision="homepage-read")
    assert "homepage-read" not in run_here("why", SITE)
    waiting = archive.page(domain, url=f"{URL}/3")
    archive.work("page_curation", waiting, "Queued")
    assert run_here("why", SITE).startswith("Still working: 1 page waits for its turn, next now.")


def test_why_gives_programs_one_object_a_line(archive: Archive) -> None:
    whole = Whole(archive)
    (row,) = [json.loads(line) for line in run_here("why", SITE, "--json").splitlines()]
    assert (row["subject"], row["name"], row["answer"]) == ("domain", SITE, "1 email was found on 1 page.")
    assert [hop["work_id"] for hop in row["hops"]] == list(whole.work.values())
    assert row["sites"][0]["found"] == {"email": 1}


def test_what_is_never_validated_is_not_said_to_wait_for_it(archive: Archive) -> None:
    domain = archive.domain()
    archive.contact(domain, kind="social", value="https://facebook.com/acme")
    archive.contact(domain, value="new@acme.example")
    assert run_here("why", "https://facebook.com/acme").splitlines()[0].endswith("; social profiles are not validated.")
    assert run_here("why", "new@acme.example").splitlines()[0].endswith("; it is not validated yet.")


def test_things_of_one_name_are_told_one_after_the_other(archive: Archive) -> None:
    for name in (SITE, "other.example"):
        archive.contact(archive.domain(name=name), value="shared@agency.example")
    said = run_here("why", "shared@agency.example").splitlines()
    assert [line for line in said if " of 2: " in line] == [
        f"{at} of 2: contact shared@agency.example" for at in (1, 2)
    ]


def test_hostile_text_is_shown_and_not_obeyed(archive: Archive) -> None:
    whole = Whole(archive)
    archive.execute("UPDATE local_businesses SET name = %s", NASTY)
    archive.execute("UPDATE sightings SET snippet = %s", NASTY)
    archive.execute("UPDATE searches SET what = %s", NASTY)
    archive.execute("UPDATE work SET error = %s WHERE id = %s", NASTY, whole.work["domain_metadata"])
    archive.execute("UPDATE contacts SET person_name = %s, verdict_reasons = jsonb_build_array(%s::text)", NASTY, NASTY)
    for value in (EMAIL, SITE, "[bold]", str(whole.work["page_curation"])):
        said = run_here("why", value)
        assert "\x1b" not in said
        assert "\u202e" not in said
        assert "[bold]" in said
        assert not any(line.startswith("forged line") for line in said.splitlines())


@pytest.mark.parametrize("value", ["nobody@acme.example", "\x1b[31m\u202e\n"])
def test_what_is_not_known_is_one_sentence(archive: Archive, tmp_path: Path, value: str) -> None:
    known = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    ended = scrapersky(tmp_path, "why", value, STAGE_MODULES="actors", **known)
    assert_one_sentence(ended.returncode, ended.stdout, ended.stderr, 2)
    assert ended.stderr.startswith("Nothing is known of ")
    assert "\x1b" not in ended.stderr

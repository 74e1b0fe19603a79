"""`scrapersky sandbox score`: a table per disguise, every difference with its reason, and one last line of sums."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pipeline import database
from sandbox.truth import truth_of
from sandbox.world import World
from settings import settings
from tests.cli.terminal import run_here
from tests.pipeline.journeys import Archive

WORLD = World(4)
OPTIONS = ("sandbox", "score", "--size", "4", "--seed", "1")


@pytest.fixture
def archive(configured: str, monkeypatch: pytest.MonkeyPatch, product_stages: None) -> Iterator[Archive]:
    monkeypatch.setenv("STAGE_MODULES", "actors")
    settings.cache_clear()
    yield Archive()
    database.use(None)


def store_all(archive: Archive) -> int:
    """Store everything that is planted, and give how much that is."""
    many = 0
    for record in (truth_of(WORLD, business) for business in WORLD):
        domain = archive.domain(name=record["domain"])
        archive.work("domain_metadata", domain)
        for kind, value in {(each["kind"], each["value"]) for each in record["contacts"]}:
            archive.contact(domain, kind=kind, value=value)
            many += 1
    return many


def test_a_perfect_run_ends_with_one_and_one(archive: Archive) -> None:
    many = store_all(archive)
    said = run_here(*OPTIONS)
    assert said.splitlines()[-1] == f"truth: businesses=4 contacts={many} precision=1.0000 recall=1.0000"
    assert "By disguise" in said
    assert "Missed" not in said


def test_an_empty_database_misses_all_and_says_why(archive: Archive) -> None:
    said = run_here(*OPTIONS)
    assert said.splitlines()[-1].endswith("precision=1.0000 recall=0.0000")
    assert "not-reached" in said


def test_differences_are_named_and_decoys_come_first(archive: Archive) -> None:
    store_all(archive)
    record = next(each for business in WORLD if (each := truth_of(WORLD, business))["decoys"])
    (domain,) = archive.rows("SELECT id FROM domains WHERE name = %s", record["domain"])
    archive.contact(domain["id"], value="stray\x1b[31m@x.example")
    archive.contact(domain["id"], value=record["decoys"][0]["value"])
    missed = next(each["value"] for each in record["contacts"] if each["kind"] == "email")
    archive.execute("DELETE FROM contacts WHERE value = %s", missed)
    said = run_here(*OPTIONS)
    assert "\x1b" not in said
    assert said.index("DECOY: ") < said.index("not-planted")
    assert "page-not-stored" in said or "not-recognised" in said
    (row,) = [json.loads(line) for line in run_here(*OPTIONS, "--json").splitlines()]
    assert [miss["value"] for miss in row["misses"]] == [missed]
    assert sorted(extra["is_decoy"] for extra in row["extras"]) == [False, True]
    assert row["total"]["precision"] < 1

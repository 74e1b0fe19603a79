"""`scrapersky curate list | set | undo`: a person decides on what waits, and only that goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from embedded import Servers
from errors import BadInput, Conflict, NotFound
from pipeline.broker import redis_client
from tests.cli.conftest import NASTY
from tests.cli.terminal import assert_one_sentence, run_here, scrapersky
from tests.cli.test_search import AUSTIN, WORLD, scene, shown, start
from tests.cli.test_work import _at_a_terminal
from tests.pipeline.doors import add_business, add_domain, add_place, add_work, insert
from tests.stages.conftest import Sandbox, sandbox
from tests.stages.scene import Scene

__all__ = ["sandbox", "scene"]


def curated() -> int:
    return start("dentists", *AUSTIN, "--mode", "curated")


def listed(*arguments: object) -> list[dict[str, Any]]:
    said = run_here("curate", "list", *map(str, arguments), "--json")
    return [json.loads(line) for line in said.splitlines()]


def ids(*arguments: object) -> list[int]:
    return [row["id"] for row in listed(*arguments)]


def decide(*arguments: str) -> str:
    """Decide, and give the first line: the second always says how to take it back."""
    said, how = run_here("curate", "set", *arguments).splitlines()
    assert re.fullmatch(r"This is operation (\d+): `scrapersky curate undo \1` takes it back\.", how)
    return said


def operations(scene: Scene) -> list[int]:
    return [row["id"] for row in scene.rows("SELECT id FROM operations ORDER BY id")]


def decided(scene: Scene, table: str = "places") -> dict[int, str]:
    return {row["id"]: row["curation_status"] for row in scene.rows(f"SELECT id, curation_status FROM {table}")}


def test_a_curated_search_goes_from_stage_to_stage_as_a_person_decides(
    scene: Scene, sandbox: Callable[..., Sandbox]
) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--mode", "curated", "--max", "20")
    scene.play()
    said = run_here("search", "show", str(search_id))
    assert f"`scrapersky curate set deep_scan --search {search_id} --all --as Selected`" in said
    assert len(listed(search_id, "--stage", "deep_scan")) == 20
    everything = ("--search", str(search_id), "--all", "--as", "Selected", "--yes")
    assert decide("deep_scan", *everything) == "20 selected, 20 queued."
    assert {ring.stage for ring in scene.bells.rings} == {"deep_scan"}
    scene.play()
    businesses = shown(search_id)["businesses"]
    assert {row["stage"] for row in listed(search_id)} == {"domain_extraction"}
    assert decide("domain_extraction", *everything).startswith(f"{businesses} selected")
    scene.play()
    assert len(listed(search_id, "--stage", "domain_metadata")) == shown(search_id)["domains"] > 0
    assert shown(search_id)["waiting"]["domain_metadata"] == shown(search_id)["domains"]


def test_list_shows_what_waits_in_this_search_alone(scene: Scene) -> None:
    one, two = curated(), curated()
    mine, shared, _ = add_place("a", one), add_place("b", one, two), add_place("c", two)
    maybe = add_place("d", one, decided="Maybe")
    add_work("deep_scan", add_place("e", one), "Completed")
    scene.execute("UPDATE places SET address = '1 Main St', website = 'https://a.example' WHERE id = %s", mine)
    first, second = listed(one)
    assert (first["id"], first["stage"], first["name"], first["status"]) == (mine, "deep_scan", "a", "New")
    assert (first["address"], first["website"]) == ("1 Main St", "https://a.example")
    assert first["found_at"]
    assert second["id"] == shared
    assert ids(one, "--status", "maybe") == [maybe]
    said = run_here("curate", "list", str(one), "--limit", "1")
    assert "1 Main St" in said
    assert "There are more than these 1" in said


def test_every_stage_that_a_person_decides_on_is_found_through_the_search(scene: Scene) -> None:
    search_id = curated()
    business = add_business(add_place("a", search_id, decided="Selected"), "Anna")
    used = add_domain(
        "anna.example", business, add_business(add_place("b", search_id, decided="Maybe"), "Bob", "Maybe")
    )
    sitemap = insert("sitemap_files", domain_id=used, url="https://anna.example/s.xml", host="anna.example")
    add_domain("other.example", add_business(add_place("c"), "Carl"))
    assert [(row["stage"], row["id"], row["name"]) for row in listed(search_id)] == [
        ("domain_extraction", business, "Anna"),
        ("domain_metadata", used, "anna.example"),
        ("sitemap_import", sitemap, "https://anna.example/s.xml"),
    ]


def test_sitemaps_of_a_search_wait_for_a_person(scene: Scene) -> None:
    search_id = curated()
    business = add_business(add_place("a", search_id), "Anna")
    domain = add_domain("a.example", business)
    scene.execute(
        "INSERT INTO sitemap_files (tenant_id, domain_id, url, host, kind, method)"
        " SELECT tenant_id, id, 'http://a.example/sitemap.xml', name, 'standard', 'manual' FROM domains WHERE id = %s",
        domain,
    )
    (sitemap,) = ids(search_id, "--stage", "sitemap_import")
    chosen = ("--search", str(search_id), "--all", "--as", "Selected", "--yes")
    assert decide("sitemap_import", *chosen) == "1 selected, 1 queued."
    assert ids(search_id, "--stage", "sitemap_import") == []
    assert scene.endings("sitemap_import") == {"Queued": 1}
    assert sitemap > 0


def test_set_by_id_decides_on_these_alone_and_says_what_it_queued(scene: Scene) -> None:
    search_id = curated()
    one, two, three = (add_place(name, search_id) for name in "abc")
    add_work("deep_scan", two, "Processing")
    scene.bells.take()
    said = decide("deep_scan", str(one), str(two), str(one), "--as", "selected")
    assert said == "2 selected, 1 queued; 1 was queued or running already."
    assert decided(scene) == {one: "Selected", two: "Selected", three: "New"}
    work = scene.one("SELECT id, auto FROM work WHERE stage = 'deep_scan' AND entity_id = %s", one)
    assert [ring.work_id for ring in scene.bells.take()] == [work["id"]]
    assert not work["auto"]


@pytest.mark.parametrize(
    ("typed", "status"), [("Maybe", "Maybe"), ("not-a-fit", "Not a Fit"), ("ARCHIVED", "Archived"), ("New", "New")]
)
def test_only_selected_starts_work(scene: Scene, typed: str, status: str) -> None:
    search_id = curated()
    place = add_place("a", search_id, decided="Selected")
    before = scene.many("work")
    assert decide("deep_scan", str(place), "--as", typed) == f"1 marked {status}."
    assert decided(scene) == {place: status}
    assert scene.many("work") == before


def test_all_of_a_search_is_decided_on_and_other_searches_are_left_alone(scene: Scene) -> None:
    one, two = curated(), curated()
    mine = [add_place(f"a{nth}", one) for nth in range(7)]
    maybe, other = add_place("b", one, decided="Maybe"), add_place("c", two)
    chosen = ("deep_scan", "--search", str(one), "--all", "--as", "Selected")
    assert run_here("curate", "set", *chosen, "--dry-run") == "This would mark 7 as Selected before deep_scan.\n"
    with pytest.raises(BadInput, match="This would mark 7 as Selected before deep_scan: add --yes"):
        run_here("curate", "set", *chosen)
    assert set(decided(scene).values()) == {"New", "Maybe"}
    assert decide(*chosen, "--yes") == "7 selected, 7 queued."
    assert decided(scene) == dict.fromkeys(mine, "Selected") | {maybe: "Maybe", other: "New"}
    assert decide(*chosen, "--status", "Maybe", "--yes") == "1 selected, 1 queued."
    assert decided(scene)[maybe] == "Selected"


def test_a_decision_is_taken_back_once(scene: Scene) -> None:
    search_id = curated()
    one, two, three = (add_place(name, search_id) for name in "abc")
    maybe = add_place("d", search_id, decided="Maybe")
    decide("deep_scan", "--search", str(search_id), "--all", "--as", "Selected", "--yes")
    decide("deep_scan", str(maybe), "--as", "Archived")
    first, second = operations(scene)
    scene.execute("UPDATE work SET status = 'Processing' WHERE stage = 'deep_scan' AND entity_id = %s", two)
    decide("deep_scan", str(three), "--as", "Not a Fit")
    said = run_here("curate", "undo", str(first))
    assert said == "2 as before, 2 cancelled; 1 left alone: decided on since, or gone.\n"
    assert decided(scene) == {one: "New", two: "New", three: "Not a Fit", maybe: "Archived"}
    assert run_here("curate", "undo", str(second)) == "1 as before, 0 cancelled.\n"
    assert decided(scene)[maybe] == "Maybe"
    with pytest.raises(Conflict, match=f"Operation {first} has been undone already"):
        run_here("curate", "undo", str(first))


def test_who_is_at_the_keyboard_is_noted_as_nobody(scene: Scene) -> None:
    place = add_place("a", curated())
    decide("deep_scan", str(place), "--as", "Maybe")
    run_here("curate", "undo", str(operations(scene)[0]))
    noted = "SELECT user_id, action, entity FROM audit_entries WHERE action IN ('curate', 'undo') ORDER BY id"
    assert scene.rows(noted) == [{"user_id": None, "action": did, "entity": "places"} for did in ("curate", "undo")]


def test_rows_and_decisions_of_another_tenant_are_not_there(scene: Scene) -> None:
    tenant = scene.one("INSERT INTO tenants (name) VALUES ('theirs') RETURNING id")["id"]
    mine, theirs = (add_place(name, curated()) for name in "ab")
    decide("deep_scan", str(theirs), "--as", "Maybe")
    (operation,) = operations(scene)
    scene.execute("UPDATE places SET tenant_id = %s WHERE id = %s", tenant, theirs)
    scene.execute("UPDATE operations SET tenant_id = %s WHERE id = %s", tenant, operation)
    with pytest.raises(BadInput, match=f"There is no id {theirs} in places"):
        run_here("curate", "set", "deep_scan", str(mine), str(theirs), "--as", "Archived")
    with pytest.raises(NotFound, match=f"There is no operation {operation}"):
        run_here("curate", "undo", str(operation))
    assert decided(scene) == {mine: "New", theirs: "Maybe"}


@pytest.mark.parametrize(("answer", "status"), [("n", "New"), ("y", "Archived")])
def test_a_person_is_asked_first(
    scene: Scene, tmp_path: Path, db: str, servers: Servers, answer: str, status: str
) -> None:
    search_id = curated()
    place = add_place("a", search_id)
    chosen = ("deep_scan", "--search", str(search_id), "--all", "--as", "Archived")
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    said = _at_a_terminal(tmp_path, answer, "curate", "set", *chosen, **given)
    assert "This will mark 1 as Archived before deep_scan. Go on?" in said
    assert decided(scene) == {place: status}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["list", "999"], "There is no search 999"),
        (["list", "1", "--stage", "deep_scam"], "There is no stage 'deep_scam'. Did you mean deep_scan?"),
        (["list", "1", "--stage", "search"], "Nothing waits for a decision before search."),
        (["list", "1", "--stage", "page_ranking"], "Nothing waits for a decision before page_ranking."),
        (["list", "1", "--status", "Mabye"], "There is no curation status 'Mabye'. Did you mean Maybe?"),
        (["set", "deep_scan", "1", "--as", "wonderful"], "'wonderful'. Use one of: New, Selected, Maybe, Not a Fit"),
        (["set", "deep_scam", "1", "--as", "New"], "Did you mean deep_scan?"),
        (["set", "search", "1", "--as", "Selected"], "Nothing waits for a decision before search."),
        (["set", "deep_scan", "1", "77", "78", "--as", "Maybe"], "There is no id 77, 78 in places"),
        (["set", "deep_scan", "--as", "Maybe", "--yes"], "Say on what to decide"),
        (["set", "deep_scan", "--all", "--as", "Maybe", "--yes"], "Say on what to decide"),
        (["set", "deep_scan", "--search", "1", "--as", "Maybe", "--yes"], "Say on what to decide"),
        (["set", "deep_scan", "1", "--search", "1", "--all", "--as", "Maybe"], "not both"),
        (["set", "deep_scan", "1", "--status", "New", "--as", "Maybe"], "not both"),
        (["set", "deep_scan", "--search", "99", "--all", "--as", "Maybe", "--yes"], "There is no search 99"),
        (["set", "domain_extraction", "--search", "1", "--all", "--as", "Maybe"], "Nothing of search 1 waits for your"),
        (["set", "deep_scan", "--search", "1", "--all", "--status", "Archived", "--as", "New"], "search 1 is Archived"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(scene: Scene, arguments: list[str], sentence: str) -> None:
    place = add_place("a", curated())
    with pytest.raises(BadInput) as refused:
        run_here("curate", *arguments)
    assert sentence in str(refused.value)
    assert decided(scene) == {place: "New"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["set", "deep_scan", "7", "--as", "Selected"], "There is no id 7 in places"),
        (["set", "deep_scan", "7"], "'--as'"),
        (["list", "1"], "There is no search 1"),
        (["undo", "7"], "There is no operation 7: its number was given when something was decided."),
        (["undo", "0"], "'OPERATION'"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_two(
    tmp_path: Path, db: str, servers: Servers, arguments: list[str], sentence: str
) -> None:
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    result = scrapersky(tmp_path, "curate", *arguments, **given)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert sentence in result.stderr


def test_a_process_of_its_own_rings_the_real_broker(scene: Scene, tmp_path: Path, db: str, servers: Servers) -> None:
    place = add_place("a", curated())
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    queue = redis_client(servers.broker_url)
    queue.delete("scrapersky:deep_scan")
    result = scrapersky(tmp_path, "curate", "set", "deep_scan", str(place), "--as", "Selected", **given)
    rung = queue.llen("scrapersky:deep_scan")
    queue.delete("scrapersky:deep_scan")
    queue.close()
    assert (result.returncode, result.stderr, rung) == (0, "", 1)
    assert result.stdout.splitlines()[0] == "1 selected, 1 queued."
    (operation,) = operations(scene)
    taken_back = scrapersky(tmp_path, "curate", "undo", str(operation), **given)
    assert (taken_back.returncode, taken_back.stdout) == (0, "1 as before, 1 cancelled.\n")


def test_scraped_text_can_neither_colour_nor_forge_lines(scene: Scene) -> None:
    search_id = curated()
    add_place(NASTY, search_id)
    said = run_here("curate", "list", str(search_id))
    assert "[bold]\\x1b[31mred" in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\nforged" not in said


def test_a_search_in_which_nothing_waits_says_so(scene: Scene) -> None:
    search_id = curated()
    assert run_here("curate", "list", str(search_id)) == f"Nothing of search {search_id} waits for your decision.\n"
    assert listed(search_id) == []

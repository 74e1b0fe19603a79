"""`scrapersky search start | list | show`, on the product's own stages and a sandbox that answers for Google."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from cli import run_result
from cli.search_start import read_box, read_budget, read_radius
from embedded import Servers
from errors import BadInput
from models.work import WORK_STATUSES
from pipeline import controls, doorbell, lease
from pipeline.broker import redis_client
from pipeline.lease import Lease
from pipeline.search_view import look
from pipeline.stage import stage_named
from sandbox.world import World
from settings import settings
from tests.cli.conftest import NASTY
from tests.cli.terminal import assert_one_sentence, run_here, scrapersky
from tests.pipeline.doors import add_business, add_domain, add_place, add_work, insert
from tests.pipeline.stagehand import Bells
from tests.stages.conftest import Sandbox, sandbox
from tests.stages.scene import Scene

__all__ = ["sandbox"]

WORLD = World(120, town="Austin, TX", category="dentist")
AUSTIN = ("--near", "Austin, TX")


@pytest.fixture
def scene(product_stages: None, db: str, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """The product's stages, and bells that this test answers."""
    monkeypatch.setenv("DATABASE_URL", db)
    monkeypatch.setenv("REDIS_URL", servers.broker_url)
    monkeypatch.setenv("STAGE_MODULES", "actors")
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "a-key")
    settings.cache_clear()
    lease.install(Lease(["search"])).renew()
    bells = Bells()
    doorbell.install(bells)
    yield Scene(bells)
    doorbell.install(Bells())


def start(*arguments: str) -> int:
    """Start a search and give the id that it printed."""
    said = run_here("search", "start", *arguments)
    found = re.match(r"Search (\d+) is on its way", said)
    assert found, said
    assert f"`scrapersky search show {found.group(1)}`" in said
    return int(found.group(1))


def shown(search_id: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run_here("search", "show", str(search_id), "--json"))
    return found


def test_start_stores_what_was_typed_and_rings(scene: Scene) -> None:
    search_id = start(
        "dentists", *AUSTIN, "--radius", "5 mi", "--provider", "google", "--mode", "curated", "--max", "50",
        "--budget", "0.50",
    )  # fmt: skip
    row = scene.one("SELECT * FROM searches")
    assert (row["id"], row["what"], row["where_text"], row["radius_meters"]) == (
        search_id, "dentists", "Austin, TX", 8047
    )  # fmt: skip
    assert (row["provider"], row["mode"], row["max_places"], row["budget_usd"]) == (
        "google", "curated", 50, Decimal("0.5")
    )  # fmt: skip
    assert [ring.stage for ring in scene.bells.take()] == ["search"]


def test_the_provider_is_google_with_a_key_and_openstreetmap_without(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    start("dentists", *AUSTIN)
    monkeypatch.delenv("GOOGLE_MAPS_API_KEY")
    monkeypatch.setenv("CRAWLER_CONTACT", "me@mine.example")
    settings.cache_clear()
    start("dentists", "--box", "-33.9,151.1,-33.8,151.3")
    start("dentists", *AUSTIN, "--provider", "OSM")
    assert [row["provider"] for row in scene.rows("SELECT provider FROM searches ORDER BY id")] == [
        "google", "openstreetmap", "openstreetmap"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say where: either near"),
        ([*AUSTIN, "--box", "1,2,3,4"], "Say where: either near"),
        ([*AUSTIN, "--radius", "far"], "'far' is no radius"),
        ([*AUSTIN, "--radius", "-5km"], "'-5km' is no radius"),
        ([*AUSTIN, "--radius", "9999km"], "A radius is 50m to 200km"),
        (["--box", "1,2,3"], "'1,2,3' is no box"),
        (["--box", "1,2,3,nan"], "'1,2,3,nan' is no box"),
        (["--box", "3,2,1,4"], "A box is SOUTH,WEST,NORTH,EAST"),
        ([*AUSTIN, "--provider", "yahoo"], "There is no provider 'yahoo': use google, openstreetmap (osm) or sandbox"),
        ([*AUSTIN, "--provider", "sandbox"], "set SANDBOX_ADDRESS"),
        ([*AUSTIN, "--provider", "osm"], "set CRAWLER_CONTACT"),
        ([*AUSTIN, "--mode", "fast"], "There is no mode 'fast'"),
        ([*AUSTIN, "--max", "0"], "1 to 10000 places, not 0"),
        ([*AUSTIN, "--max", "10001"], "1 to 10000 places"),
        ([*AUSTIN, "--budget", "-1"], "A budget is 0 to 100000"),
        ([*AUSTIN, "--budget", "lots"], "'lots' is no amount of US dollars"),
        ([*AUSTIN, "--budget", "nan"], "A budget is 0 to 100000"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(scene: Scene, arguments: list[str], sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        run_here("search", "start", "dentists", *arguments)
    assert sentence in str(refused.value)
    assert scene.rows("SELECT 1 FROM searches UNION ALL SELECT 1 FROM work") == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["start", "dentists", *AUSTIN, "--provider", "google"], "Google needs a key: set GOOGLE_MAPS_API_KEY"),
        (["start", "den\x1b[31mtists", *AUSTIN], "What and where are words"),
        (["start", "dentists", *AUSTIN, "--max", "many"], "'--max'"),
        (["show", "999"], "There is no search yet"),
        (["show", "0"], "'ID'"),
    ],
)
def test_a_refusal_is_one_sentence_and_exit_code_two(
    tmp_path: Path, db: str, servers: Servers, arguments: list[str], sentence: str
) -> None:
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    result = scrapersky(tmp_path, "search", *arguments, CRAWLER_CONTACT="me@mine.example", **given)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)
    assert sentence in result.stderr


def test_start_as_a_process_of_its_own_rings_the_real_broker(tmp_path: Path, db: str, servers: Servers) -> None:
    given = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url, "STAGE_MODULES": "actors"}
    queue = redis_client(servers.broker_url)
    queue.delete("scrapersky:search")
    result = scrapersky(tmp_path, "search", "start", "dentists", *AUSTIN, GOOGLE_MAPS_API_KEY="hunter2", **given)
    assert queue.llen("scrapersky:search") == 1
    queue.delete("scrapersky:search")
    queue.close()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("Search 1 is on its way, asking google for at most 200 places and $2.00.\n")
    listed = scrapersky(tmp_path, "search", "list", **given)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert re.search(r"1\s+dentists\s+Austin, TX\s+auto\s+Queued\s+0\s+0\s+0\s+\$0.00", listed.stdout)


def test_a_search_on_the_sandbox_runs_to_domains_and_its_counts_reconcile(
    scene: Scene, sandbox: Callable[..., Sandbox]
) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--max", "100")
    assert shown(search_id)["status"] == "Queued"
    scene.play()
    found = shown(search_id)
    assert found["status"] == "InProgress"  # its sites are yet to be read
    assert found["places"] == found["stages"]["deep_scan"]["discovered"] == 100
    assert found["stages"]["deep_scan"]["completed"] == found["businesses"]
    assert found["stages"]["domain_extraction"]["discovered"] == found["businesses"] > 80
    assert 0 < found["domains"] <= found["stages"]["domain_extraction"]["completed"]
    for counts in found["stages"].values():
        assert counts["discovered"] == sum(counts[status.lower()] for status in WORK_STATUSES)
    total = sum(counts["discovered"] for counts in found["stages"].values())
    assert total == scene.many("work")
    by_reason = [row for row in found["reasons"] if row["status"] == "Filtered" and row["stage"] == "domain_extraction"]
    assert sum(row["many"] for row in by_reason) == found["stages"]["domain_extraction"]["filtered"] > 0
    assert found["calls"] == found["today"]["calls"] > 3
    assert found["spent_usd"] == pytest.approx(found["today"]["usd"])
    assert {row["stage"] for row in found["open"]} == {"domain_metadata"}


def test_show_tells_coverage_money_reasons_and_what_is_open(scene: Scene, sandbox: Callable[..., Sandbox]) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--max", "100", "--budget", "0.11")
    scene.play()
    said = run_here("search", "show", str(search_id))
    assert f"Search {search_id}: dentists, Austin, TX (sandbox, auto)" in said
    assert "Status InProgress" in said
    assert re.search(
        r"Cost: \$0.102 of \$0.11 in 3 calls \(play money of the sandbox\); sandbox today \$0.102 of \$20.00 in", said
    )
    assert re.search(r"Coverage: .*2 of \d+ pages of rectangles were read\.", said) or "Coverage: not known yet" in said
    assert re.search(r"Found \d+ of at most 100 places, \d+ businesses, \d+ domains\.", said)
    assert "stage" in said
    assert "discovered" in said
    assert re.search(r"domain_extraction\s+Filtered\s+(no-website|shared-host|bad-website)\s+\d+\s+work \d+ \(", said)
    assert re.search(r"search_area\s+Queued\s+\d+\s+budget\s+in (1h|59m \d+s)\s+search \d+ has spent its budget", said)
    assert f"raise it with `scrapersky search budget {search_id} USD`" in said


@pytest.mark.parametrize("noted", [None, "Google refuses the key"])
def test_show_tells_that_a_stage_is_paused_and_why(
    scene: Scene, sandbox: Callable[..., Sandbox], noted: str | None
) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox")
    controls.pause(stage_named("search"), noted)
    said = run_here("search", "show", str(search_id))
    assert "Status Paused" in said
    assert f"search is paused: {noted or 'let it go on with `scrapersky resume search`'}.\n" in said
    controls.resume(stage_named("search"))
    assert "is paused" not in run_here("search", "show", str(search_id))


def test_a_raised_budget_lets_the_search_go_on_at_once(scene: Scene, sandbox: Callable[..., Sandbox]) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--max", "100", "--budget", "0.11")
    other = start("dentists", *AUSTIN, "--provider", "sandbox", "--budget", "0")
    scene.play()
    said = run_here("search", "budget", str(search_id), "5")
    assert said == f"Search {search_id} may cost $5.00; of its work 1 waited for money and goes on.\n"
    assert [ring.stage for ring in scene.bells.rings] == ["search_area"]
    scene.play()
    assert (shown(search_id)["status"], shown(search_id)["places"]) == ("InProgress", 100)
    assert [row["reason"] for row in shown(other)["open"]] == ["budget"]
    for arguments, sentence in (([str(search_id), "1e9"], "A budget is 0 to"), (["99", "1"], "There is no search 99")):
        with pytest.raises(BadInput, match=sentence):
            run_here("search", "budget", *arguments)


def test_a_curated_search_waits_and_goes_on_with_what_is_selected(
    scene: Scene, sandbox: Callable[..., Sandbox]
) -> None:
    from pipeline import curation
    from pipeline.stage import stage_named

    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--mode", "curated", "--max", "20")
    scene.play()
    found = shown(search_id)
    assert (found["status"], found["waiting"], found["places"]) == ("ManualReview", {"deep_scan": 20}, 20)
    assert "20 wait for your decision before deep_scan." in run_here("search", "show", str(search_id))
    places = [row["id"] for row in scene.rows("SELECT id FROM places ORDER BY id LIMIT 5")]
    curation.curate(stage_named("deep_scan"), places, "Selected")
    assert shown(search_id)["status"] == "InProgress"
    scene.play()
    found = shown(search_id)
    assert found["stages"]["deep_scan"]["discovered"] == 5
    assert found["waiting"]["deep_scan"] == 15


def test_a_curated_run_ends_with_what_to_do_next(
    scene: Scene, sandbox: Callable[..., Sandbox], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sandbox(WORLD)
    search_id = start("dentists", *AUSTIN, "--provider", "sandbox", "--mode", "curated", "--max", "20")
    scene.play()
    run_result.finish(look(search_id), tmp_path / "leads.csv")
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"Search {search_id} is ManualReview: 0 leads are in ")
    assert f"`scrapersky curate list {search_id}`" in said[1]
    assert f"`scrapersky curate set deep_scan --search {search_id} --all --as Selected`" in said[1]
    assert said[2:] == ["The same command goes on with what you select."]


def test_show_says_that_a_search_stopped_at_its_limit(scene: Scene) -> None:
    search_id = start("dentists", *AUSTIN, "--max", "1")
    scene.execute("UPDATE searches SET coverage = 0, calls = 1 WHERE id = %s", search_id)
    said = run_here("search", "show", str(search_id))
    assert "Coverage: 0.0% of the area" in said
    assert "in 1 call;" in said
    add_place("a", search_id)
    said = run_here("search", "show", str(search_id))
    assert "Coverage: stopped at --max 1; raise it to see more.\n" in said
    scene.execute("UPDATE searches SET coverage = 0.5 WHERE id = %s", search_id)
    said = run_here("search", "show", str(search_id))
    assert "Coverage: 50.0% of the area, 0 of 0 pages of rectangles were read; stopped at --max 1; raise it" in said
    scene.execute("UPDATE searches SET coverage = 1 WHERE id = %s", search_id)
    assert "stopped at" not in run_here("search", "show", str(search_id))


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ([*AUSTIN, "--budget", "0.06"], "$0.067"),
        ([*AUSTIN, "--budget", "0.067"], None),
        (["--box", "30.1,-97.9,30.5,-97.5", "--budget", "0.03"], "$0.035"),
        (["--box", "30.1,-97.9,30.5,-97.5", "--budget", "0.04"], None),
        ([*AUSTIN, "--budget", "0", "--provider", "osm"], None),
    ],
)
def test_a_budget_too_small_for_the_first_places_is_told_at_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, arguments: list[str], needed: str | None
) -> None:
    monkeypatch.setenv("CRAWLER_CONTACT", "me@mine.example")
    settings.cache_clear()
    said = run_here("search", "start", "dentists", *arguments)
    assert ("it will wait for a larger one" in said) == (needed is not None)
    assert needed is None or f"Its first places cost {needed}, more than its budget" in said


def test_list_is_a_table_newest_first(scene: Scene) -> None:
    assert "There is no search yet" in run_here("search", "list")
    with pytest.raises(BadInput, match="There is no search yet: start one with `scrapersky run"):
        run_here("search", "show", "1")
    one, two = start("dentists", *AUSTIN), start("plumbers", "--box", "30.1,-97.9,30.5,-97.5", "--mode", "curated")
    scene.execute("UPDATE searches SET spent_usd = 1.5 WHERE id = %s", one)
    scene.execute("UPDATE work SET status = 'Error', reason = 'unknown-place' WHERE entity_id = %s", one)
    lines = [line.split() for line in run_here("search", "list").splitlines()]
    rows = [line for line in lines if line and line[0].isdigit()]
    assert rows[0][:-1] == [str(two), "plumbers", "30.1,-97.9,30.5,-97.5", "curated", "Queued", "0", "0", "0", "$0.00"]
    assert rows[1][:-1] == [str(one), "dentists", "Austin,", "TX", "auto", "Error", "0", "0", "0", "$1.50"]
    said = [json.loads(line) for line in run_here("search", "list", "--json").splitlines()]
    assert [(row["id"], row["status"]) for row in said] == [(two, "Queued"), (one, "Error")]
    assert "There are more than these 1" in run_here("search", "list", "--limit", "1")


def test_scraped_text_can_neither_colour_nor_forge_lines(scene: Scene) -> None:
    search_id = start("dentists", *AUSTIN)
    place = add_place(NASTY, search_id)
    root = scene.one("SELECT id FROM work")["id"]
    add_work("deep_scan", place, "Filtered", parent=root, reason="closed", error=NASTY)
    add_work("deep_scan", place + 1, "Queued", parent=root, reason="budget", error=NASTY)
    said = run_here("search", "show", str(search_id))
    assert "[bold]\\x1b[31mred" in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\nforged" not in said


def test_work_that_an_earlier_search_began_is_named(scene: Scene) -> None:
    one, two = start("dentists", *AUSTIN), start("dentists", *AUSTIN)
    add_work(
        "deep_scan", add_place("a", one, two), "Completed", parent=scene.one("SELECT min(id) AS id FROM work")["id"]
    )
    assert "An earlier search" not in run_here("search", "show", str(one))
    assert "An earlier search had begun the work on 1 of its places" in run_here("search", "show", str(two))


def test_the_screen_counts_the_profile_of_a_business_without_a_site(scene: Scene) -> None:
    search_id = start("dentists", *AUSTIN)
    with_site, without = (add_business(add_place(name, search_id), name) for name in ("a", "b"))
    domain = add_domain("acme.example", with_site)
    insert("contacts", domain_id=domain, owner_key=f"domain:{domain}", kind="social", value="https://x.example/a")
    owner = {"local_business_id": without, "owner_key": f"business:{without}"}
    insert("contacts", **owner, kind="social", value="https://x.example/b")
    assert look(search_id).contacts == {"social": 2}


def test_words_are_read() -> None:
    assert [read_radius(text) for text in ("10km", "5 mi", "800m", "1.5 KM", None)] == [10_000, 8047, 800, 1500, None]
    assert read_box("30.1, -97.9, 30.5, -97.5") == {"south": 30.1, "west": -97.9, "north": 30.5, "east": -97.5}
    assert read_budget("$2") == Decimal("2.0000")

"""Flow: every stage with what is in it, what it hands on, who works and what rings; live, and at a low price."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from accounts.caller import ROLE_SCOPES, Caller
from dashboard.flow_picture import arrange
from dashboard.routes import flow as flow_route
from embedded.processes import wait_until
from models.connect import SET_UP
from operations import alarms, flow
from pipeline.stage import all_stages
from settings import settings
from tests.dashboard.browsers import Browser
from tests.entities.world import World

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def node_of(browser: Browser, stage: str, query: str = "") -> str:
    """Give what the page says about one stage, on one line."""
    link = browser.see(f"/{query}").css_first(f"#stage-{stage}")
    assert link is not None
    assert link.parent is not None
    assert link.parent.parent is not None
    return re.sub(r"\s+", " ", link.parent.parent.text())


def tiles_of(browser: Browser) -> dict[str, list[str]]:
    """Give what the tiles on top say, by their labels."""
    tiles = [[part.text().strip() for part in tile.css("p")] for tile in browser.see("/").css(".tile")]
    return {label: said for label, *said in tiles}


def fill(world: World) -> None:
    for reason in ("timeout", "dns"):
        world.work("page_curation", world.page(), "Error", reason=reason)
    for status in ("Completed", "Completed", "Completed", "Filtered", "Cancelled", "Processing"):
        world.work("page_curation", world.page(), status)
    world.work("page_curation", world.page(), "Queued", due_at="2020-01-01T00:00:00Z")
    world.work("page_curation", world.page(), "Queued", due_at="2020-01-01T00:00:00Z", sent_at="2020-01-01T00:00:00Z")
    world.work("page_curation", world.page(), "Queued", due_at="2100-01-01T00:00:00Z")
    minute = "date_trunc('minute', clock_timestamp())"
    world.connection.execute(
        "INSERT INTO stage_minutes (stage, minute, tenant_id, completed, filtered, error) VALUES"
        f" ('page_curation', {minute} - interval '1 minute', %(tenant)s, 40, 1, 2),"
        f" ('page_curation', {minute} - interval '40 minutes', %(tenant)s, 1000, 0, 0)".encode(),
        {"tenant": world.tenant_id},
    )


def test_a_node_says_what_is_in_its_stage_and_how_fast_it_goes(viewer: Browser, world: World) -> None:
    fill(world)
    says = node_of(viewer, "page_curation")
    assert "Queued 3 Processing 1 Done 3 Filtered 1 Errors 2" in says
    assert "Page curation ended 1,043 pieces of work" in viewer.client.get("/").text
    rate = re.search(r"([\d.]+)/min", says)
    assert rate is not None
    assert float(rate[1]) + 0.05 >= 43 / 6
    assert float(rate[1]) <= 43 / 5 + 0.05
    assert re.search(r"oldest \d+ y", says)
    tiles = tiles_of(viewer)
    assert tiles["Open work"] == ["4", "2 pieces due now"]
    assert tiles["Done in the last hour"] == ["1,040"]
    assert tiles["In error"] == ["2"]
    assert "Queued 0 Processing 0 Done 0" in node_of(viewer, "deep_scan")


def test_a_stage_that_is_paused_says_so_and_why(admin: Browser, viewer: Browser) -> None:
    admin.send("/stages/deep_scan/pause", note=SCRIPT)
    assert f"Paused {SCRIPT}" in node_of(viewer, "deep_scan")
    assert "Paused" not in node_of(viewer, "search")
    assert SCRIPT not in viewer.client.get("/").text


def test_tenants_see_their_own_work_and_operators_everybodys(admin: Browser, stranger: Browser, db: str) -> None:
    theirs = World(db, stranger.person.tenant_id)
    fill(theirs)
    theirs.contact()
    theirs.close()
    assert "Done 3" in node_of(stranger, "page_curation")
    assert tiles_of(stranger)["Contacts found today"][0] == "1"
    assert "Done 0" in node_of(admin, "page_curation")
    assert tiles_of(admin)["Contacts found today"][0] == "0"
    assert "Done 3" in node_of(admin, "page_curation", "?tenants=all")
    assert "All tenants" in admin.text("/")
    for path in ("/?tenants=all", "/flow/events?tenants=all"):
        assert "only admins of its own tenant" in stranger.text(path, status=403)
    assert "All tenants" not in stranger.text("/")
    assert admin.client.get("/?tenants=some").status_code == 422


def test_ways_say_what_was_handed_on_lately(viewer: Browser, world: World) -> None:
    parent = world.work("page_curation", world.page())
    for nth in range(10):
        queued_at = "2020-01-01T00:00:00Z" if nth > 7 else "now"
        world.work("contact_validation", world.contact(), parent_id=parent, queued_at=queued_at)
    again = world.work("sitemap_import", world.sitemap_file())
    world.work("sitemap_import", world.sitemap_file(), parent_id=again)
    says = viewer.text("/")
    assert re.search(r"Page curation hands on to Contact validation: 1\.6 ?/min", says)
    assert "again 0.2/min" in node_of(viewer, "sitemap_import")
    assert re.search(r"Search hands on to Search area: 0 ?/min", says)


def test_every_way_between_stages_is_drawn_or_written_once(product_stages: None, db: str) -> None:
    picture = arrange(flow.look(None))
    cells = [cell for line in picture.lines for cell in line.cells]
    ways = [cell.arrow for cell in cells if cell.arrow]
    ways += [way for cell in cells for way in cell.written]
    ways += [turn.way for line in picture.lines for turn in line.turns]
    declared = [(stage.name, target) for stage in all_stages() for target in stage.successors]
    assert sorted((way.source, way.target) for way in ways) == sorted(declared)
    shown = [cell.node.stage.name for cell in [*cells, *picture.beside]]
    assert sorted(shown) == sorted(stage.name for stage in all_stages())


def test_an_empty_installation_shows_where_to_begin(admin: Browser, viewer: Browser, world: World) -> None:
    assert admin.see("/").css_first("#first-search") is not None
    assert "Start your first search" in viewer.text("/")
    assert viewer.see("/").css_first("#first-search") is None
    world.work("search", world.search())
    assert wait_until(lambda: "Start your first search" not in admin.text("/"), 20)


def test_operators_see_workers_and_alarms(admin: Browser, stranger: Browser, viewer: Browser, world: World) -> None:
    assert "No worker is alive: work waits." in admin.text("/")
    assert "The rules were never asked: nothing rings while nobody watches." in admin.text("/")
    world.connection.execute(
        "INSERT INTO workers (id, host, pid, queues, expires_at)"
        " VALUES (gen_random_uuid(), 'h', 1, '{sweeps}', 'infinity')"
    )
    says = admin.text("/")
    assert "h · 1 Alive sweeps only" in says
    assert "No worker is alive: work waits." in says[: says.index("Open work")], "one that sweeps does no work"
    worker = "11111111-1111-1111-1111-111111111111"
    world.connection.execute(
        "INSERT INTO workers (id, host, pid, queues, expires_at)"
        " VALUES (%s, %s, 4711, '{page_curation}', clock_timestamp() + interval '1 hour')",
        (worker, SCRIPT),
    )
    for minutes in (1, 3):
        started_at = world.rows("SELECT clock_timestamp() - %s * interval '1 minute' AS at", minutes)[0]["at"]
        world.work("page_curation", world.page(), "Processing", worker_id=worker, started_at=started_at)
    world.connection.execute(
        "INSERT INTO alarms (name, subject, says) VALUES ('nothing-finishes', 'page_curation', %s)",
        (f"nothing of {SCRIPT} has finished",),
    )
    world.connection.execute(
        "INSERT INTO jobs (name, kind, last_run_at) VALUES (%s, 'sweeper', clock_timestamp())", (alarms.NAME,)
    )
    says = admin.text("/")
    assert f"{SCRIPT} · 4711 Alive 2 of {settings().worker_threads} 3 min" in says
    assert "No worker is alive" not in says
    rings = f"Rings Nothing finishes · Page curation Nothing of {SCRIPT} has finished."
    assert rings in says[: says.index("Open work")], "an alarm is seen without scrolling"
    assert "The rules are asked every minute" in says
    assert SCRIPT not in admin.client.get("/").text
    for other in (stranger, viewer):
        assert "4711" not in other.text("/")
        assert "Nothing finishes" not in other.text("/")
    world.connection.execute("UPDATE jobs SET last_run_at = clock_timestamp() - interval '1 hour'")
    assert "The rules were last asked 1 h ago: nothing rings while nobody watches." in admin.text("/")


def test_the_page_follows_what_happens(viewer: Browser, world: World) -> None:
    drawings: list[str] = []
    with viewer.client.stream("GET", "/flow/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for chunk in stream.iter_text():
            drawings += [chunk] if "event: drawn" in chunk else []
            if len(drawings) == 1 and not world.rows("SELECT 1 FROM work"):
                world.work("deep_scan", world.place(), "Error", reason="timeout")
            if len(drawings) == 2 or "event: beat" in chunk:
                break
    before, after = drawings
    assert "Start your first search" in before
    assert "Start your first search" not in after
    # The id lets a keyboard's focus stay where it is when the part is drawn anew.
    assert '<a id="tile-in-error" href="/failures" aria-label="In error: 1">1</a>' in after
    assert 'name="csrf"' not in before + after


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that this process has run, in any thread, but for what sets up a connection."""
    run: list[str] = []
    execute: Callable[..., Any] = psycopg.Cursor.execute

    def listening(cursor: psycopg.Cursor[Any], query: Any, *given: Any, **named: Any) -> Any:
        if query is not SET_UP:
            run.append(query.decode() if isinstance(query, bytes) else str(query))
        return execute(cursor, query, *given, **named)

    monkeypatch.setattr(psycopg.Cursor, "execute", listening)
    return run


def test_a_refresh_costs_no_more_than_one_statement_for_each_stage(admin: Browser, statements: list[str]) -> None:
    person = admin.person
    caller = Caller(person.tenant_id, person.user_id, "admin", ROLE_SCOPES["admin"])
    for tenants in ("own", "all"):
        statements.clear()
        flow_route.look(caller, tenants)
        assert 0 < len(statements) <= len(all_stages())

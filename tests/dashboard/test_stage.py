"""A stage: its counts, reasons, durations and work; paused, resumed, retried and cancelled with a count first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from tests.dashboard.browsers import Browser
from tests.entities.world import World

SCRIPT = "<script>alert(1)</script>"
PAGE = "/stages/page_curation"


@pytest.fixture
def world(db: str) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def plant(world: World, many: int, status: str, **columns: object) -> list[int]:
    return [world.work("page_curation", world.page(), status, **columns) for _ in range(many)]


def ids_on(browser: Browser, path: str) -> list[int]:
    """Give the work that a list shows, in its order."""
    links = browser.see(path).css("table.rows a[href^='/journey/work/']")
    return [int(str(link.attributes["href"]).rpartition("/")[2]) for link in links]


def statuses(world: World, *ids: int) -> list[str]:
    found = world.rows("SELECT status FROM work WHERE id = ANY(%s) ORDER BY id", list(ids))
    return [row["status"] for row in found]


def noted(world: World) -> list[tuple[str, str, dict[str, object]]]:
    found = world.rows("SELECT action, entity, detail FROM audit_entries WHERE action <> 'login' ORDER BY id")
    return [(row["action"], row["entity"], row["detail"]) for row in found]


def test_a_stage_shows_its_counts_reasons_and_durations(viewer: Browser, world: World) -> None:
    plant(world, 3, "Error", reason="timeout")
    plant(world, 1, "Filtered", reason="not-html")
    ended_at = world.rows("SELECT clock_timestamp() AS at")[0]["at"]
    for seconds in (1, 2, 40):
        started_at = world.rows("SELECT %s - %s * interval '1 second' AS at", ended_at, seconds)[0]["at"]
        plant(world, 1, "Completed", started_at=started_at, finished_at=ended_at)
    page = viewer.see(PAGE)
    tiles = {tile.css("p")[0].text(): tile.css("p")[1].text() for tile in page.css(".tile")}
    assert tiles == {"Queued": "0", "Processing": "0", "Done": "3", "Filtered": "1", "Errors": "3", "Cancelled": "0"}
    reasons = [(row.css("a")[0].text(), row.css("td")[0].text()) for row in page.css("table.bars tbody tr")]
    assert reasons == [("Error: timeout", "3"), ("Filtered: not-html", "1")]
    assert "the site did not answer in time" in viewer.text(PAGE)
    link = page.css("table.bars a")[0].attributes["href"]
    assert link == f"{PAGE}?status=Error&reason=timeout#work"
    assert len(ids_on(viewer, str(link))) == 3
    facts = re.sub(r"\s+", " ", " ".join(fact.text() for fact in page.css("dl.facts > div")))
    assert re.search(r"Half ?up to 2\.0 s 95 of 100 ?up to 36 s Longest ?40 s", facts)
    assert "Of 3 runs that ended in the last hour." in viewer.text(PAGE)


def test_work_is_listed_by_conditions_and_in_pages(viewer: Browser, world: World) -> None:
    old = plant(world, 60, "Completed")
    slow = plant(world, 1, "Error", reason="timeout", lane="slow.example", error="No answer within 20 s", attempts=5)
    lost = plant(world, 1, "Error", reason="dns", lane="lost.example", error="no such host")
    waits = plant(world, 1, "Queued", due_at="2100-01-01T00:00:00Z")
    held = plant(world, 1, "Queued", due_at="9999-01-01T00:00:00Z")
    everything = [*held, *waits, *lost, *slow, *old[::-1]]
    first = viewer.see(PAGE)
    assert ids_on(viewer, PAGE) == everything[:50]
    follow = first.css_first("a[rel=next]")
    assert follow is not None
    assert ids_on(viewer, str(follow.attributes["href"])) == everything[50:]
    for query, meant in (
        ("status=Error", [*lost, *slow]),
        ("reason=dns", lost),
        ("host=slow.example&status=&reason=&error=", slow),
        ("error=ANSWER", slow),
        ("status=Queued", [*held, *waits]),
        ("status=Cancelled", []),
        ("status=Error&reason=dns&host=slow.example", []),
    ):
        assert ids_on(viewer, f"{PAGE}?{query}") == meant
    says = viewer.text(f"{PAGE}?host=slow.example")
    assert re.search(r"Error timeout 5 No answer within 20 s", says)
    queued = viewer.text(f"{PAGE}?status=Queued")
    assert re.search(r"tries in 7\d y", queued)
    assert "held" in queued
    assert "No work of this stage matches" in viewer.text(f"{PAGE}?status=Cancelled")
    assert "Nothing has reached this stage yet." in viewer.text("/stages/deep_scan")


@pytest.mark.parametrize("htmx", [False, True])
def test_matching_work_is_counted_before_it_is_retried(htmx: bool, admin: Browser, world: World) -> None:
    meant = plant(world, 3, "Error", reason="timeout", attempts=5)
    others = [*plant(world, 1, "Error", reason="dns"), *plant(world, 1, "Completed")]
    path = f"{PAGE}/retry?reason=timeout"
    question = admin.see(path, htmx=htmx)
    assert (question.css_first("dialog") is not None) == htmx
    says = admin.text(path, htmx=htmx)
    assert "Retry 3 pieces of work?" in says
    assert "work of Page curation in status Error, with reason timeout." in says
    assert statuses(world, *meant) == ["Error"] * 3
    form = question.css_first("form[action$='/retry?reason=timeout']")
    assert form is not None
    done = admin.send(str(form.attributes["action"]), htmx=htmx)
    assert (done.status_code, done.headers["hx-redirect" if htmx else "location"]) == (
        204 if htmx else 303,
        f"{PAGE}?reason=timeout",
    )
    assert "3 pieces of work were retried." in admin.text(PAGE)
    assert statuses(world, *meant, *others) == ["Queued"] * 3 + ["Error", "Completed"]
    detail = {"stage": "page_curation", "reason": "timeout", "changed_count": 3}
    assert noted(world) == [("retry", "work", detail)]
    assert "Nothing to retry" in admin.text(path, htmx=htmx)
    admin.send(path)
    assert "Nothing was retried: no work matches any more." in admin.text(PAGE)


def test_matching_work_is_counted_before_it_is_cancelled(admin: Browser, world: World) -> None:
    meant = plant(world, 2, "Queued", lane="slow.example")
    others = [*plant(world, 1, "Queued"), *plant(world, 1, "Error", lane="slow.example")]
    path = f"{PAGE}/cancel?host=slow.example"
    says = admin.text(path)
    assert "Cancel 2 pieces of work?" in says
    assert "work of Page curation in status Queued or Processing, on host slow.example." in says
    assert admin.send(path).status_code == 303
    assert "2 pieces of work were cancelled." in admin.text(PAGE)
    assert statuses(world, *meant, *others) == ["Cancelled"] * 2 + ["Queued", "Error"]
    assert noted(world) == [("cancel", "work", {"stage": "page_curation", "host": "slow.example", "changed_count": 2})]


def test_a_row_is_retried_or_cancelled_from_the_list(admin: Browser, viewer: Browser, world: World) -> None:
    failed, waiting = plant(world, 1, "Error", reason="dns") + plant(world, 1, "Queued")
    forms = admin.see(f"{PAGE}?tenants=own").css("td.row-actions form")
    assert [form.attributes["action"] for form in forms] == [f"/work/{waiting}/cancel", f"/work/{failed}/retry"]
    back = forms[0].css_first("input[name=back]")
    assert back is not None
    for form in forms:
        done = admin.send(str(form.attributes["action"]), back=back.attributes["value"])
        assert (done.status_code, done.headers["location"]) == (303, PAGE)
    assert statuses(world, failed, waiting) == ["Queued", "Cancelled"]
    assert not viewer.see(PAGE).css("td.row-actions form")
    assert "matching …" not in viewer.text(PAGE)


def test_an_operator_pauses_a_stage_says_why_and_resumes_it(admin: Browser, viewer: Browser, world: World) -> None:
    admin.send(f"{PAGE}/pause", note=f" {SCRIPT} ")
    for browser in (admin, viewer):
        assert f"Paused: {SCRIPT}." in browser.text(PAGE)
        assert SCRIPT not in browser.client.get(PAGE).text
    assert "Resume" in admin.text(PAGE)
    admin.send(f"{PAGE}/resume")
    says = admin.text(PAGE)
    assert "Page curation goes on." in says
    assert "Paused" not in says
    assert [action for action, _, _ in noted(world)] == ["pause", "resume"]


def test_an_operator_sets_the_window_and_takes_it_back(admin: Browser, world: World) -> None:
    def window() -> int | None:
        (row,) = world.rows('SELECT "window" FROM stage_controls')
        return int(row["window"]) if row["window"] is not None else None

    admin.send(f"{PAGE}/window", size="12")
    assert "The window of Page curation is 12 now." in admin.text(PAGE)
    assert window() == 12
    for size in ("0", "-1", "1.5", "many", "100001", "٣٠٠٠٠٠٠"):
        refused = admin.send(f"{PAGE}/window", size=size)
        assert refused.status_code == 400
        assert "A window is a whole number from 1 to 100,000" in refused.text
    assert window() == 12
    admin.send(f"{PAGE}/window", size="")
    assert window() is None
    assert [detail["size"] for _, _, detail in noted(world)] == [12, None]


def test_only_who_may_has_a_hand_on_a_stage(viewer: Browser, curator: Browser, stranger: Browser, world: World) -> None:
    failed = plant(world, 2, "Error", reason="timeout")
    for browser in (viewer, curator):
        for path in (f"{PAGE}/retry", f"{PAGE}/cancel"):
            assert browser.client.get(path).status_code == 403
            assert browser.send(path).status_code == 403
    for browser in (viewer, curator, stranger):
        for act in ("pause", "resume", "window"):
            assert browser.send(f"{PAGE}/{act}", size="3").status_code == 403
        assert "Your hand on it" not in browser.text(PAGE)
    assert stranger.client.get(f"{PAGE}?tenants=all").status_code == 403
    assert ids_on(stranger, PAGE) == []
    assert "Error: timeout" not in stranger.text(PAGE)
    assert "Nothing to retry" in stranger.text(f"{PAGE}/retry")
    stranger.send(f"{PAGE}/retry")
    assert statuses(world, *failed) == ["Error"] * 2
    assert noted(world) == []


def test_an_operator_counts_everybodys_work_and_lists_their_own(
    admin: Browser, visit: Callable[..., Browser], db: str
) -> None:
    theirs = World(db, visit("viewer", is_stranger=True).person.tenant_id)
    plant(theirs, 2, "Error", reason="timeout")
    theirs.close()
    assert "Error: timeout" not in admin.text(PAGE)
    assert "Error: timeout" in admin.text(f"{PAGE}?tenants=all")
    assert ids_on(admin, f"{PAGE}?tenants=all") == []


def test_what_strangers_wrote_does_nothing(admin: Browser, world: World) -> None:
    page = world.page(url=f"javascript:{SCRIPT}", host=SCRIPT)
    world.work("page_curation", page, "Error", reason=f'"{SCRIPT}', error=SCRIPT, lane=SCRIPT)
    for path in (PAGE, f"{PAGE}?error={SCRIPT}&reason=%22%3E{SCRIPT}", f"{PAGE}/retry?host={SCRIPT}"):
        answer = admin.client.get(path)
        assert answer.status_code == 200
        assert SCRIPT not in answer.text
        assert 'href="javascript:' not in answer.text
    assert SCRIPT in admin.text(PAGE)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/stages/shoes", 404),
        ("/stages/shoes/events", 404),
        ("/stages/shoes/retry", 404),
        (f"{PAGE}/polish", 422),
        (f"{PAGE}?status=shoes", 422),
        (f"{PAGE}?tenants=some", 422),
        (f"{PAGE}?cursor=shoes", 400),
        (f"{PAGE}?reason=%00", 422),
        (f"{PAGE}?error={'x' * 2001}", 422),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(path: str, status: int, admin: Browser) -> None:
    says = admin.see(path, status=status).css_first("p[role=alert]")
    assert says is not None
    assert says.text().endswith(".")


def test_the_counts_follow_what_happens(viewer: Browser, world: World) -> None:
    drawings: list[str] = []
    with viewer.client.stream("GET", f"{PAGE}/events") as stream:
        for chunk in stream.iter_text():
            drawings += [chunk] if "event: drawn" in chunk else []
            if len(drawings) == 1 and not world.rows("SELECT 1 FROM work"):
                plant(world, 1, "Error", reason="timeout")
            if len(drawings) == 2 or "event: beat" in chunk:
                break
    before, after = drawings
    assert "Error: timeout" not in before
    assert "Error: timeout" in after

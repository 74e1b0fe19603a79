"""Saturation: the rest of a domain's pages is left out once there are enough contacts, except what a person wants."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import settings
from fetching.client import client
from pipeline import lanes
from pipeline.curation import curate
from pipeline.database import transaction
from pipeline.stage import stage_named
from scheduling import invariants
from tests.fetching.conftest import stranger
from tests.fetching.stranger import answer, path_of
from tests.stages.pages import STAGE, Pages
from tests.stages.scene import Scene
from tests.stages.sites import Sites
from tests.stages.test_page_curation_strangers import HTML, SITE, Start

__all__ = ["stranger"]

PHONE = '<p><a href="tel:+15125550123">call</a><p>'


@pytest.fixture
def pages(scene: Scene, stranger: Start, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    """Every page shows a phone and two emails of its own; four emails are enough."""

    def script(head: bytes) -> list[bytes]:
        if path_of(head) == "/robots.txt":
            return [answer(b"", status="404 Not Found")]
        own = path_of(head)[1:]
        return [answer(f"<html>{PHONE}a{own}@stranger.example or b{own}@stranger.example".encode(), HTML)]

    stranger(script)
    values = {"LANE_GAP_SECONDS": "0", "LANE_GAP_MAX_SECONDS": "0.01", "SATURATED_EMAILS": "4"}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    yield Pages(scene, Sites(scene, None))  # type: ignore[arg-type] # nobody asks this one for its log
    client().close()


def add(pages: Pages, many: int = 6) -> list[int]:
    return [pages.add(f"{SITE}/{at}") for at in range(many)]


def go_on(pages: Pages) -> None:
    pages.sites.run([STAGE])


def check_invariants() -> None:
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_the_rest_of_a_saturated_domain_is_left_out(pages: Pages) -> None:
    ids = add(pages)
    pages.by_machine(*ids)
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Completed": 2, "Filtered saturated": 4}
    assert pages.scene.one("SELECT count(*) AS many FROM contacts WHERE kind = 'email'")["many"] == 4
    assert pages.scene.one("SELECT sum(attempts) AS many FROM work WHERE stage = %s", STAGE)["many"] == 2
    check_invariants()


def test_what_a_person_selected_is_visited_all_the_same(pages: Pages) -> None:
    ids = add(pages)
    pages.by_machine(*ids)
    curate(stage_named(STAGE), ids[3:5], "Selected")
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Completed": 4, "Filtered saturated": 2}
    curate(stage_named(STAGE), ids[5:], "Selected", auto=True)
    go_on(pages)
    assert pages.ending(ids[5]) == ("Completed", None)


def know_enough(pages: Pages) -> None:
    """Store as many contacts of the domain as are enough."""
    for kind, many, value in (("email", 4, "@known.example"), ("phone", 1, "")):
        pages.scene.execute(
            "INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value, confidence)"
            " SELECT tenant_id, id, 'domain:' || id, %s, '+1512555020' || number || %s::text, 0.7"
            " FROM domains, generate_series(1, %s) number",
            kind,
            value,
            many,
        )


def test_what_is_queued_for_a_domain_that_has_enough_ends_at_its_first_visit(pages: Pages) -> None:
    ids = add(pages)
    know_enough(pages)
    pages.by_machine(*ids)
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Filtered saturated": 6}
    tried = "SELECT count(*) AS many FROM work WHERE stage = %s AND attempts > 0"
    assert pages.scene.one(tried, STAGE)["many"] == 1
    check_invariants()


@pytest.mark.parametrize(
    "change",
    [
        "gone_at = now()",
        "confidence = 0.6",
        "label = 'fax' WHERE kind = 'phone'",
        "verdict = 'invalid' WHERE kind = 'email'",
        "curation_status = 'Not a Fit'",
        "owner_key = owner_key",
    ],
)
def test_only_good_contacts_count(pages: Pages, change: str) -> None:
    (page,) = add(pages, 1)
    know_enough(pages)
    pages.scene.execute(f"UPDATE contacts SET {change}")
    pages.by_machine(page)
    go_on(pages)
    are_good = change == "owner_key = owner_key"
    assert pages.ending(page) == (("Filtered", "saturated") if are_good else ("Completed", None))


def test_a_page_that_contacts_are_known_from_is_visited_again_all_the_same(pages: Pages) -> None:
    """Or nobody would ever notice that they are gone."""
    ids = add(pages, 4)
    pages.by_machine(*ids)
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Completed": 2, "Filtered saturated": 2}
    pages.scene.start(STAGE, *ids[::-1])
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Completed unchanged": 2, "Filtered saturated": 2}
    pages.scene.execute("UPDATE sightings SET gone_at = now()")
    pages.scene.start(STAGE, *ids)
    go_on(pages)
    assert pages.scene.endings(STAGE) == {"Filtered saturated": 4}
    check_invariants()


def test_another_domain_of_the_same_lane_is_left_alone(pages: Pages) -> None:
    ids = add(pages, 3)
    other = pages.sites.add_domain("other.example")
    strange = pages.add(f"{SITE}/x", other)
    pages.by_machine(*ids, strange)
    go_on(pages)
    assert pages.ending(strange) == ("Completed", None)
    assert pages.ending(ids[2]) == ("Filtered", "saturated")


def test_a_page_that_is_being_claimed_ends_by_itself(pages: Pages) -> None:
    ids = add(pages, 4)
    pages.by_machine(*ids)
    with transaction() as (_, held):
        held.execute(b"SELECT 1 FROM work WHERE stage = 'page_curation' AND entity_id = %s FOR UPDATE", (ids[3],))
        for _ in range(2):
            pages.scene.bells.ring(lanes.release(["stranger.example"]))
            pages.scene.answer(*[ring for ring in pages.scene.bells.take() if ring.stage == STAGE][:1])
        assert pages.ending(ids[3])[0] == "Queued"
    assert pages.ending(ids[2]) == ("Filtered", "saturated")
    go_on(pages)
    assert pages.ending(ids[3]) == ("Filtered", "saturated")
    check_invariants()

"""page_ranking: the same pages are chosen in whatever order sitemaps come, however often, by however many workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import count, permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import settings
from pipeline import page_choice, sitemap_reading
from pipeline.doorbell import Ring
from pipeline.page_choice import Choice
from pipeline.stage import Turn
from tests.stages.scene import Scene
from tests.stages.sitemaps import Sitemaps, chosen_by_hand

PATHS = [
    "/", "/contact", "/kontakt.html", "/impressum", "/about-us", "/team", "/team/anna", "/services", "/services/repair",
    "/blog/", "/blog/2024/05/17/hello", "/shop/chairs/chair-1", "/jobs", "/privacy", "/location/north",
    "/location/south", "/some-page", "/pictures/front.jpg", "/prices", "/de/kontakt",
]  # fmt: skip
BUDGET = 5
_names = count()


@pytest.fixture
def sitemaps(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Sitemaps:
    """Small chunks and a small budget; a lane lets several sitemaps of a site through at once."""
    for name, value in {"LANE_GAP_SECONDS": "0", "LANE_CAP": "8", "PAGES_PER_DOMAIN": str(BUDGET)}.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    monkeypatch.setattr(sitemap_reading, "CHUNK", 3)
    return Sitemaps(scene)


def add_lists(sitemaps: Sitemaps, lists: Sequence[Sequence[str]], host: str = "site.example") -> list[int]:
    return [
        sitemaps.add(f"http://{host}/{at}.txt", method="homepage_links", links=json.dumps(list(paths)))
        for at, paths in enumerate(lists)
    ]


def of_host(sitemaps: Sitemaps, host: str) -> list[tuple[Any, ...]]:
    """Give what is known of a domain's pages, its own name left out."""
    rows = (row[1:2] + row[3:] for row in sitemaps.picture() if row[0] == host)
    return [tuple(str(value).replace(host, "") for value in row) for row in rows]


@hypothesis_settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # an example takes too long to be made smaller
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(lists=st.lists(st.lists(st.sampled_from(PATHS), max_size=9), min_size=1, max_size=4), data=st.data())
def test_order_and_repetition_change_nothing(sitemaps: Sitemaps, lists: list[list[str]], data: st.DataObject) -> None:
    host, other = f"a{next(_names)}.example", f"b{next(_names)}.example"
    sitemaps.run(*add_lists(sitemaps, lists, host))
    ids = add_lists(sitemaps, lists, other)
    for sitemap in data.draw(st.permutations(ids)) + data.draw(st.lists(st.sampled_from(ids), max_size=4)):
        sitemaps.run(sitemap)
    assert of_host(sitemaps, host) == of_host(sitemaps, other)
    picture = [row for row in sitemaps.picture() if row[0] == other]
    chosen = {row[1] for row in picture if row[7] == "chosen"}
    assert chosen == chosen_by_hand(picture, BUDGET, settings.settings().page_score_floor)
    assert {row[7] for row in picture} <= {"chosen", "over-budget", "low-score"}
    assert len(picture) == len({path for paths in lists for path in paths})


def test_every_order_of_three_sitemaps_gives_the_same(sitemaps: Sitemaps) -> None:
    lists = [PATHS[:8], PATHS[4:14], PATHS[10:]]
    pictures = []
    for order in permutations(range(3)):
        host = f"c{next(_names)}.example"
        ids = add_lists(sitemaps, lists, host)
        sitemaps.run(*(ids[at] for at in order))
        pictures.append(of_host(sitemaps, host))
    assert all(picture == pictures[0] for picture in pictures)
    assert sum("chosen" in row for row in pictures[0]) == BUDGET


def test_two_and_more_workers_at_once_give_the_same(sitemaps: Sitemaps) -> None:
    lists = [PATHS[at:] + PATHS[:at] for at in range(0, 16, 4)]
    ids = add_lists(sitemaps, lists, "alone.example")
    sitemaps.run(*ids)
    for turn in range(3):
        host = f"together{turn}.example"
        sitemaps.scene.start("sitemap_import", *add_lists(sitemaps, lists, host))
        rings = [ring for ring in sitemaps.scene.bells.take() if ring.stage == "sitemap_import"]
        assert len(rings) == len(lists)
        sitemaps.scene.answer(*rings)
        sitemaps.go_on()
        assert of_host(sitemaps, host) == of_host(sitemaps, "alone.example")


def rings_of(sitemaps: Sitemaps, stage: str) -> list[Ring]:
    taken = sitemaps.scene.bells.take()
    sitemaps.scene.bells.ring([ring for ring in taken if ring.stage != stage])
    return [ring for ring in taken if ring.stage == stage]


def test_the_choice_waits_until_every_sitemap_is_read(sitemaps: Sitemaps) -> None:
    one, two = add_lists(sitemaps, [PATHS[:4], PATHS[4:8]])
    sitemaps.scene.start("sitemap_import", one, two)
    first, second = rings_of(sitemaps, "sitemap_import")
    sitemaps.scene.answer(first)
    sitemaps.scene.answer(*rings_of(sitemaps, "page_ranking"))
    assert sitemaps.scene.endings("page_ranking") == {"Queued sitemaps-open": 1}
    assert sitemaps.paths("decision_reason = 'chosen'") == set()
    sitemaps.scene.answer(second)
    sitemaps.go_on()
    assert sitemaps.scene.endings("page_ranking") == {"Completed": 1}
    assert len(sitemaps.paths("decision_reason = 'chosen'")) == BUDGET


def test_a_failed_sitemap_does_not_hold_up_the_choice(sitemaps: Sitemaps) -> None:
    one, two = add_lists(sitemaps, [PATHS[:4], []])
    sitemaps.run(one, two)
    assert sitemaps.scene.endings("sitemap_import") == {"Completed": 1, "Filtered empty-sitemap": 1}
    assert sitemaps.scene.endings("page_ranking") == {"Completed": 1}


def test_a_later_sitemap_starts_the_choice_anew(sitemaps: Sitemaps) -> None:
    one, two = add_lists(sitemaps, [["/some-page", "/services"], ["/contact", "/impressum", "/team", "/about-us", "/"]])
    sitemaps.run(one)
    assert sitemaps.paths("decision_reason = 'chosen'") == {"/some-page", "/services"}
    sitemaps.run(two)
    assert sitemaps.paths("decision_reason = 'chosen'") == {"/contact", "/impressum", "/team", "/about-us", "/"}
    assert sitemaps.paths("decision_reason = 'over-budget'") == {"/some-page", "/services"}


def test_a_sitemap_that_ends_while_the_choice_is_made_is_chosen_from_too(
    sitemaps: Sitemaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = add_lists(sitemaps, [["/some-page"], ["/contact"]])
    choose: Callable[..., Choice] = page_choice.choose
    seen: list[Choice] = []

    def choose_slowly(turn: Turn, *given: Any) -> Choice:
        seen.append(choose(turn, *given))
        if len(seen) == 1:
            sitemaps.scene.start("sitemap_import", two)
            sitemaps.scene.play("sitemap_import")
        return seen[-1]

    monkeypatch.setattr(page_choice, "choose", choose_slowly)
    sitemaps.run(one)
    assert sitemaps.paths("decision_reason = 'chosen'") == {"/some-page", "/contact"}
    assert sitemaps.scene.endings("page_ranking") == {"Completed": 1}
    assert len(seen) >= 2


def test_the_choice_looks_at_few_rows_however_many_there_are(sitemaps: Sitemaps) -> None:
    (sitemap,) = add_lists(sitemaps, [PATHS])
    sitemaps.run(sitemap)
    sitemaps.scene.execute(
        "INSERT INTO pages (tenant_id, domain_id, url, host, score, depth, decision_reason)"
        " SELECT tenant_id, domain_id, 'http://site.example/post-' || number, host,"
        "        CASE WHEN number %% 3 = 0 THEN 0.2 ELSE 0.05 END, 1,"
        "        CASE WHEN number %% 3 = 0 THEN 'over-budget' ELSE 'low-score' END"
        " FROM sitemap_files, generate_series(1, 30000) number"
    )
    sitemaps.scene.execute("ANALYZE pages")
    domain = sitemaps.domain("site.example")
    values = {"id": 0, "token": 0, "worker": settings.settings().default_tenant_id, "domain": domain, "most": BUDGET}
    best = (
        "SELECT id FROM pages WHERE domain_id = {domain} AND decision_reason IN ('chosen', 'over-budget')"
        " AND vanished_at IS NULL AND curation_status NOT IN ('Not a Fit', 'Archived')"
        " ORDER BY score DESC, depth, url LIMIT {most}"
    )
    assert " ".join(best.format(domain="%(domain)s", most="%(most)s").split())[:60] in " ".join(
        page_choice.CHOOSE.decode().split()
    )
    plan = sitemaps.scene.rows(f"EXPLAIN (ANALYZE, FORMAT JSON) {best.format(**values)}")[0]["QUERY PLAN"][0]["Plan"]
    scan = plan["Plans"][0]
    assert scan["Index Name"] == "ix_pages_promising"
    assert scan["Actual Rows"] <= BUDGET

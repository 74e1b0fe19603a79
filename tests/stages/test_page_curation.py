"""page_curation: Page → Contact, on every disguise and misbehaviour of the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import settings
from fetching.client import client
from sandbox import Served, serving
from sandbox.kinds import KINDS
from sandbox.siteplan import SitePlan
from tests.stages.pages import Pages, plan_of
from tests.stages.scene import Scene
from tests.stages.sites import WORLD, Sites

READABLE = [kind.name for kind in KINDS if kind.outcome is None and kind.name not in ("slow", "redirect-elsewhere")]
TABLES = ("pages", "contacts", "sightings", "work")


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(WORLD) as started:
        yield started


@pytest.fixture
def pages(scene: Scene, served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    values = {
        "SANDBOX_ADDRESS": f"127.0.0.1:{served.address[1]}",
        "LANE_GAP_SECONDS": "0",
        "LANE_GAP_MAX_SECONDS": "0.01",
        "SATURATED_EMAILS": "1000",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    yield Pages(scene, Sites(scene, served))
    client().close()


def planted(plan: SitePlan, url: str) -> set[tuple[str, str]]:
    path = "/" + url.partition("://")[2].partition("/")[2]
    lowered = ((each.kind, each.value.lower() if each.kind == "email" else each.value) for each in plan.on(path))
    return set(lowered)


@pytest.mark.parametrize("kind", READABLE)
def test_every_page_of_every_kind_of_site_tells_its_contacts(pages: Pages, kind: str) -> None:
    ids = pages.add_site(kind)
    pages.run(*ids)
    plan = plan_of(kind)
    for page in ids:
        row = pages.row(page)
        print(row["url"], pages.ending(page))
        assert pages.found(page) == planted(plan, row["url"]), row["url"]

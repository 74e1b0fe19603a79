"""The funnel of a search on its page: every link leads to exactly as many rows as its number says."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboard import search_funnel
from entities import listing
from entities.catalog import entity_named
from tests.dashboard.browsers import Browser
from tests.entities.world import World


@pytest.fixture
def world(db: str, product_stages: None) -> Iterator[World]:
    made = World(db)
    yield made
    made.close()


def dropped(world: World) -> int:
    """A search of which something of every kind dropped off in several ways, beside one that must not be counted."""
    for search in (world.search(), world.search()):
        for nth in range(3):
            world.work("deep_scan", world.place(search), "Filtered", reason="closed")
            business = world.business(world.place(search), curation_status="Archived" if nth == 0 else "New")
            if nth:
                world.work("domain_extraction", business, "Filtered", reason="no-website")
            domain = world.domain(world.business(world.place(search)))
            world.work("domain_metadata", domain, "Error", reason="timeout")
            kept = world.domain(world.business(world.place(search)))
            world.work("domain_metadata", kept)
            world.work("sitemap_analysis", kept, "Completed", reason="no-sitemap")
            world.work("sitemap_import", world.sitemap_file(kept), "Queued")
            world.page(kept, decision_reason="low-score")
            world.page(kept, decision_reason="chosen")
            world.contact(kept, verdict="invalid")
            world.contact(kept, gone_at="2026-01-01")
    return search


def test_every_link_of_the_funnel_lists_what_its_number_counts(world: World) -> None:
    search = dropped(world)
    checked = set()
    for kind in search_funnel.kinds(world.tenant_id, search):
        counted = [(kind.link, kind.step.total)]
        counted += [(drop.link, drop.reason.count) for drop in kind.drops]
        for link, many in counted:
            if link is not None:
                where = parse_qs(urlsplit(link).query)["where"]
                assert listing.count(entity_named(kind.step.entity), world.tenant_id, where) == many, link
                checked.add((kind.step.entity, link))
    assert len(checked) >= 15
    assert {entity for entity, _ in checked} == {
        "places", "local_businesses", "domains", "sitemap_files", "pages", "contacts"
    }  # fmt: skip


def test_the_funnel_shows_shares_reasons_and_what_they_mean(viewer: Browser, world: World) -> None:
    search = dropped(world)
    text = viewer.text(f"/searches/{search}/funnel", htmx=True)
    assert "Places12, 75% became businesses" in text
    assert "no-website in domain extraction" in text
    assert "the site did not answer in time" in text
    assert "no decision yet" in text

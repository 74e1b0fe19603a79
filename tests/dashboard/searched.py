"""A search with something of everything, and a look at one element of a page."""

from __future__ import annotations

from typing import Any

from selectolax.lexbor import LexborHTMLParser

from tests.entities.world import World

HOSTILE = "<script>window.hacked=1</script>\"'"


def grown(world: World, **columns: Any) -> int:
    """A search with two rectangles and three places: one with a contact, one that is closed, one that is to come."""
    box = {"south": 30.0, "west": -98.0, "north": 30.5, "east": -97.5}
    search = world.search(**{"what": "dentists", "budget_usd": 2, "spent_usd": 0.5, "calls": 3, "coverage": 0.5}
                          | box | columns)  # fmt: skip
    world.insert("search_areas", search_id=search, **box | {"north": 30.25}, is_full=False, found=3, searched_at="now")
    world.insert("search_areas", search_id=search, **box | {"south": 30.25}, is_full=True, found=20)
    root = world.work("search", search)
    places = [world.place(search, name=f"{HOSTILE} {nth}", latitude=30.1, longitude=-97.6) for nth in range(3)]
    scans = [
        world.work("deep_scan", places[0], parent_id=root),
        world.work("deep_scan", places[1], "Filtered", reason="closed", parent_id=root),
        world.work("deep_scan", places[2], "Queued", parent_id=root),
    ]
    business = world.business(places[0], name=HOSTILE)
    found = world.work("domain_extraction", business, parent_id=scans[0])
    domain = world.domain(business, name="acme.example")
    world.work("domain_metadata", domain, "Error", reason="timeout", error=HOSTILE, parent_id=found)
    world.page(domain, decision_reason="low-score")
    world.contact(domain, value="info@acme.example", person_name=HOSTILE, verdict="valid")
    return search


def attribute(page: LexborHTMLParser, where: str, name: str) -> str:
    return page.css(where)[0].attributes[name] or ""

"""The world is a function of size and seed, holds every kind, and stays small."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.categories import CATEGORIES
from sandbox.geography import TOWNS
from sandbox.kinds import GOOD, KINDS, SPECIAL, Kind
from sandbox.phones import national
from sandbox.siteplan import site_plan
from sandbox.world import World

ROOT = Path(__file__).parents[2]
WORLD = World(300)
DENTISTS = World(900, town="Austin, TX", category="dentist")
FINGERPRINT = """
import hashlib, sys
from sandbox.siteplan import site_plan
from sandbox.truth import pieces
from sandbox.world import World
world = World(400, int(sys.argv[1]))
sum = hashlib.sha256(b"".join(pieces(world)))
for business in world:
    sum.update(repr(business).encode())
    if business.host:
        sum.update(repr(site_plan(world, business)).encode())
sys.stdout.write(sum.hexdigest())
"""


def fingerprint(seed: int, hash_seed: str) -> str:
    """Take the sum of everything in a world, in a process of its own."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", FINGERPRINT, str(seed)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert re.fullmatch("[0-9a-f]{64}", done.stdout)
    return done.stdout


def test_the_same_seed_gives_the_same_world_in_every_process() -> None:
    assert fingerprint(1, "0") == fingerprint(1, "1") == fingerprint(1, "4242")


def test_another_seed_gives_another_world() -> None:
    assert fingerprint(1, "0") != fingerprint(2, "0")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_300_businesses_hold_every_kind(kind: Kind) -> None:
    business = WORLD.with_kind(kind.name)
    assert business.site_kind == kind.name
    assert business == WORLD.business(business.index)


def test_about_one_in_three_is_special() -> None:
    special = {kind.name for kind in SPECIAL}
    share = sum(business.site_kind in special for business in WORLD) / len(WORLD)
    assert 0.3 < share < 0.36


def test_the_names_of_the_kinds_are_unique_and_each_says_what_it_does() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) == len(GOOD) + len(SPECIAL)
    assert all(re.fullmatch("[a-z0-9-]+", kind.name) and kind.does.endswith(".") for kind in KINDS)


def test_a_kind_that_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="too small to hold 'look-alikes'"):
        World(3).with_kind("look-alikes")
    with pytest.raises(KeyError, match="no kind 'nonsense'"):
        WORLD.with_kind("nonsense")


@pytest.mark.parametrize("world", [WORLD, DENTISTS, World(3000, 7)], ids=["small", "dentists", "big"])
def test_hosts_and_ids_are_unique(world: World) -> None:
    businesses = list(world)
    own = [business.host for business in businesses if business.host and business.site_kind != "shared-domain"]
    assert len(set(own)) == len(own)
    assert len({business.place_id for business in businesses}) == len(world)
    assert len({business.osm_id for business in businesses}) == len(world)
    assert len({business.phone for business in businesses}) == len(world)


def test_hosts_are_names_that_cannot_exist() -> None:
    for business in WORLD:
        if business.host:
            assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.example", business.host)
        assert business.site_kind != "dns" or (business.website or "").rstrip("/").endswith(".invalid")


def test_special_sites_are_named_by_what_they_do() -> None:
    assert all(
        WORLD.with_kind(name).host == f"{name}-{WORLD.with_kind(name).index}.example"
        for name in ("gzip-bomb", "robots-500", "sitemap-loop", "shared-domain")
    )


def test_a_host_leads_to_its_business() -> None:
    for business in WORLD:
        if business.host:
            first = WORLD.branches(business)[0]
            assert WORLD.business_at(business.host) == WORLD.business_at(f"WWW.{business.host}") == first
        assert WORLD.by_place_id(business.place_id) == business
    moved = WORLD.with_kind("redirect-elsewhere")
    assert WORLD.business_at(f"moved-to-{moved.index}.example") == moved
    assert WORLD.business_at("nobody.example") is None
    assert WORLD.by_place_id("ChIJ") is None


def test_branches_share_name_town_and_domain() -> None:
    branches = WORLD.branches(WORLD.with_kind("shared-domain"))
    assert len(branches) == 3
    assert len({(branch.name, branch.host, branch.town, branch.category) for branch in branches}) == 1
    assert len({branch.phone for branch in branches}) == 3


@pytest.mark.parametrize("world", [WORLD, DENTISTS], ids=["small", "dentists"])
def test_every_business_is_in_its_town(world: World) -> None:
    for business in world:
        town = business.town
        assert town.south < business.latitude < town.north
        assert town.west < business.longitude < town.east


def test_a_bigger_world_begins_with_the_smaller_one() -> None:
    big = World(1000)
    assert list(WORLD) == [big.business(index) for index in range(300)]
    plain = [business for business in WORLD if business.host and business.site_kind != "shared-domain"]
    assert [site_plan(WORLD, each) for each in plain] == [site_plan(big, each) for each in plain]


def test_towns_and_trades_have_their_shares() -> None:
    world = World(3000)
    towns, trades = Counter(b.town.name for b in world), Counter(b.category.name for b in world)
    assert 0.36 < towns["Austin"] / len(world) < 0.44
    assert set(towns) == {town.name for town in TOWNS}
    assert set(trades) == {category.name for category in CATEGORIES}
    assert trades.most_common(1)[0][0] == "dentist"


def test_a_focused_world_has_one_town_and_one_trade_and_is_dense_in_the_middle() -> None:
    assert {(b.town.label, b.category.name) for b in DENTISTS} == {("Austin, TX", "dentist")}
    town = DENTISTS.towns[0]
    tall, wide = (town.north - town.south) / 3, (town.east - town.west) / 3
    middle = DENTISTS.inside(town.south + tall, town.west + wide, town.north - tall, town.east - wide)
    assert len(middle) > len(DENTISTS) / 2
    buildings = Counter((b.latitude, b.longitude, b.house_number, b.street, b.postal_code) for b in DENTISTS)
    assert buildings.most_common(1)[0][1] >= 5


@pytest.mark.parametrize("words", [{"town": "Atlantis"}, {"category": "alchemist"}])
def test_an_unknown_town_or_trade_is_refused_with_the_known_ones(words: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="there are"):
        World(1, **words)  # type: ignore[arg-type]


def test_an_index_beyond_the_world_is_refused() -> None:
    for index in (-1, 300):
        with pytest.raises(IndexError):
            WORLD.business(index)
    assert not list(World(0))
    assert not World(0).inside(-90, -180, 90, 180)


def test_numbers_are_written_as_the_country_does() -> None:
    for business in WORLD:
        assert re.fullmatch(r"\+[1-9]\d{8,13}", business.phone)
        assert national(business.phone) == business.phone_national
        digits = re.sub(r"\D", "", business.phone_national)
        assert business.phone.endswith(digits.removeprefix("0"))


latitudes = st.floats(-90, 90) | st.sampled_from([b.latitude for b in DENTISTS][:50]) | st.floats(30.1, 30.5)
longitudes = st.floats(-180, 180) | st.sampled_from([b.longitude for b in DENTISTS][:50]) | st.floats(-97.9, -97.6)


@settings(max_examples=300, deadline=None)
@given(latitudes, longitudes, latitudes, longitudes, st.sampled_from([None, "dentist", "plumber"]), st.booleans())
def test_inside_finds_what_looking_at_everyone_finds(
    south: float, west: float, north: float, east: float, category: str | None, everywhere: bool
) -> None:
    world = WORLD if everywhere else DENTISTS

    def between(place: float) -> bool:
        return west <= place <= east if west <= east else place >= west or place <= east

    expected = [
        business.index
        for business in map(world.business, range(300))
        if south <= business.latitude <= north
        and between(business.longitude)
        and category in (None, business.category.name)
    ]
    assert [index for index in world.inside(south, west, north, east, category) if index < 300] == expected


def test_ten_thousand_businesses_take_less_than_16_mib() -> None:
    tracemalloc.start()
    try:
        world = World(10_000)
        for index in range(0, 10_000, 9):
            world.business(index)
        assert len(world.inside(-90, -180, 90, 180)) == 10_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 2**20

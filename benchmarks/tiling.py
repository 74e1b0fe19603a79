"""Measure tiling on towns of many sizes: calls and share found, beside cutting full rectangles in quarters."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from sandbox.geography import town_named
from sandbox.places.finder import prominence
from sandbox.world import World
from services.place import Area
from services.tiling import Finished, NextPage, Split, Spot, coverage, next_step

TOWN = "Austin, TX"
SIZES = (60, 200, 900, 3000)
SEEDS = range(1, 1 + int(os.environ.get("BENCH_SEEDS", "8")))
PAGE_SIZE, MOST_RESULTS = 20, 60

Step = Finished | NextPage | Split


@dataclass(frozen=True, slots=True)
class Row:
    """What is stored of a rectangle before one of its pages is asked for."""

    area: Area
    depth: int = 0
    page_number: int = 1
    spots: tuple[Spot, ...] = ()


@dataclass(slots=True)
class Walk:
    """What a search came to."""

    calls: int = 0
    found: set[int] = field(default_factory=set)
    covered: list[Area] = field(default_factory=list)
    uncovered: list[Area] = field(default_factory=list)

    @property
    def coverage(self) -> float:
        return coverage(self.covered, self.uncovered)


class Town:
    """A provider without sockets: the sandbox's places in the sandbox's order, at most sixty of a rectangle."""

    def __init__(self, size: int, seed: int) -> None:
        self.world = World(size, seed, town=TOWN, category="dentist")
        self.spots = [(business.latitude, business.longitude) for business in self.world]

    def page(self, area: Area, number: int) -> tuple[list[int], bool]:
        inside = self.world.inside(area.south, area.west, area.north, area.east, "dentist")
        shown = sorted(inside, key=prominence)[:MOST_RESULTS]
        end = number * PAGE_SIZE
        return shown[end - PAGE_SIZE : end], end < len(shown)


def box() -> Area:
    """Give the town's box."""
    town = town_named(TOWN)
    return Area(town.south, town.west, town.north, town.east)


def ours(row: Row, found: int, has_next: bool) -> Step:
    """Do as the product does."""
    return next_step(
        row.area, depth=row.depth, page_number=row.page_number, found=found, has_next=has_next, spots=row.spots
    )


def quarters(row: Row, found: int, has_next: bool) -> Step:
    """Read every rectangle to its end and cut the full ones in four."""
    if has_next:
        return NextPage()
    return Split(row.area.quarters()) if found >= MOST_RESULTS and row.depth < 12 else Finished(found < MOST_RESULTS)


def search(town: Town, decide: Callable[[Row, int, bool], Step], whole: Area | None = None) -> Walk:
    """Search a box, one row and one call at a time."""
    walk, rows = Walk(), [Row(whole or box())]
    while rows:
        before = rows.pop()
        shown, has_next = town.page(before.area, before.page_number)
        walk.calls += 1
        walk.found.update(shown)
        spots = before.spots + tuple(town.spots[index] for index in shown)
        row = Row(before.area, before.depth, before.page_number, spots)
        step = decide(row, len(spots), has_next)
        if isinstance(step, NextPage):
            rows.append(Row(row.area, row.depth, row.page_number + 1, spots))
        elif isinstance(step, Split):
            rows.extend(Row(part, row.depth + 1) for part in step.areas)
        else:
            (walk.covered if step.is_covered else walk.uncovered).append(row.area)
    return walk


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    figures = {}
    print(f"{'places':>6} {'strategy':>9} {'calls':>7} {'least':>6} {'most':>6} {'found':>8} {'covered':>8}")
    for size in SIZES:
        towns = [Town(size, seed) for seed in SEEDS]
        for name, decide in (("quarters", quarters), ("ours", ours)):
            walks = [search(town, decide) for town in towns]
            calls = [walk.calls for walk in walks]
            found = mean([len(walk.found) / size for walk in walks]) * 100
            covered = mean([walk.coverage for walk in walks]) * 100
            print(
                f"{size:6} {name:>9} {mean([*calls]):7.1f} {min(calls):6} {max(calls):6} {found:7.2f}% {covered:7.2f}%"
            )
            figures[size, name] = (mean([*calls]), found)
    calls_ours, found = figures[900, "ours"]
    simple, _ = figures[900, "quarters"]
    ratio = calls_ours / simple
    print(f"tiling: places=900 calls={calls_ours:.1f} found={found:.2f}% simple_calls={simple:.1f} ratio={ratio:.2f}")


if __name__ == "__main__":
    main()

"""What the sandbox's log says about how hosts were asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from services.host import registrable_domain


@dataclass(frozen=True)
class Visit:
    """One request as the site saw it, on the site's clock."""

    lane: str
    path: str
    arrived: float
    ended: float
    status: int


def visits(log: Iterable[dict[str, Any]]) -> dict[str, list[Visit]]:
    """Give every site's visits in the order of their arrival; one that never ended lasts for ever."""
    by_lane: dict[str, list[Visit]] = defaultdict(list)
    for entry in log:
        ended = entry["done"] if entry["done"] is not None else float("inf")
        visit = Visit(
            registrable_domain(entry["host"]), entry["path"], entry["arrived"], ended, int(entry["status"] or 0)
        )
        by_lane[visit.lane].append(visit)
    return {lane: sorted(found, key=lambda visit: visit.arrived) for lane, found in by_lane.items()}


def shortest_gap(found: list[Visit]) -> float:
    """Give the shortest time between two requests to a site."""
    return min((later.arrived - earlier.arrived for earlier, later in pairwise(found)), default=float("inf"))


def most_at_once(found: list[Visit]) -> int:
    """Give how many requests a site had to serve at the same time."""
    changes = sorted([(visit.arrived, 1) for visit in found] + [(visit.ended, -1) for visit in found])
    now = most = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most

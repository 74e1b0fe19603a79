"""Start a search, or change its budget: read what was typed, refuse it in one sentence or store it and ring."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any

from cli.ready import ready
from cli.text import note, safe, say
from errors import BadInput
from pipeline import search_limits, search_order, searches
from pipeline.search_order import Order
from pipeline.stage import load_stages

METERS = {"m": 1.0, "km": 1000.0, "mi": 1609.344}
RADIUS = re.compile(r"(\d{1,7}(?:[.]\d{1,6})?)\s*(m|km|mi)", re.ASCII)


def read_order(
    what: str,
    *,
    near: str | None,
    radius: str | None,
    box: str | None,
    provider: str | None,
    mode: str,
    max_places: int,
    budget: str,
) -> Order:
    """Read what was typed, and refuse in one sentence what cannot be searched for."""
    order = Order(
        what=search_order.words_of(what),
        where_text=None if near is None else search_order.words_of(near),
        **read_box(box),
        radius_meters=read_radius(radius),
        provider=search_order.provider_meant(provider),
        mode=mode.strip().lower(),
        max_places=max_places,
        budget_usd=read_budget(budget),
    )
    search_order.check(order)
    return order


def start(what: str, **wishes: Any) -> None:
    """Create the search and say how to watch it."""
    order = read_order(what, **wishes)
    load_stages()
    ready(broker=True)
    search_id = searches.start(order)
    say(f"Search {search_id} is on its way, asking {order.provider}{_limits(order)}.")
    say(f"Watch it with `scrapersky search show {search_id}`; `scrapersky up` runs the workers.")
    _warn_of_waiting(search_id, order)


def _warn_of_waiting(search_id: int, order: Order) -> None:
    needed = search_order.first_page_usd(order)
    if order.budget_usd is not None and order.budget_usd < needed:
        note(f"Its first places cost ${needed:f}, more than its budget: it will wait for a larger one, given with"
             f" `scrapersky search budget {search_id} USD`.")  # fmt: skip


def _limits(order: Order) -> str:
    return f" for at most {order.max_places} places and ${order.budget_usd:.2f}"


def read_radius(text: str | None) -> int | None:
    """Read `10km`, `5 mi` or `800m` as meters."""
    if text is None:
        return None
    found = RADIUS.fullmatch(text.strip().lower())
    if found is None:
        raise BadInput(f"{safe(text, 40)!r} is no radius: write it like 10km, 5mi or 800m.")
    return round(float(found.group(1)) * METERS[found.group(2)])


def read_box(text: str | None) -> dict[str, float]:
    """Read `30.1,-97.9,30.5,-97.5` as south, west, north and east."""
    if text is None:
        return {}
    parts = re.split(r"[,;\s]+", text.strip())
    try:
        edges = [float(part) for part in parts]
    except ValueError:
        edges = []
    if len(edges) != 4 or not all(map(isfinite, edges)):
        raise BadInput(f"{safe(text, 60)!r} is no box: write four numbers like 30.1,-97.9,30.5,-97.5.")
    return dict(zip(("south", "west", "north", "east"), edges, strict=True))


def read_budget(text: str) -> Decimal:
    """Read an amount of US dollars."""
    try:
        return Decimal(text.strip().removeprefix("$")).quantize(Decimal("0.0001"))
    except InvalidOperation:
        raise BadInput(f"{safe(text, 40)!r} is no amount of US dollars: write it like 2.00.") from None


def set_budget(search_id: int, usd: str) -> None:
    """Change a search's budget and let go what waits for money."""
    amount = read_budget(usd)
    load_stages()
    ready(broker=True)
    gone = search_limits.set_limits(search_id, budget_usd=amount)
    say(f"Search {search_id} may cost ${amount:.2f}; of its work {gone} waited for money and goes on.")

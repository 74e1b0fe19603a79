"""What people do with searches, noted with who did it: the same for programs and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from accounts.caller import Caller
from api.noted import noted
from api.search_bodies import Estimate, SearchChange, money
from errors import BadInput
from pipeline import search_control, search_limits, search_order, searches
from pipeline.search_order import Order

Steering = Literal["pause", "resume", "cancel"]
STEER: Mapping[Steering, Callable[..., int]] = {
    "pause": search_control.pause,
    "resume": search_control.resume,
    "cancel": search_control.cancel,
}


def start(caller: Caller, order: Order) -> int:
    """Store a search and queue its work; give its id."""
    detail = {"what": order.what, "where": order.where_text, "provider": order.provider, "mode": order.mode}
    note = noted(caller, "start", "searches", **detail)
    return searches.start(order, tenant_id=caller.tenant_id, user_id=caller.user_id, note=note)


def estimate(order: Order) -> Estimate:
    """Say what a search may cost; nothing is stored and nobody is asked."""
    first = search_order.first_page_usd(order)
    return Estimate(
        provider=order.provider,
        first_page_usd=float(first),
        most_usd=float(search_order.most_usd(order)),
        budget_usd=None if order.budget_usd is None else float(order.budget_usd),
        is_within_budget=order.budget_usd is None or order.budget_usd >= first,
    )


def change(caller: Caller, search_id: int, wanted: SearchChange) -> int:
    """Change a search's limits; give how much of its work goes on by that."""
    if wanted.budget_usd is None and wanted.max_places is None:
        raise BadInput("Nothing is to be changed: say budget_usd or max_places.")
    budget = None if wanted.budget_usd is None else money(wanted.budget_usd)
    told = {"budget_usd": None if budget is None else str(budget), "max_places": wanted.max_places}
    return search_limits.set_limits(
        search_id,
        budget_usd=budget,
        max_places=wanted.max_places,
        tenant_id=caller.tenant_id,
        note=noted(caller, "change", "searches", **told),
    )


def steer(caller: Caller, search_id: int, action: Steering) -> int:
    """Pause, resume or cancel a search; give how many pieces of work that concerned."""
    return STEER[action](search_id, tenant_id=caller.tenant_id, note=noted(caller, action, "searches"))

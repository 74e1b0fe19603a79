"""Decide on all that match: counted first, exactly, and then at once."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from accounts.caller import Caller
from api.contract import Text
from dashboard import curate_filters as filters
from dashboard import curate_words as words
from dashboard.curate_asked import Asked, Back, FormTexts, FromAddress, after_decision, said
from dashboard.curate_tabs import Tab, tab_named
from dashboard.page import go, is_part, show, show_part
from dashboard.visitor import Curator
from entities import curate
from entities.chosen import Chosen
from entities.curate import Decided, Decision

router = APIRouter()


def _wish(
    asked: FromAddress,
    status: Annotated[Text, Query()] = "Selected",
    stage: Annotated[Text, Query()] = "",
    auto: bool = False,
) -> Decision:
    chosen = Chosen(where=asked.where, everything=not asked.where)
    return Decision(status, chosen, stage=stage or None, auto=auto)


Wish = Annotated[Decision, Depends(_wish)]


@router.get("/curate/{entity}/matching")
def matching_page(request: Request, visitor: Curator, asked: FromAddress, wish: Wish) -> HTMLResponse:
    """Ask what to decide on all that match: as a dialog of the table, or as a page of its own with the count."""
    values = _values(asked, wish)
    if is_part(request):
        return show_part(visitor, "curate/matching.html", **values)
    return show(request, visitor, "curate/matching_page.html", **values, **_counted(visitor, asked.tab, wish))


@router.get("/curate/{entity}/matching/count")
def matching_count(visitor: Curator, asked: FromAddress, wish: Wish) -> HTMLResponse:
    """Count what the decision would do, and offer to do just that."""
    return show_part(
        visitor, "curate/matching_count.html", **_values(asked, wish), **_counted(visitor, asked.tab, wish)
    )


@router.post("/curate/{entity}/matching")
def decide_matching(
    request: Request,
    visitor: Curator,
    entity: str,
    status: Annotated[Text, Form()] = "",
    where: FormTexts = [],  # noqa: B006 - never changed
    stage: Annotated[Text, Form()] = "",
    auto: Annotated[bool, Form()] = False,
    everything: Annotated[bool, Form()] = False,
    back: Back = "",
) -> Response:
    """Decide on every row that matches, whether it is on the page or not."""
    tab = tab_named(entity)
    chosen = Chosen(where=said(where), everything=everything)
    done = curate.decide(visitor, tab.entity.name, Decision(status, chosen, stage=stage or None, auto=auto))
    return go(request, after_decision(tab, back, done.operation_id))


def _values(asked: Asked, wish: Decision) -> dict[str, Any]:
    values = {"asked": asked, "tab": asked.tab, "wish": wish, "chips": filters.chips(asked)}
    return {**values, "decisions": words.DECISIONS, "stages": asked.tab.stages}


def _counted(visitor: Caller, tab: Tab, wish: Decision) -> dict[str, Any]:
    counts: Decided = curate.count(visitor, tab.entity.name, wish)
    return {"counts": counts, "says": words.of_count(tab, wish.status, counts)}
